internal import Glibc

/// One trash folder, open: `files` holds what was thrown away, `info` a `.trashinfo` beside each. Nothing in it is ever
/// replaced.
final class Trash {
    let site: TrashSite
    let files: FileDescriptor
    let info: FileDescriptor
    /// Bytes for a name in `files`, so that its `.trashinfo` has room.
    private let nameLimit: Int
    /// Names that were reserved and are not on the disk yet.
    private var reserved: Set<FilePath> = []
    /// The next number for a name that was taken.
    private var numbers: [FilePath: Int] = [:]

    /// Opens the trash, and creates what is missing of it for its owner alone (0700). Throws ELOOP or ENOTDIR for a
    /// link where the specification requires a folder, EPERM for a folder of another user.
    init(_ site: TrashSite, creating: Bool) throws(POSIXError) {
        self.site = site
        if creating { try site.create() }
        let root =
            site.top == nil
            ? try FileDescriptor.open(site.root, [.pathOnly, .directory])
            : try FileDescriptor.openFolderFollowingNoLink(site.root)
        if site.top != nil, try root.status().owner != FileSystem.realUser {
            throw POSIXError(code: EPERM, operation: "open", path: site.root)
        }
        if creating {
            for name in [Self.filesName, Self.infoName] {
                do { try FileSystem.createFolder(name, in: root, permissions: 0o700) } catch {
                    if !error.isOccupied { throw error }
                }
            }
        }
        files = try root.open(Self.filesName, [.read, .directory, .noFollow])
        info = try root.open(Self.infoName, [.read, .directory, .noFollow])
        nameLimit = min(files.nameLimit(), info.nameLimit()) - TrashInfo.suffix.utf8.count
    }

    private static let filesName = FilePath("files")
    private static let infoName = FilePath("info")

    static func infoName(of name: FilePath) -> FilePath { FilePath(name.bytes + Array(TrashInfo.suffix.utf8)) }

    /// A name that is free now, and that is not given out again before `releaseReservations`.
    func reserveName(for name: ArraySlice<UInt8>) -> FilePath {
        let base = FilePath(name)
        var number = numbers[base] ?? 1
        while true {
            let candidate = TrashName.make(name, number: number, limit: nameLimit)
            if !reserved.contains(candidate), isFree(candidate) {
                if number > 1 { numbers[base] = number + 1 }
                reserved.insert(candidate)
                return candidate
            }
            number += 1
        }
    }

    private func isFree(_ name: FilePath) -> Bool {
        !Self.exists(Self.infoName(of: name), in: info) && !Self.exists(name, in: files)
    }

    private static func exists(_ name: FilePath, in folder: borrowing FileDescriptor) -> Bool {
        do {
            _ = try folder.status(of: name)
            return true
        } catch { return error.code != ENOENT }
    }

    func releaseReservations() { reserved.removeAll(keepingCapacity: true) }

    /// Writes the `.trashinfo` of `name` (O_EXCL, 0600), which takes the name. Throws EEXIST where it is taken; leaves
    /// nothing behind when it fails.
    func writeInfo(_ name: FilePath, _ content: TrashInfo) throws(POSIXError) {
        let infoName = Self.infoName(of: name)
        let file = try info.open(infoName, [.write, .create, .exclusive, .noFollow], permissions: 0o600)
        do { try file.write(content.text(in: site)) } catch {
            discardInfo(name)
            throw error
        }
    }

    /// Removes the `.trashinfo` of `name`.
    func discardInfo(_ name: FilePath) { try? removeInfo(of: name) }

    /// As above, for callers that tell when it cannot be done. One that is not there needs no removing.
    func removeInfo(of name: FilePath) throws(POSIXError) {
        do throws(POSIXError) { try FileSystem.remove(Self.infoName(of: name), in: info) } catch {
            if !error.isMissing { throw error }
        }
    }

    /// The `.trashinfo` of `name`; nil where there is none that can be read. A pipe or a link does not count.
    func info(of name: FilePath) -> TrashInfo? {
        guard let file = try? info.openForReading(Self.infoName(of: name)), (try? file.status())?.kind == .regular,
            let content = try? file.readToEnd(limit: TrashInfo.sizeLimit)
        else { return nil }
        return TrashInfo(content, in: site)
    }
}

/// The trashes of a run; each is opened once, and created if it is missing.
struct OpenTrashes {
    private var open: [TrashSite: Trash] = [:]

    mutating func trash(_ site: TrashSite) throws(POSIXError) -> Trash {
        if let trash = open[site] { return trash }
        let trash = try Trash(site, creating: true)
        open[site] = trash
        return trash
    }

    func releaseReservations() { for trash in open.values { trash.releaseReservations() } }
}

/// The name of a file in a trash: its own where that is free, otherwise with a number before the extension.
enum TrashName {
    /// - Parameter number: 1 for the name itself, 2 and up for the next ones.
    /// - Parameter limit: bytes that the filesystem allows for the name in `files`; the `.trashinfo` beside it needs
    ///   ten more, so a long name is cut, between two characters of UTF-8, and keeps its extension.
    static func make(_ name: ArraySlice<UInt8>, number: Int, limit: Int) -> FilePath {
        var stem = name
        var tail: [UInt8] = []
        // A leading dot starts no extension, and a long one is not an extension.
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, name.endIndex - dot <= 17 {
            stem = name[..<dot]
            tail = Array(name[dot...])
        }
        if number > 1 { tail = Array(".\(number)".utf8) + tail }
        let room = max(1, limit - tail.count)
        if stem.count > room {
            var end = stem.startIndex + room
            while end > stem.startIndex + 1, stem[end] & 0xC0 == 0x80 { end -= 1 }
            stem = stem[..<end]
        }
        return FilePath(Array(stem) + tail)
    }
}

internal import Glibc

/// An open trash folder. `files` contains what was deleted, `info` a `.trashinfo` for each file. Nothing in it is ever
/// replaced.
final class Trash {
    let site: TrashSite
    let files: FileDescriptor
    let info: FileDescriptor
    /// The maximum length of a name in `files`, in bytes, that leaves room for the suffix of its `.trashinfo`.
    private let nameLimit: Int
    /// Names that are reserved but not on the disk yet.
    private var reserved: Set<FilePath> = []
    /// For a name that was taken, the next number to try.
    private var numbers: [FilePath: Int] = [:]

    /// Opens the trash. With `creating`, creates what is missing, for its owner alone (0700). Throws ELOOP or ENOTDIR
    /// if there is a link where the specification requires a folder, EPERM for a folder of another user.
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

    /// Returns a name that is free, and reserves it until `releaseReservations`.
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

    /// Writes the `.trashinfo` of `name` (O_EXCL, 0600), which claims the name. Throws EEXIST if it is taken. Leaves
    /// nothing behind on failure.
    func writeInfo(_ name: FilePath, _ content: TrashInfo) throws(POSIXError) {
        let infoName = Self.infoName(of: name)
        let file = try info.open(infoName, [.write, .create, .exclusive, .noFollow], permissions: 0o600)
        do { try file.write(content.text(in: site)) } catch {
            discardInfo(name)
            throw error
        }
    }

    /// Removes the `.trashinfo` of `name`; ignores errors.
    func discardInfo(_ name: FilePath) { try? removeInfo(of: name) }

    /// Same, but throws, for callers that report a failure. A missing file is not an error.
    func removeInfo(of name: FilePath) throws(POSIXError) {
        do throws(POSIXError) { try FileSystem.remove(Self.infoName(of: name), in: info) } catch {
            if !error.isMissing { throw error }
        }
    }

    /// The `.trashinfo` of `name`; nil if there is none that can be read, or if it is not a regular file.
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

/// The name of a file in a trash: its own if that is free, otherwise with a number before the extension.
enum TrashName {
    /// - Parameter number: 1 for the name itself, 2 and up for numbered names.
    /// - Parameter limit: the maximum length in `files`, in bytes. A longer name is cut between two UTF-8 characters
    ///   and keeps its extension.
    static func make(_ name: ArraySlice<UInt8>, number: Int, limit: Int) -> FilePath {
        var stem = name
        var tail: [UInt8] = []
        // A leading dot starts no extension; a long suffix is not an extension.
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

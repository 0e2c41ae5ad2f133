/// Walks folders, one after the other. Each is opened once, by whatever path it is met first; links are not followed, but
/// an operand that is a link to a folder is. What cannot be read is noted, and the rest goes on.
package struct LibraryScanner {
    /// Entries passed over so far.
    package private(set) var skipped: [IgnoreRule: Int] = [:]
    package private(set) var failures: [ScanFailure] = []
    /// Regular files met so far, whatever they hold.
    package private(set) var filesSeen = 0

    private let options: ScanOptions
    private let roots: LibraryRoots
    private var pending: [PendingFolder] = []
    private var entered: Set<FileID> = []
    private var excluded: Set<FileID> = []
    private var named = NamedFiles()

    private struct PendingFolder {
        let path: FilePath
        let isOperand: Bool
    }

    /// Throws where an operand does not exist, before anything is read.
    /// - Parameter roots: what operands lead to, noted before anything is read.
    package init(
        operands: [FilePath], options: ScanOptions, roots: LibraryRoots = LibraryRoots()
    ) throws(ScanError) {
        self.options = options
        self.roots = roots
        for folder in options.excludedFolders {
            if let status = try? FileStatus.of(folder, followLinks: true) { excluded.insert(status.id) }
        }
        for operand in operands { try add(operand) }
        pending.reverse()
    }

    private mutating func add(_ operand: FilePath) throws(ScanError) {
        let status: FileStatus
        do throws(POSIXError) {
            let own = try FileStatus.of(operand)
            status = own.kind == .symbolicLink ? try FileStatus.of(operand, followLinks: true) : own
            if own.kind == .symbolicLink, status.kind != .directory {
                skipped[.symbolicLink, default: 0] += 1
                fail(operand, "a symbolic link is not followed: name the file that it points to")
                return
            }
        } catch {
            if error.isMissing { throw .missing(operand) }
            fail(operand, error.reason)
            return
        }
        switch status.kind {
        case .directory:
            roots.add(operand)
            pending.append(PendingFolder(path: operand.withoutTrailingSlashes, isOperand: true))
        case .regular:
            roots.add(operand.withoutTrailingSlashes.directory)
            do throws(POSIXError) {
                let folder = try FileStatus.of(operand.directory, followLinks: true)
                named.add(operand, in: folder.id)
            } catch { fail(operand, error.reason) }
        case .symbolicLink, .other:
            skipped[.special, default: 0] += 1
            fail(operand, "neither a file nor a folder")
        }
    }

    private mutating func fail(_ path: FilePath, _ reason: String) {
        failures.append(ScanFailure(path: path, reason: reason))
    }

    /// The next folder that could be read; nil at the end. Folders come before the files that were named outright.
    package mutating func next() -> ScannedFolder? {
        while let folder = pending.popLast() {
            if let scanned = enter(folder) { return scanned }
        }
        while let group = named.next() {
            if let scanned = list(group) { return scanned }
        }
        return nil
    }

    private mutating func enter(_ folder: PendingFolder) -> ScannedFolder? {
        do throws(POSIXError) {
            // A folder that a link has replaced since it was met is not followed, nor one further up.
            let open = try roots.open(folder: folder.path)
            let id = try open.descriptor.status().id
            guard entered.insert(id).inserted else {
                skipped[.enteredBefore, default: 0] += 1
                return nil
            }
            if !folder.isOperand, excluded.contains(id) {
                skipped[.output, default: 0] += 1
                return nil
            }
            return try read(folder.path, open.descriptor, namedOutright: named.take(id))
        } catch {
            // Gone since its name was read: nothing is missing from the result then.
            if folder.isOperand || !error.isMissing { fail(folder.path, error.reason) }
            return nil
        }
    }

    private mutating func read(
        _ path: FilePath, _ descriptor: borrowing FileDescriptor, namedOutright: Set<[UInt8]>
    ) throws(POSIXError) -> ScannedFolder {
        var files: [ScannedFile] = []
        var folders: [FilePath] = []
        var unseen: [[UInt8]] = []
        var stream = try DirectoryStream(descriptor, path: path)
        do throws(POSIXError) {
            while let (name, kind) = try stream.next() {
                if !namedOutright.contains(name), let rule = rule(for: name) {
                    skipped[rule, default: 0] += 1
                    continue
                }
                switch kind {
                case .regular, .unknown: unseen.append(name)
                case .directory: folders.append(path.appending(name))
                case .symbolicLink: skipped[.symbolicLink, default: 0] += 1
                case .other: skipped[.special, default: 0] += 1
                }
            }
        } catch { fail(path, error.reason) }
        files.reserveCapacity(unseen.count)
        for (name, result) in zip(unseen, Self.statuses(of: unseen, in: descriptor)) {
            switch result {
            case .failure(let error): if !error.isMissing { fail(path.appending(name), error.reason) }
            case .success(let status):
                switch status.kind {
                case .regular: files.append(ScannedFile(name: name, identity: status.identity))
                case .directory: folders.append(path.appending(name))
                case .symbolicLink: skipped[.symbolicLink, default: 0] += 1
                case .other: skipped[.special, default: 0] += 1
                }
            }
        }
        filesSeen += files.count
        folders.sort(by: >)
        for folder in folders { pending.append(PendingFolder(path: folder, isOperand: false)) }
        return ScannedFolder(prefix: path.prefixForNames, files: files, requested: nil)
    }

    private struct Entry: Sendable {
        let kind: FileKind
        let identity: FileIdentity
    }

    /// `fstatat` of each name, on all cores where there are many: it is most of what a walk costs.
    private static func statuses(
        of names: [[UInt8]], in folder: borrowing FileDescriptor
    ) -> [Result<Entry, POSIXError>] {
        // Stays open until all threads are done.
        let descriptor = folder.rawValue
        return Workers.map(
            names, chunk: 256, worker: {},
            { _, name in
                Result { () throws(POSIXError) in
                    let status = try FileStatus.of(FilePath(name), in: descriptor)
                    return Entry(kind: status.kind, identity: status.identity)
                }
            })
    }

    /// The rule that hides an entry; placeholders of iCloud have hidden names and are shown all the same.
    private func rule(for name: [UInt8]) -> IgnoreRule? {
        guard let rule = IgnoreRule.rule(forName: name) else { return nil }
        if rule == .hidden, options.includeHidden || CloudStub.originalName(name) != nil { return nil }
        return rule
    }

    /// The names of a folder of which only some files were asked for: `fstatat` waits, since only what belongs
    /// to those files will be.
    private mutating func list(_ group: NamedFiles.Group) -> ScannedFolder? {
        filesSeen += group.names.count
        do throws(POSIXError) {
            var files = try FolderListing.names(
                of: group.folder, roots, keeping: group.names, includeHidden: options.includeHidden)
            // A filesystem that ignores case lists the file under another name than the one it was asked for.
            files.append(contentsOf: group.names.subtracting(files))
            return ScannedFolder(
                prefix: group.prefix, files: files.map { ScannedFile(name: $0, identity: nil) }, requested: group.names)
        } catch {
            fail(group.folder, error.reason)
            return ScannedFolder(
                prefix: group.prefix, files: group.names.map { ScannedFile(name: $0, identity: nil) },
                requested: group.names)
        }
    }
}

extension FilePath {
    /// What stands in front of the names in this folder.
    var prefixForNames: [UInt8] { self == .current ? [] : bytes.last == Self.slash ? bytes : bytes + [Self.slash] }
}

/// What a scan passes over besides what nobody wants to see.
package struct ScanOptions: Sendable {
    package var includeHidden: Bool
    /// Passed over where they are met below an operand, by whatever path.
    package var excludedFolders: [FilePath]

    package init(includeHidden: Bool = false, excludedFolders: [FilePath] = []) {
        self.includeHidden = includeHidden
        self.excludedFolders = excludedFolders
    }
}

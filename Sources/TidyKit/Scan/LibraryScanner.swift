/// Walks folders one after another. Each folder is opened once, by the first path that leads to it. Links are not
/// followed, except operands that are links to folders. Failures are recorded, and the walk continues.
package struct LibraryScanner {
    /// The number of entries skipped so far, by rule.
    package private(set) var skipped: [IgnoreRule: Int] = [:]
    package private(set) var failures: [ScanFailure] = []
    /// The number of regular files seen so far, whatever they contain.
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

    /// Throws before anything is read if an operand does not exist.
    /// - Parameter roots: the folders to which operands lead, recorded before anything is read.
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

    /// The next folder that could be read; nil at the end. Scanned folders come before those of files that were named
    /// individually.
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
            // If a link has replaced this folder or one above it since it was found, it is not followed.
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
            return try read(folder.path, open.descriptor, namedOutright: named.remove(id))
        } catch {
            // A folder that was removed after its name was read is not missing from the result.
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

    /// Calls `fstatat` for each name, on all cores if there are many: this is most of the cost of a walk.
    private static func statuses(
        of names: [[UInt8]], in folder: borrowing FileDescriptor
    ) -> [Result<Entry, POSIXError>] {
        // The descriptor stays open until all threads are done.
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

    /// The rule that hides an entry. iCloud placeholders have hidden names but are not hidden.
    private func rule(for name: [UInt8]) -> IgnoreRule? {
        guard let rule = IgnoreRule.rule(forName: name) else { return nil }
        if rule == .hidden, options.includeHidden || CloudStub.originalName(name) != nil { return nil }
        return rule
    }

    /// The names in a folder of which only some files were requested. `fstatat` is deferred, because only files that
    /// belong to those will need it.
    private mutating func list(_ group: NamedFiles.Group) -> ScannedFolder? {
        filesSeen += group.names.count
        do throws(POSIXError) {
            var files = try FolderListing.names(
                of: group.folder, roots, keeping: group.names, includeHidden: options.includeHidden)
            // On a filesystem that ignores case, the file may be listed under another name than the requested one.
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
    /// The path prefix of the names in this folder.
    var prefixForNames: [UInt8] { self == .current ? [] : bytes.last == Self.slash ? bytes : bytes + [Self.slash] }
}

/// What a scan skips in addition to the fixed rules.
package struct ScanOptions: Sendable {
    package var includeHidden: Bool
    /// Skipped when found below an operand, by any path.
    package var excludedFolders: [FilePath]

    package init(includeHidden: Bool = false, excludedFolders: [FilePath] = []) {
        self.includeHidden = includeHidden
        self.excludedFolders = excludedFolders
    }
}

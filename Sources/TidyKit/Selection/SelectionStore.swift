internal import Glibc

/// The selections of this user: one file each in `$XDG_STATE_HOME/phototidy/selections/`. Files are replaced atomically
/// while a lock is held, so concurrent writers lose nothing.
package struct SelectionStore: Sendable {
    private let folder: FilePath
    private static let suffix = ".selection"
    private static let sizeLimit = 1 << 30

    package init(_ environment: Environment) { folder = environment.state.appending("selections") }

    /// The file of a selection. The name is escaped, so it cannot lead out of the folder.
    private func path(of name: [UInt8]) throws(SelectionError) -> FilePath {
        var file: [UInt8] = []
        for byte in name {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): file.append(byte)
            default:
                file +=
                    Array("%".utf8) + Array((byte < 16 ? "0" : "").utf8)
                    + Array(String(byte, radix: 16, uppercase: true).utf8)
            }
        }
        file += Array(Self.suffix.utf8)
        guard file.count <= 240 else { throw .nameTooLong(name) }
        return folder.appending(file)
    }

    /// The names of the selections with photos or a limit, sorted by bytes.
    package func names() throws(SelectionError) -> [[UInt8]] {
        try all().filter { !$0.members.isEmpty || $0.limit > 0 }.map(\.name)
    }

    /// All selections, sorted by the bytes of their names. Throws if one cannot be read: a photo must not pass for one
    /// that nobody selected.
    package func all() throws(SelectionError) -> [Selection] {
        var paths: [FilePath] = []
        do throws(POSIXError) {
            let descriptor = try FileDescriptor.open(folder, [.read, .directory])
            var stream = try DirectoryStream(descriptor, path: folder)
            while let entry = try stream.next() {
                let isOne =
                    entry.name.count > Self.suffix.utf8.count
                    && entry.name.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
                if isOne { paths.append(folder.appending(entry.name)) }
            }
        } catch {
            if error.isMissing { return [] }
            throw .failed(error)
        }
        var selections: [Selection] = []
        for path in paths.sorted() {
            if let selection = try read(path) { selections.append(selection) }
        }
        return selections.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// The selection of that name; nil if there is none.
    package func selection(_ name: [UInt8]) throws(SelectionError) -> Selection? {
        try read(try path(of: name))
    }

    /// Nil if there is no such file. Throws `damaged` for a link or a pipe.
    private func read(_ path: FilePath) throws(SelectionError) -> Selection? {
        let content: [UInt8]
        do throws(POSIXError) { content = try FileSystem.stateContents(of: path, limit: Self.sizeLimit) } catch {
            if error.isMissing { return nil }
            if error.code == EINVAL || error.code == ELOOP { throw .damaged(name: Self.name(of: path), path) }
            throw .failed(error)
        }
        guard let selection = Selection(text: content) else { throw .damaged(name: Self.name(of: path), path) }
        return selection
    }

    /// The name of the selection in a file of this name.
    private static func name(of path: FilePath) -> [UInt8] {
        PercentEncoding.decode(path.lastComponent.dropLast(suffix.utf8.count))
    }

    /// Changes a selection under the lock; one that does not exist begins empty. Writes nothing if `body` throws or
    /// changes nothing.
    package func change(
        _ name: [UInt8], _ body: (inout Selection) throws(SelectionError) -> Void
    ) throws(SelectionError) {
        let path = try path(of: name)
        let lock = try lock()
        let old = try selection(name)
        var new = old ?? Selection(name: name)
        try body(&new)
        if new != old, old != nil || !new.members.isEmpty || new.limit != 0 { try write(new, to: path) }
        lock.release()
    }

    /// Changes all selections under one lock. `body` returns the indices of those that it changed; they are written
    /// after `prepare` has returned, so that a journal can be synced first.
    func changeAll(
        _ body: (inout [Selection]) -> Set<Int>, before prepare: () throws(SelectionError) -> Void = {}
    ) throws(SelectionError) {
        guard try stamp() != nil else { return }
        let lock = try lock()
        var selections = try all()
        let changed = body(&selections)
        if !changed.isEmpty { try prepare() }
        for index in changed.sorted() { try write(selections[index], to: path(of: selections[index].name)) }
        lock.release()
    }

    /// The identity of the folder, which changes with every change of a selection; nil if there is no folder.
    func stamp() throws(SelectionError) -> FileIdentity? {
        do throws(POSIXError) { return try FileStatus.of(folder).identity } catch {
            if error.isMissing { return nil }
            throw .failed(error)
        }
    }

    private func lock() throws(SelectionError) -> FileLock {
        do throws(POSIXError) {
            try FileSystem.createFolders(folder, permissions: 0o700)
            return try FileLock(folder.appending(".lock"))
        } catch { throw .failed(error) }
    }

    private func write(_ selection: Selection, to path: FilePath) throws(SelectionError) {
        // The file of an emptied selection is kept: it is not the same as one that never existed.
        do throws(POSIXError) {
            try AtomicFile.write(
                selection.text, to: path, replacing: true, attributes: AtomicFile.Attributes(permissions: 0o600))
        } catch { throw .failed(error) }
    }
}

/// A byte order mark or carriage return that another system added to a list. Names are bytes, so nothing is stripped.
/// But if a file exists only without the marks, such a system wrote the list.
package struct ForeignMarks: Equatable, Sendable {
    /// The path as it is in the list.
    package let path: FilePath
    package let hasByteOrderMark: Bool
    package let hasCarriageReturn: Bool

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first of `photos` that does not exist as written, but exists without the marks; nil if there is none.
    /// - Parameter isThere: true if a path exists; called only for names with marks.
    package static func first(
        in photos: [ListedPhoto], isThere: (FilePath) -> Bool = { (try? FileStatus.of($0)) != nil }
    ) -> ForeignMarks? {
        for (index, photo) in photos.enumerated() {
            var bytes = photo.path.bytes[...]
            let hasByteOrderMark = index == 0 && bytes.starts(with: byteOrderMark)
            if hasByteOrderMark { bytes = bytes.dropFirst(byteOrderMark.count) }
            let hasCarriageReturn = bytes.last == 0x0D
            if hasCarriageReturn { bytes = bytes.dropLast() }
            guard hasByteOrderMark || hasCarriageReturn, !bytes.isEmpty, !isThere(photo.path),
                isThere(FilePath(bytes))
            else { continue }
            return ForeignMarks(
                path: photo.path, hasByteOrderMark: hasByteOrderMark, hasCarriageReturn: hasCarriageReturn)
        }
        return nil
    }
}

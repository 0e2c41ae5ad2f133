internal import Glibc

/// The selections of this user: one file each in `$XDG_STATE_HOME/phototidy/selections/`, replaced atomically while a lock
/// is held, so that writers at the same time lose nothing.
package struct SelectionStore: Sendable {
    private let folder: FilePath
    private static let suffix = ".selection"
    private static let sizeLimit = 1 << 30

    package init(_ environment: Environment) { folder = environment.state.appending("selections") }

    /// The file of a selection: whatever the name holds, it stays in the folder.
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

    /// The names of the selections that hold photos or a limit, sorted by bytes.
    package func names() throws(SelectionError) -> [[UInt8]] {
        try all().filter { !$0.members.isEmpty || $0.limit > 0 }.map(\.name)
    }

    /// All selections, sorted by the bytes of their names. Throws for one that cannot be read: a photo must not be taken for
    /// one that nobody selected.
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

    /// Nil where there is none of that name.
    package func selection(_ name: [UInt8]) throws(SelectionError) -> Selection? {
        try read(try path(of: name))
    }

    /// Nil where there is no such file. A link or a pipe is not a selection of ours, wherever the state is stored.
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

    /// What the file of a selection is named after.
    private static func name(of path: FilePath) -> [UInt8] {
        PercentEncoding.decode(path.lastComponent.dropLast(suffix.utf8.count))
    }

    /// Changes a selection under the lock; one that is not there begins empty. Writes nothing where `body` throws or
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

    /// Changes all selections under one lock. `body` returns the indices of those that it changed; they are written after
    /// `prepare` has returned, so that a journal can be on the disk before.
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

    /// Changes with every change of a selection; nil where there is none.
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
        // One that was emptied stays: to its owner it is empty, and not one that never was.
        do throws(POSIXError) {
            try AtomicFile.write(
                selection.text, to: path, replacing: true, attributes: AtomicFile.Attributes(permissions: 0o600))
        } catch { throw .failed(error) }
    }
}

/// What other systems put around the lines of a list. Names are bytes, so nothing is stripped; but a name that is there only
/// without them was written by such a system.
package struct ForeignMarks: Equatable, Sendable {
    /// As the list has it.
    package let path: FilePath
    package let hasByteOrderMark: Bool
    package let hasCarriageReturn: Bool

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first of `photos` that does not exist as written but does without its marks; nil where there is none.
    /// - Parameter isThere: whether a path exists; called only for names that have marks.
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

internal import Glibc
internal import Synchronization

/// Pairs of photos of which the user has said that they are not alike: `$XDG_STATE_HOME/phototidy/not-alike`,
/// replaced atomically while a lock is held. A photo is known by its content, so that it may be moved, renamed or
/// copied.
package struct NotAlikeStore: Sendable {
    private let path: FilePath
    private static let sizeLimit = 1 << 28

    package init(_ environment: Environment) { path = environment.state.appending("not-alike") }

    /// The content of a photo.
    package struct Content: Hashable, Comparable, Sendable {
        /// Bytes of the file: only files of a size that occurs in a pair are hashed.
        let byteCount: Int64
        /// SHA-256, in hexadecimal digits.
        let hash: String

        package static func < (left: Content, right: Content) -> Bool {
            (left.byteCount, left.hash) < (right.byteCount, right.hash)
        }

        /// Reads the file to its end.
        package static func of(_ path: FilePath) throws(POSIXError) -> Content {
            let file = try FileDescriptor.openForReading(path)
            let status = try file.status()
            guard status.kind == .regular else { throw POSIXError(code: EINVAL, operation: "open", path: path) }
            let digits = try ContentHash.sha256(of: file).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return Content(byteCount: status.identity.bytes, hash: digits.joined())
        }
    }

    /// Two contents, the smaller one first.
    package struct Pair: Hashable, Sendable {
        let first: Content
        let second: Content

        package init(_ left: Content, _ right: Content) {
            first = min(left, right)
            second = max(left, right)
        }
    }

    // MARK: Reading

    /// Throws `.damaged` for a file that this program did not write: a pair must not be grouped because its line is
    /// lost.
    package func pairs() throws(SelectionError) -> Set<Pair> {
        let text: [UInt8]
        do throws(POSIXError) { text = try FileSystem.stateContents(of: path, limit: Self.sizeLimit) } catch {
            if error.isMissing { return [] }
            throw .failed(error)
        }
        var lines = text.split(separator: UInt8(ascii: "\n")).makeIterator()
        guard let first = lines.next(), var header = LineReader(first, seed: Self.seed), header.word() == "not-alike",
            let count = header.number(Int.self)
        else { throw .damaged(name: Self.seed, path) }
        var pairs: Set<Pair> = []
        while let line = lines.next() {
            guard var fields = LineReader(line, seed: Self.seed), fields.word() == "pair",
                let one = Self.content(&fields), let other = Self.content(&fields)
            else { throw .damaged(name: Self.seed, path) }
            pairs.insert(Pair(one, other))
        }
        guard pairs.count == count else { throw .damaged(name: Self.seed, path) }
        return pairs
    }

    /// Answers whether two photos are such a pair; nil if there is none, so that nothing need be asked. True
    /// too for a photo that cannot be read: it may be one of a pair, and two photos that are apart lose nothing.
    package func question() throws(SelectionError) -> (@Sendable (Photo, Photo) -> Bool)? {
        let pairs = try pairs()
        if pairs.isEmpty { return nil }
        let sizes = Set(pairs.flatMap { [$0.first.byteCount, $0.second.byteCount] })
        let known = KnownContents()
        return { left, right in
            guard sizes.contains(left.identity.bytes), sizes.contains(right.identity.bytes) else { return false }
            guard let one = known.content(of: left), let other = known.content(of: right) else { return true }
            return pairs.contains(Pair(one, other))
        }
    }

    /// Contents that were hashed already in this run.
    private final class KnownContents: Sendable {
        private let contents = Mutex<[FilePath: Content?]>([:])

        func content(of photo: Photo) -> Content? {
            if let known = contents.withLock({ $0[photo.path] }) { return known }
            let content = try? Content.of(photo.path)
            contents.withLock { $0[photo.path] = content }
            return content
        }
    }

    // MARK: Writing

    /// Remembers the pair, or forgets it. False if that changes nothing.
    package func set(_ pair: Pair, remembered: Bool) throws(SelectionError) -> Bool {
        let lock: FileLock
        do throws(POSIXError) {
            try FileSystem.createFolders(path.directory, permissions: 0o700)
            lock = try FileLock(path.directory.appending(".not-alike.lock"))
        } catch { throw .failed(error) }
        var pairs = try pairs()
        let changed = remembered ? pairs.insert(pair).inserted : pairs.remove(pair) != nil
        if changed { try write(pairs) }
        lock.release()
        return changed
    }

    private func write(_ pairs: Set<Pair>) throws(SelectionError) {
        var text: [UInt8] = []
        var header = LineWriter()
        header.word("not-alike")
        // A file that was cut must not pass for a smaller one.
        header.number(pairs.count)
        header.finish(into: &text, seed: Self.seed)
        for pair in pairs.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) }) {
            var line = LineWriter()
            line.word("pair")
            for content in [pair.first, pair.second] {
                line.number(content.byteCount)
                line.word(content.hash)
            }
            line.finish(into: &text, seed: Self.seed)
        }
        do throws(POSIXError) {
            try AtomicFile.write(
                text, to: path, replacing: true, attributes: AtomicFile.Attributes(permissions: 0o600))
        } catch { throw .failed(error) }
    }

    private static let seed = Array("not-alike".utf8)

    private static func content(_ fields: inout LineReader) -> Content? {
        guard let byteCount = fields.number(Int64.self), let hash = fields.word(), hash.utf8.count == 64 else {
            return nil
        }
        return Content(byteCount: byteCount, hash: hash)
    }
}

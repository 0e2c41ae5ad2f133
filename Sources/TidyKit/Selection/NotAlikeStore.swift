internal import Glibc
internal import Synchronization

/// Pairs of photos of which the user has said that they are not alike: `$XDG_STATE_HOME/phototidy/not-alike`,
/// replaced atomically while a lock is held. A photo is known by its content, so that it may be moved, renamed or
/// copied; and, where its picture can be told from its metadata, by the picture, so that it may be rated and tagged.
package struct NotAlikeStore: Sendable {
    private let path: FilePath
    private static let sizeLimit = 1 << 28

    package init(_ environment: Environment) { path = environment.state.appending("not-alike") }

    /// What a photo is known by.
    package struct Content: Hashable, Comparable, Sendable {
        /// Bytes of the file: only files of a size that occurs in a pair are hashed. 0 for the hash of a picture.
        let byteCount: Int64
        /// SHA-256, in hexadecimal digits.
        let hash: String

        package static func < (left: Content, right: Content) -> Bool {
            (left.byteCount, left.hash) < (right.byteCount, right.hash)
        }

        /// Everything by which the photo may be known, the one to remember first. Reads the file to its end.
        package static func all(of path: FilePath) throws(POSIXError) -> [Content] {
            let file = try FileDescriptor.openForReading(path)
            let status = try file.status()
            guard status.kind == .regular else { throw POSIXError(code: EINVAL, operation: "open", path: path) }
            let bytes = try ofBytes(file, status.identity.bytes)
            return [try ofPicture(ComparedFile(path: path, identity: status.identity)), bytes].compactMap(\.self)
        }

        fileprivate static func ofBytes(
            _ file: borrowing FileDescriptor, _ byteCount: Int64
        ) throws(POSIXError) -> Content {
            Content(byteCount: byteCount, hash: digits(try ContentHash.sha256(of: file)))
        }

        /// What `--duplicate=pixels` compares; nil if that is the whole file. The orientation, its last byte, is left
        /// out: the photo may be turned.
        fileprivate static func ofPicture(_ file: ComparedFile) throws(POSIXError) -> Content? {
            var reader = DigestReader()
            var digest = try reader.codedDigest(of: file)
            if digest == nil { digest = try reader.decodedDigest(of: file) }
            return digest.map { Content(byteCount: 0, hash: digits($0.dropLast())) }
        }

        private static func digits(_ bytes: some Sequence<UInt8>) -> String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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

    /// Throws `.damagedPairs` for a file that this program did not write: a pair must not be grouped because its line
    /// is lost.
    package func pairs() throws(SelectionError) -> Set<Pair> {
        let text: [UInt8]
        do throws(POSIXError) { text = try FileSystem.stateContents(of: path, limit: Self.sizeLimit) } catch {
            if error.isMissing { return [] }
            throw .failed(error)
        }
        var lines = text.split(separator: UInt8(ascii: "\n")).makeIterator()
        guard let first = lines.next(), var header = LineReader(first, seed: Self.seed), header.word() == "not-alike",
            let count = header.number(Int.self)
        else { throw .damagedPairs(path) }
        var pairs: Set<Pair> = []
        while let line = lines.next() {
            guard var fields = LineReader(line, seed: Self.seed), fields.word() == "pair",
                let one = Self.content(&fields), let other = Self.content(&fields)
            else { throw .damagedPairs(path) }
            pairs.insert(Pair(one, other))
        }
        guard pairs.count == count else { throw .damagedPairs(path) }
        return pairs
    }

    /// Answers whether two photos are such a pair; nil if there is none, so that nothing need be asked. True
    /// too for a photo that cannot be read: it may be one of a pair, and two photos that are apart lose nothing.
    package func question() throws(SelectionError) -> (@Sendable (Photo, Photo) -> Bool)? {
        let pairs = try pairs()
        if pairs.isEmpty { return nil }
        let known = KnownContents(pairs)
        return { left, right in
            let (ones, others) = (known.contents(of: left), known.contents(of: right))
            // What cannot be read may be the other one of a pair.
            guard let ones else { return others?.isEmpty != true }
            guard let others else { return !ones.isEmpty }
            return Self.pairs(ones, others).contains { pairs.contains($0) }
        }
    }

    private static func pairs(_ left: [Content], _ right: [Content]) -> [Pair] {
        left.flatMap { one in right.map { Pair(one, $0) } }
    }

    /// Contents that were hashed already in this run.
    private final class KnownContents: Sendable {
        private let wanted: Set<Content>
        private let sizes: Set<Int64>
        private let contents = Mutex<[FilePath: [Content]?]>([:])

        init(_ pairs: Set<Pair>) {
            wanted = Set(pairs.flatMap { [$0.first, $0.second] })
            sizes = Set(wanted.map(\.byteCount))
        }

        /// Those that occur in a pair; nil if the photo cannot be read.
        func contents(of photo: Photo) -> [Content]? {
            if let known = contents.withLock({ $0[photo.path] }) { return known }
            let found = try? read(ComparedFile(photo)).filter { wanted.contains($0) }
            contents.withLock { $0[photo.path] = .some(found) }
            return found
        }

        private func read(_ file: ComparedFile) throws(POSIXError) -> [Content] {
            var found: [Content] = []
            if sizes.contains(0), let picture = try Content.ofPicture(file) { found.append(picture) }
            if sizes.contains(file.identity.bytes) {
                found.append(try Content.ofBytes(try file.open().descriptor, file.identity.bytes))
            }
            return found
        }
    }

    // MARK: Writing

    /// Remembers that two photos are not alike, or forgets it. False if that changes nothing.
    /// - Parameters: the contents of the two, as `Content.all` has them.
    package func set(
        _ left: [Content], _ right: [Content], remembered: Bool
    ) throws(SelectionError) -> Bool {
        let lock: FileLock
        do throws(POSIXError) {
            try FileSystem.createFolders(path.directory, permissions: 0o700)
            lock = try FileLock(path.directory.appending(".not-alike.lock"))
        } catch { throw .failed(error) }
        var pairs = try pairs()
        let known = Self.pairs(left, right)
        let changed: Bool
        if remembered {
            changed = known.first.map { pairs.insert($0).inserted } ?? false
        } else {
            changed = !pairs.isDisjoint(with: known)
            pairs.subtract(known)
        }
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

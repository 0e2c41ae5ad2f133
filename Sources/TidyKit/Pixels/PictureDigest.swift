/// What a file shows, as SHA-256: pictures of the same digest are the same picture. Takes pieces as they come, so that
/// no second copy of the samples is held.
struct PictureDigest {
    private var hash = SHA256()

    init(_ format: MediaFormat) { add(format.rawValue.utf8.map { $0 }) }

    /// Preceded by its length, so that different sequences of pieces never have the same bytes.
    mutating func add(_ piece: UnsafeRawBufferPointer) {
        add(piece.count)
        hash.update(piece)
    }

    mutating func add(_ piece: [UInt8]) { piece.withUnsafeBytes { add($0) } }
    mutating func add(_ piece: ByteView) { add(piece.buffer) }

    /// Goes on with a piece, however it is divided. The caller adds the length of the whole.
    mutating func extend(_ part: UnsafeRawBufferPointer) { hash.update(part) }

    mutating func add(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { hash.update($0) }
    }

    /// The 32 bytes of the digest.
    mutating func finish() -> [UInt8] { hash.finish() }
}

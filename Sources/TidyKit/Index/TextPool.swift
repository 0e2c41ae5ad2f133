internal import Glibc

/// Texts that many photos share, such as the names of cameras: one copy in memory serves all of them.
struct TextPool {
    private var texts: [UInt64: String] = [:]

    /// So that texts which turn out to be different in every photo do not pile up.
    private static let capacity = 4096
    /// Shorter ones stand in the `String` itself and take no memory of their own.
    private static let inlineLength = 15

    mutating func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.count > Self.inlineLength else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var hash = Checksum(seed: 0)
        hash.add(bytes)
        if var known = texts[hash.value], known.withUTF8({ Self.areEqual($0, bytes) }) { return known }
        let text = String(decoding: bytes, as: UTF8.self)
        if texts.count < Self.capacity { texts[hash.value] = text }
        return text
    }

    private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeRawBufferPointer) -> Bool {
        guard let text = left.baseAddress, let bytes = right.baseAddress else { return false }
        return left.count == right.count && memcmp(text, bytes, left.count) == 0
    }
}

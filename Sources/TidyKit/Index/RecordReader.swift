internal import Glibc

/// Reads the parts of an index row. Missing data read as zero or empty, and set `isGood` to false.
struct RecordReader {
    private let bytes: ByteView
    private var offset: Int
    private(set) var isGood = true

    init(bytes: ByteView, offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The number of bytes left.
    var rest: Int { bytes.count - offset }

    mutating func number() -> Int {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = bytes[offset] else { break }
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)) }
        }
        isGood = false
        return 0
    }

    mutating func byte() -> UInt8 {
        guard let byte = bytes[offset] else {
            isGood = false
            return 0
        }
        offset += 1
        return byte
    }

    mutating func double() -> Double {
        guard let bits = bytes.u64(offset, .little) else {
            isGood = false
            return 0
        }
        offset += 8
        return Double(bitPattern: bits)
    }

    mutating func text() -> String {
        piece().map { String(decoding: $0.buffer, as: UTF8.self) } ?? ""
    }

    /// For texts that many photos have in common.
    mutating func text(_ pool: inout TextPool) -> String { piece().map { pool.text($0.buffer) } ?? "" }

    private mutating func piece() -> ByteView? {
        let length = number()
        guard let piece = bytes.slice(offset, length) else {
            isGood = false
            return nil
        }
        offset += length
        return piece
    }
}

/// Writes the parts of an index row.
struct RecordWriter {
    var bytes: [UInt8]

    mutating func fixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A zigzag varint, short for small numbers of either sign.
    mutating func number(_ value: Int) {
        var rest = UInt64(bitPattern: Int64(value)) << 1 ^ UInt64(bitPattern: Int64(value) >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func text(_ text: String) {
        number(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}

/// Texts that many photos have in common, such as the names of cameras: all of them share one copy in memory.
struct TextPool {
    private var texts: [UInt64: String] = [:]

    /// A limit, so that texts that differ in every photo do not accumulate.
    private static let capacity = 4096
    /// Shorter texts are stored in the `String` itself and need no memory of their own.
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

/// Reads the parts of an index row. What is not there reads as nothing, and `isGood` is false from then on.
struct RecordReader {
    private let bytes: ByteView
    private var offset: Int
    private(set) var isGood = true

    init(bytes: ByteView, offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Bytes that are left.
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

    /// For texts that many photos share.
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

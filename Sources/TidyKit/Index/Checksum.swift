/// A check value of 64 bits against damage, not against malice: each word is mixed in by an xor, a multiplication with an
/// odd number and a shift, all of which can be undone, so that no change of a single word goes unnoticed.
struct Checksum {
    private(set) var value: UInt64

    init(seed: UInt64) { value = seed }

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 32
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        add(rest)
        add(UInt64(bytes.count))
    }
}

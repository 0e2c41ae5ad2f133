/// FNV-1a of 64 bits (Fowler, Noll, Vo): the check value at the end of lines that journals, plans and the memory of compress
/// keep, and short names for long ones. Its values are stored: it stays what it is. Against accidents, not against malice;
/// for `--verify hash`, see `SHA256`.
struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }
}

/// A check value of 64 bits for rows of the index, of which a list reads a hundred thousand: eight bytes a step, where `FNV1a`
/// takes one. Each word is mixed in by an xor, a multiplication with an odd number and a shift, all of which can be undone,
/// so that no change of a single word goes unnoticed. Against accidents, not against malice.
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

/// FNV-1a of 64 bits (Fowler, Noll, Vo): the checksum at the end of lines in journals, plans and the records of
/// compress, and short names for long ones. Its values are stored, so the algorithm must not change. It detects
/// accidents, not attacks; `--verify hash` uses `SHA256`.
struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }
}

/// A 64-bit checksum for rows of the index. `list` reads a hundred thousand of them, so it consumes eight bytes a
/// step instead of the one of `FNV1a`. Each word is mixed in by an xor, a multiplication by an odd number and a shift.
/// All three are invertible, so every change of a single word is detected. It detects accidents, not attacks.
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

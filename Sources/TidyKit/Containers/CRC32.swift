/// The checksum of PNG chunks (PNG specification, annex D).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func sum(_ bytes: ByteView) -> UInt32 {
        let table = Self.table
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes.buffer { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
        return ~sum
    }
}

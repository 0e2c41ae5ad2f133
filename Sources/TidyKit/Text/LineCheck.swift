/// A check value for one line of a file that people may look into: tells a torn or edited line from a whole one. It
/// guards against accidents, not against somebody who computes it anew.
public enum LineCheck {
    /// FNV-1a with 64 bits (Fowler, Noll, Vo) over `seed`, a zero byte and `line`, as 16 hexadecimal digits.
    public static func value(of line: some Collection<UInt8>, seed: some Collection<UInt8>) -> [UInt8] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in seed { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = hash &* 0x100_0000_01B3
        for byte in line { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<16).map { digits[Int(hash >> (60 - 4 * UInt64($0)) & 15)] }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

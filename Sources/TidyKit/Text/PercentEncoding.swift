/// RFC 2396, section 2, applied to raw bytes, so that names with newlines or invalid UTF-8 survive unchanged.
package enum PercentEncoding {
    /// Keeps letters, digits, `/` and the marks `-_.!~*'()`; every other byte becomes `%XX`.
    package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if isPlain[Int(byte)] {
                text.append(byte)
            } else {
                text.append(UInt8(ascii: "%"))
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            }
        }
        return text
    }

    /// A `%` that is not followed by two hexadecimal digits is kept as it is, as other programs do.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = digit(text[index + 1]),
                let low = digit(text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static let isPlain: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-_.!~*'()".utf8 {
            table[Int(byte)] = true
        }
        return table
    }()

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

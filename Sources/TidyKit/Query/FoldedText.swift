/// The Unicode scalars of a name in lower case, for comparison without regard to case. There is no normalisation, so
/// NFC and NFD forms stay different. A byte that is not UTF-8 becomes a value beyond Unicode, which equals only itself.
struct FoldedText: Sendable, Equatable {
    let scalars: [UInt32]

    init(_ bytes: some Collection<UInt8>) {
        var scalars: [UInt32] = []
        scalars.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            if byte < 0x80 {
                scalars.append(UInt32(byte.asciiLowercased))
                rest = rest.dropFirst()
            } else if let (scalar, length) = Self.decode(rest) {
                for part in scalar.properties.lowercaseMapping.unicodeScalars { scalars.append(part.value) }
                rest = rest.dropFirst(length)
            } else {
                scalars.append(0x110000 + UInt32(byte))
                rest = rest.dropFirst()
            }
        }
        self.scalars = scalars
    }

    init(_ text: String) { self.init(text.utf8) }

    func contains(_ part: FoldedText) -> Bool {
        let (whole, part) = (scalars, part.scalars)
        guard let first = part.first else { return true }
        guard whole.count >= part.count else { return false }
        for start in 0...(whole.count - part.count) where whole[start] == first {
            if whole[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }

    /// The scalar at the start of `bytes`, if it is well-formed UTF-8 (Unicode 15, table 3-7).
    private static func decode(_ bytes: some Collection<UInt8>) -> (Unicode.Scalar, length: Int)? {
        guard let lead = bytes.first else { return nil }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0
        guard length > 0, lead <= 0xF4, bytes.count >= length else { return nil }
        var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for byte in bytes.dropFirst().prefix(length - 1) {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let smallest: UInt32 = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }
}

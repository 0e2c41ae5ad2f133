/// A place as ISO 6709 writes it: `+48.1374+011.5755+520.000/`.
enum ISO6709 {
    static func coordinate(_ text: ByteView) -> Coordinate? {
        var at = 0
        guard let latitude = number(text, &at, degreeDigits: 2), let longitude = number(text, &at, degreeDigits: 3)
        else { return nil }
        return .recorded(latitude: latitude, longitude: longitude)
    }

    /// Degrees; or degrees and minutes, or degrees, minutes and seconds, told by how many digits stand before the
    /// point.
    private static func number(_ text: ByteView, _ at: inout Int, degreeDigits: Int) -> Double? {
        guard let sign = text[at], sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var end = at + 1
        while let byte = text[end], (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") { end += 1 }
        guard let digits = text.slice(at + 1, end - at - 1), digits.count <= 32,
            let value = Double(String(decoding: digits.buffer, as: UTF8.self))
        else { return nil }
        at = end
        let whole = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.count
        var degrees = value
        if whole == degreeDigits + 2 {
            let units = (value / 100).rounded(.down)
            degrees = units + (value - units * 100) / 60
        } else if whole == degreeDigits + 4 {
            let units = (value / 10000).rounded(.down)
            let minutes = ((value - units * 10000) / 100).rounded(.down)
            degrees = units + minutes / 60 + (value - units * 10000 - minutes * 100) / 3600
        }
        return sign == UInt8(ascii: "-") ? -degrees : degrees
    }
}

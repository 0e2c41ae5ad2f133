/// Changes to an XMP packet that keep its claims true when the pixels were made anew. The packet is edited as text: it
/// is kept because it may hold what no list of ours knows.
enum XMPEdit {
    /// Orientation 1, the new dimensions, and no word of gain maps, motion photos or thumbnails that are gone.
    static func updated(_ packet: [UInt8], width: Int, height: Int) -> [UInt8] {
        var text = packet
        for (name, value) in [
            ("dc:format", "image/jpeg"), ("tiff:Orientation", "1"), ("tiff:ImageWidth", "\(width)"),
            ("tiff:ImageLength", "\(height)"),
            ("exif:PixelXDimension", "\(width)"), ("exif:PixelYDimension", "\(height)"),
            ("GCamera:MotionPhoto", "0"), ("GCamera:MicroVideo", "0"), ("Camera:MotionPhoto", "0"),
        ] {
            text = replacing(value, of: name, in: text)
        }
        for prefix in ["hdrgm:", "HDRGainMap:", "apdi:"] { text = removingAttributes(prefix, in: text) }
        for element in ["xmp:Thumbnails", "Container:Directory", "GContainer:Directory"] {
            text = removingElement(element, in: text)
        }
        return text
    }

    /// The value of every attribute `name="…"` and element `<name>…</name>`.
    private static func replacing(_ value: String, of name: String, in text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = text[...]
        while let range = rest.firstRange(of: name.utf8) {
            out += rest[..<range.upperBound]
            rest = rest[range.upperBound...]
            guard let opener = rest.first else { break }
            let isElement = opener == UInt8(ascii: ">")
            guard isElement || opener == UInt8(ascii: "=") else { continue }
            let quoted = isElement ? rest.startIndex : rest.startIndex + 1
            guard quoted < rest.endIndex else { break }
            let closer = isElement ? UInt8(ascii: "<") : rest[quoted]
            guard let end = rest[(quoted + 1)...].firstIndex(of: closer) else { break }
            out += rest[...quoted] + Array(value.utf8)
            rest = rest[end...]
        }
        return out + rest
    }

    private static func removingAttributes(_ prefix: String, in text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = text[...]
        while let range = rest.firstRange(of: [0x20] + Array(prefix.utf8))
            ?? rest.firstRange(of: [0x0A] + Array(prefix.utf8))
        {
            guard
                let equals = rest[range.upperBound...].firstIndex(where: {
                    $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">")
                }),
                rest[equals] == UInt8(ascii: "="), equals + 1 < rest.endIndex,
                let end = rest[(equals + 2)...].firstIndex(of: rest[equals + 1])
            else {
                out += rest[..<range.upperBound]
                rest = rest[range.upperBound...]
                continue
            }
            out += rest[..<range.lowerBound]
            rest = rest[(end + 1)...]
        }
        return out + rest
    }

    private static func removingElement(_ name: String, in text: [UInt8]) -> [UInt8] {
        guard let start = text.firstRange(of: Array("<\(name)".utf8)),
            let end = text[start.upperBound...].firstRange(of: Array("</\(name)>".utf8))
        else { return text }
        return Array(text[..<start.lowerBound] + text[end.upperBound...])
    }
}

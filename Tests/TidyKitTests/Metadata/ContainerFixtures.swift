import Support

/// An EXIF block as every container but JPEG has it: from the TIFF header on.
func tiffBlock(_ fill: (inout ExifFixture) -> Void) -> [UInt8] {
    var exif = ExifFixture()
    fill(&exif)
    return Array(exif.block().dropFirst(6))
}

/// A HEIF file of boxes that say what a picture is, and no picture (ISO 23008-12).
struct HEIFFixture {
    var brand = "heic"
    var compatible = ["mif1", "heic"]
    var width: UInt32 = 400
    var height: UInt32 = 300
    /// Properties behind `ispe`, in their order: `irot`, `imir`, `clap`.
    var transforms: [[UInt8]] = []
    var exif: [UInt8]?
    var xmp: [UInt8]?
    /// EXIF lies in `idat` instead of the file.
    var isInline = false

    static func irot(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }
    static func imir(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }
    static func clap(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        box("clap", [width, 1, height, 1, 0, 1, 0, 1].flatMap { bigEndian($0) })
    }

    var bytes: [UInt8] {
        // Built twice, because the items come after `meta`, whose length does not depend on their offsets.
        build(from: build(from: 0).headLength).bytes
    }

    private func build(from start: Int) -> (bytes: [UInt8], headLength: Int) {
        let full: [UInt8] = [0, 0, 0, 0]
        func infe(_ identifier: UInt16, _ type: String, _ rest: [UInt8]) -> [UInt8] {
            box("infe", [2, 0, 0, 0] + bigEndian(identifier) + [0, 0] + Array(type.utf8) + rest)
        }
        var entries = [infe(1, "hvc1", [0])]
        var locations: [[UInt8]] = []
        var data: [UInt8] = []
        func locate(_ identifier: UInt16, _ content: [UInt8], inline: Bool) {
            let offset = UInt32(inline ? 0 : start + data.count)
            locations.append(
                bigEndian(identifier) + bigEndian(UInt16(inline ? 1 : 0)) + [0, 0] + bigEndian(UInt16(1))
                    + bigEndian(offset) + bigEndian(UInt32(content.count)))
            if !inline { data += content }
        }
        var inlineData: [UInt8] = []
        if let exif {
            let item = bigEndian(UInt32(6)) + Array("Exif\0\0".utf8) + exif
            entries.append(infe(2, "Exif", [0]))
            locate(2, item, inline: isInline)
            if isInline { inlineData = item }
        }
        if let xmp {
            entries.append(infe(3, "mime", [0] + Array("application/rdf+xml\0".utf8)))
            locate(3, xmp, inline: false)
        }
        let properties = [box("ispe", full + bigEndian(width) + bigEndian(height))] + transforms
        let associations =
            full + bigEndian(UInt32(1)) + bigEndian(UInt16(1)) + [UInt8(properties.count)]
            + (1...properties.count).map { 0x80 | UInt8($0) }
        let meta = box(
            "meta",
            full + box("pitm", full + bigEndian(UInt16(1)))
                + box("iinf", full + bigEndian(UInt16(entries.count)) + entries.flatMap { $0 })
                + box("iloc", [1, 0, 0, 0, 0x44, 0] + bigEndian(UInt16(locations.count)) + locations.flatMap { $0 })
                + box("iprp", box("ipco", properties.flatMap { $0 }) + box("ipma", associations))
                + box("idat", inlineData))
        let head =
            box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + compatible.flatMap { Array($0.utf8) }) + meta
        return (head + box("mdat", data), head.count + 8)
    }
}

/// A PNG file of chunks; nobody looks at their checksums.
func pngFixture(width: UInt32 = 30, height: UInt32 = 20, _ chunks: [(String, [UInt8])]) -> [UInt8] {
    func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        bigEndian(UInt32(body.count)) + Array(type.utf8) + body + [0, 0, 0, 0]
    }
    let header = chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
    return [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + header + chunk("IDAT", [1, 2, 3])
        + chunks.flatMap { chunk($0.0, $0.1) } + chunk("IEND", [])
}

func webPFixture(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    var content = Array("WEBP".utf8)
    for (name, body) in chunks {
        content += Array(name.utf8) + littleEndian(UInt32(body.count)) + body
        if body.count % 2 == 1 { content.append(0) }
    }
    return Array("RIFF".utf8) + littleEndian(UInt32(content.count)) + content
}

/// A TIFF file in Intel order: directories of entries with values of four bytes, or longer values after them.
struct TIFFFixture {
    typealias Entry = (tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])

    var magic: [UInt8] = [0x2A, 0]
    var primary: [Entry]
    /// The directories that SubIFDs (0x014A) of the first points to.
    var children: [[Entry]] = []

    static func long(_ tag: UInt16, _ value: UInt32) -> Entry { (tag, 4, 1, littleEndian(value)) }
    static func text(_ tag: UInt16, _ text: String) -> Entry {
        (tag, 2, UInt32(text.utf8.count + 1), Array(text.utf8) + [0])
    }

    var bytes: [UInt8] {
        var file = Array("II".utf8) + magic + littleEndian(UInt32(8))
        var childOffsets = [UInt32](repeating: 0, count: children.count)
        let length = { (entries: [Entry]) in
            2 + entries.count * 12 + 4 + entries.reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
        }
        var first = primary
        if !children.isEmpty {
            first.append((0x014A, 4, UInt32(children.count), childOffsets.flatMap { littleEndian($0) }))
        }
        var next = 8 + length(first)
        for index in children.indices {
            childOffsets[index] = UInt32(next)
            next += length(children[index])
        }
        if !children.isEmpty { first[first.count - 1].value = childOffsets.flatMap { littleEndian($0) } }
        for entries in [first] + children {
            var rest: [UInt8] = []
            let end = file.count + 2 + entries.count * 12 + 4
            file += littleEndian(UInt16(entries.count))
            for entry in entries {
                file += littleEndian(entry.tag) + littleEndian(entry.type) + littleEndian(entry.count)
                if entry.value.count > 4 {
                    file += littleEndian(UInt32(end + rest.count))
                    rest += entry.value
                } else {
                    file += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                }
            }
            file += [0, 0, 0, 0] + rest
        }
        return file
    }
}

/// A movie: `moov` with what a test wants in it.
struct MovieFixture {
    var brand = "qt  "
    var created: UInt32 = 0
    var seconds = 2.5
    /// 16.16 matrix, a b c d of `tkhd`.
    var matrix: (Int32, Int32, Int32, Int32) = (1, 0, 0, 1)
    var width: UInt32 = 1920
    var height: UInt32 = 1080
    var keys: [(String, String)] = []
    var userData: [UInt8] = []

    var bytes: [UInt8] {
        let full: [UInt8] = [0, 0, 0, 0]
        let mvhd = box(
            "mvhd",
            full + bigEndian(created) + bigEndian(created) + bigEndian(UInt32(600))
                + bigEndian(UInt32(seconds * 600)) + [UInt8](repeating: 0, count: 80))
        let one = Int32(0x10000)
        let numbers: [Int32] = [
            matrix.0 * one, matrix.1 * one, 0, matrix.2 * one, matrix.3 * one, 0, 0, 0, 0x4000_0000,
        ]
        func track(_ width: UInt32, _ height: UInt32) -> [UInt8] {
            box(
                "trak",
                box(
                    "tkhd",
                    full + [UInt8](repeating: 0, count: 36) + numbers.flatMap { bigEndian($0) }
                        + bigEndian(width << 16) + bigEndian(height << 16)))
        }
        let names = keys.flatMap { box("mdta", Array($0.0.utf8)) }
        let items = keys.enumerated().flatMap { index, key in
            bigEndian(UInt32(24 + key.1.utf8.count)) + bigEndian(UInt32(index + 1))
                + box("data", bigEndian(UInt32(1)) + full + Array(key.1.utf8))
        }
        let meta =
            keys.isEmpty
            ? [] : box("meta", box("keys", full + bigEndian(UInt32(keys.count)) + names) + box("ilst", items))
        return box("ftyp", Array(brand.utf8) + full) + box("mdat", [UInt8](repeating: 7, count: 5000))
            + box("moov", mvhd + track(0, 0) + track(width, height) + meta + box("udta", userData))
    }
}

/// RAW files that hold previews as cameras write them, and no raw picture.
package enum RawFixture {
    /// Bytes that begin like a JPEG and are none.
    package static let broken: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1] + [UInt8](repeating: 7, count: 600)

    /// DNG: a preview as JPEGInterchangeFormat of the first directory, another as the one strip of a subdirectory.
    package static func dng(_ first: [UInt8], _ second: [UInt8], width: Int = 640, height: Int = 480) -> [UInt8] {
        // DNGVersion, the directories at 8 and at 100, the data from 200 on.
        var main: [(tag: Int, type: Int, value: Int)] = [
            (0x100, 4, width), (0x101, 4, height), (0x14A, 4, 120), (0x201, 4, 200), (0x202, 4, first.count),
            (0xC612, 1, 0x401),
        ]
        main.sort { $0.tag < $1.tag }
        let preview = [(0x103, 3, 7), (0x111, 4, 200 + first.count), (0x117, 4, second.count)]
        var bytes = Array("II".utf8) + le16(42) + le32(8) + directory(main)
        bytes += [UInt8](repeating: 0, count: 120 - bytes.count) + directory(preview)
        bytes += [UInt8](repeating: 0, count: 200 - bytes.count)
        return bytes + first + second
    }

    private static func directory(_ entries: [(tag: Int, type: Int, value: Int)]) -> [UInt8] {
        entries.reduce(le16(entries.count)) { bytes, entry in
            bytes + le16(entry.tag) + le16(entry.type) + le32(entry.type == 1 ? 4 : 1) + le32(entry.value)
        } + le32(0)
    }

    /// RAF: one preview, with its place in the header.
    package static func raf(_ preview: [UInt8], offset: Int = 160) -> [UInt8] {
        var bytes = Array("FUJIFILMCCD-RAW 0201FF389501".utf8)
        bytes += [UInt8](repeating: 0, count: 84 - bytes.count) + be32(offset) + be32(preview.count)
        return bytes + [UInt8](repeating: 0, count: 160 - bytes.count) + preview + [UInt8](repeating: 0, count: 64)
    }

    /// CR3: `THMB` in the box of `moov`, `PRVW` in one of its own.
    package static func cr3(_ small: [UInt8], _ large: [UInt8]) -> [UInt8] {
        let maker: [UInt8] = [
            0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
        ]
        let preview: [UInt8] = [
            0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
        ]
        let thumbnail = box("THMB", [UInt8](repeating: 0, count: 16) + small)
        let picture = box("PRVW", [UInt8](repeating: 0, count: 16) + large)
        return box("ftyp", Array("crx ".utf8) + be32(1) + Array("crx isom".utf8))
            + box("moov", box("uuid", maker + thumbnail)) + box("uuid", preview + be32(0) + be32(1) + picture)
            + box("mdat", [UInt8](repeating: 0, count: 64))
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        be32(content.count + 8) + Array(type.utf8) + content
    }

    private static func be32(_ value: Int) -> [UInt8] { le32(value).reversed() }
}

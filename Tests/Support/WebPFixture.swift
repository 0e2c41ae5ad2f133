internal import CWebP

/// A WebP encoded by libwebp, in a container written by hand (WebP container specification).
package struct WebPFixture: Sendable {
    package enum Coding: Sendable {
        case lossy(quality: Float)
        case lossless
    }

    private let width: Int
    private let height: Int
    /// The chunks that make the picture.
    private let picture: [UInt8]
    private let hasAlpha: Bool
    private var extra: [(type: String, data: [UInt8])] = []
    private var isAnimation = false

    /// - Parameter rgba: 4 bytes a pixel.
    package init(width: Int, height: Int, rgba: [UInt8], _ coding: Coding) {
        self.width = width
        self.height = height
        hasAlpha = stride(from: 3, to: rgba.count, by: 4).contains { rgba[$0] != 255 }
        var output: UnsafeMutablePointer<UInt8>?
        let (w, h, stride) = (Int32(width), Int32(height), Int32(4 * width))
        let count =
            switch coding {
            case .lossy(let quality): WebPEncodeRGBA(rgba, w, h, stride, quality, &output)
            case .lossless: WebPEncodeLosslessRGBA(rgba, w, h, stride, &output)
            }
        let file = Array(UnsafeBufferPointer(start: output, count: count))
        WebPFree(output)
        // Behind RIFF, size and WEBP; a picture with alpha brings a VP8X of its own.
        var chunks = file.dropFirst(12)
        if chunks.starts(with: "VP8X".utf8) { chunks = chunks.dropFirst(18) }
        picture = Array(chunks)
    }

    package init(_ picture: DrawnPicture, _ coding: Coding = .lossy(quality: 90)) {
        var rgba = [UInt8](repeating: 255, count: picture.width * picture.height * 4)
        for index in 0..<picture.width * picture.height {
            for channel in 0..<3 { rgba[4 * index + channel] = picture.rgb[3 * index + channel] }
        }
        self.init(width: picture.width, height: picture.height, rgba: rgba, coding)
    }

    /// With a chunk `ICCP`, `EXIF` or `XMP `.
    package func with(_ type: String, _ data: [UInt8]) -> WebPFixture {
        var copy = self
        copy.extra.append((type, data))
        return copy
    }

    /// Two frames of the picture, the first of them as large as the canvas.
    package var animated: WebPFixture {
        var copy = self
        copy.isAnimation = true
        return copy
    }

    package var bytes: [UInt8] {
        var flags: UInt8 = hasAlpha ? 0x10 : 0
        for (type, _) in extra { flags |= type == "ICCP" ? 0x20 : type == "EXIF" ? 0x08 : 0x04 }
        if isAnimation { flags |= 0x02 }
        let size = Self.little(width - 1, 3) + Self.little(height - 1, 3)
        var body = Self.chunk("VP8X", [flags, 0, 0, 0] + size)
        for (type, data) in extra where type == "ICCP" { body += Self.chunk(type, data) }
        if isAnimation {
            body += Self.chunk("ANIM", [0, 0, 0, 0, 0, 0])
            let frame = Self.little(0, 6) + size + Self.little(100, 3) + [0]
            for _ in 0..<2 { body += Self.chunk("ANMF", frame + picture) }
        } else {
            body += picture
        }
        for (type, data) in extra where type != "ICCP" { body += Self.chunk(type, data) }
        return Array("RIFF".utf8) + Self.little(body.count + 4, 4) + Array("WEBP".utf8) + body
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// All frames of a GIF, to compare two files by what they show.
extension GIFDecoder {
    /// The most pixels that all frames may have together.
    private static let maximumPixels = 1 << 28

    /// Adds size, frames, their times and all extensions but comments and XMP. False for damaged files.
    static func samples(
        _ file: ByteView, _ options: DecodingOptions, _ digest: inout PictureDigest
    ) throws(PictureError) -> Bool {
        guard let width = file.int16(6, .little), let height = file.int16(8, .little), let flags = file[10] else {
            return false
        }
        try options.checkSize(width, height)
        digest.add(width)
        digest.add(height)
        var at = 13
        var palette = ByteView.empty
        if flags & 0x80 != 0 {
            palette = file.from(at).prefix(3 << (Int(flags & 7) + 1))
            at += 3 << (Int(flags & 7) + 1)
        }
        var control: [UInt8] = []
        var pixels = 0
        while let block = file[at], !Interrupt.isRequested {
            switch block {
            case 0x3B: return pixels > 0
            case 0x21:
                guard let label = file[at + 1], let (data, end) = blocks(at + 2, in: file) else { return false }
                at = end
                switch label {
                case 0xFE: continue
                case 0xFF where data.starts(with: "XMP DataXMP".utf8): continue
                case 0xF9: control = data
                default: digest.add([label] + data)
                }
            case 0x2C:
                guard let columns = file.int16(at + 5, .little), let rows = file.int16(at + 7, .little) else {
                    return false
                }
                pixels += columns * rows
                guard pixels <= maximumPixels, let end = frame(at + 1, in: file, palette, control, &digest) else {
                    return false
                }
                at = end
                control = []
            default: return false
            }
        }
        return false
    }

    /// The data of blocks up to the empty one, and where they end; nil if that is missing.
    private static func blocks(_ start: Int, in file: ByteView) -> (data: [UInt8], end: Int)? {
        var at = start
        var data: [UInt8] = []
        while let length = file[at] {
            if length == 0 { return (data, at + 1) }
            guard let block = file.slice(at + 1, Int(length)) else { return nil }
            data.append(contentsOf: block.buffer)
            at += Int(length) + 1
        }
        return nil
    }

    /// Adds one frame as red, green, blue and alpha, row by row. Nil if it is damaged.
    private static func frame(
        _ start: Int, in file: ByteView, _ common: ByteView, _ control: [UInt8], _ digest: inout PictureDigest
    ) -> Int? {
        guard let columns = file.int16(start + 4, .little), let rows = file.int16(start + 6, .little),
            let flags = file[start + 8], columns > 0, rows > 0
        else { return nil }
        var (at, palette) = (start + 9, common)
        if flags & 0x80 != 0 {
            palette = file.from(at).prefix(3 << (Int(flags & 7) + 1))
            at += 3 << (Int(flags & 7) + 1)
        }
        guard let size = file[at], (2...11).contains(size), let (data, end) = blocks(at + 1, in: file) else {
            return nil
        }
        let indices = LZW(data, leastBits: Int(size)).decoded(most: columns * rows)
        guard indices.count == columns * rows else { return nil }
        // Place and size; how long it is shown, and what becomes of it then.
        digest.add(file.slice(start, 8) ?? .empty)
        digest.add([(control.first ?? 0) & 0x1E] + control.dropFirst().prefix(2))
        let transparent = (control.first ?? 0) & 1 == 1 && control.count > 3 ? Int(control[3]) : nil
        var row = [UInt8](repeating: 0, count: 4 * columns)
        for y in 0..<rows {
            let line = columns * (flags & 0x40 != 0 ? Self.line(y, rows) : y)
            for x in 0..<columns {
                let index = Int(indices[line + x])
                for part in 0..<4 { row[4 * x + part] = 0 }
                guard index != transparent else { continue }
                guard let red = palette[3 * index], let green = palette[3 * index + 1],
                    let blue = palette[3 * index + 2]
                else { return nil }
                (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (red, green, blue, 255)
            }
            digest.add(row)
        }
        return end
    }
}

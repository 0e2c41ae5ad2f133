/// Fujifilm RAF: EXIF stands in the JPEG inside, the size of the picture in a directory of tags with lengths.
enum FujiRaw {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 100)
        guard let jpeg = header.int32(84), let directory = header.int32(92) else { return }
        try JPEGMetadata.readMetadata(&parts, at: Int64(jpeg), into: &findings)
        guard let count = try parts.window.view(at: Int64(directory), 4).int32(0), count < 256 else { return }
        var at = Int64(directory) + 4
        for _ in 0..<count {
            let entry = try parts.window.view(at: at, 8)
            guard let tag = entry.int16(0), let length = entry.int16(2) else { return }
            // RawImageCroppedSize, else RawImageFullSize: height, then width.
            if tag == 0x111 || tag == 0x100 && findings.width == nil {
                findings.height = entry.int16(4).flatMap { $0 > 0 ? $0 : nil }
                findings.width = entry.int16(6).flatMap { $0 > 0 ? $0 : nil }
            }
            at += 4 + Int64(length)
        }
    }
}

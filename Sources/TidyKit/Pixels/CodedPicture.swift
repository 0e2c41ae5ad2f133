/// The part of a file that makes its picture, without its metadata: what `--duplicate=pixels` compares. The orientation
/// is not in it.
enum CodedPicture {
    /// Formats whose picture can be told from the metadata. Of all others, the whole file counts.
    static let formats: Set<MediaFormat> = [.jpeg, .png, .heic, .avif, .webp]

    /// Nil for other formats, and for files that are damaged.
    static func bytes(of file: [UInt8], _ format: MediaFormat) -> [UInt8]? {
        switch format {
        case .jpeg: jpeg(file)
        case .png: file.withView { try? PNGDecoder.samples($0) }
        case .heic, .avif: file.withView { heif($0) }
        case .webp: file.withView { webp($0) }
        default: nil
        }
    }

    /// Tables, frame, scans and profile. Adobe's marker decides on the colour space, and what stands behind the picture
    /// (a gain map, the video of a motion photo) is not lost with a copy.
    private static func jpeg(_ file: [UInt8]) -> [UInt8]? {
        guard let segments = JPEGFile(file), segments.hasEnd,
            segments.segments.contains(where: { $0.marker == JPEGFile.startOfScan })
        else { return nil }
        var picture: [UInt8] = []
        picture.reserveCapacity(file.count)
        for segment in segments.segments {
            let content = segment.content(in: file)
            if content == nil || content == .adobe { picture += file[segment.range] }
        }
        picture += segments.profile(in: file) ?? []
        return picture + file[segments.end...]
    }

    /// All items but EXIF and XMP, with their properties.
    private static func heif(_ file: ByteView) -> [UInt8]? {
        let directories = Array(ISOBoxes(file).lazy.filter { $0.type == ISOBox.code("meta") }.map(\.content).prefix(2))
        guard directories.count == 1 else { return nil }
        let items = HEIFItemTable(directories[0].from(4), fileBytes: file.count)
        return items.fitsFile ? items.pictures(in: file) : nil
    }

    /// All chunks but EXIF and XMP (WebP container specification).
    private static func webp(_ file: ByteView) -> [UInt8]? {
        guard file.starts(with: "RIFF"), file.starts(with: "WEBP", at: 8) else { return nil }
        var source = MemorySource(bytes: file)
        var walker = RIFFWalker(from: 12, to: Int64(file.count))
        var picture: [UInt8] = []
        while let chunk = walker.next(in: &source) {
            guard !chunk.isCut, let payload = file.slice(Int(chunk.start), chunk.length) else { return nil }
            if chunk.type == ISOBox.code("EXIF") || chunk.type == ISOBox.code("XMP ") { continue }
            // Of a still picture, VP8X repeats what its other chunks say, and a file without metadata has none.
            if chunk.type == ISOBox.code("VP8X"), (payload[0] ?? 0) & 0x02 == 0 { continue }
            withUnsafeBytes(of: chunk.type) { picture += $0 }
            var bytes = Array(payload.buffer)
            // Its flags say whether there is EXIF (8) and XMP (4).
            if chunk.type == ISOBox.code("VP8X"), !bytes.isEmpty { bytes[0] &= ~0x0C }
            picture += bytes
        }
        return picture.isEmpty ? nil : picture
    }
}

/// The part of a file that makes its picture, without its metadata: what `--duplicate=pixels` compares first. The
/// orientation is not in it.
enum CodedPicture {
    /// Formats whose pictures are compared under other metadata. Of all others (RAW photos, videos, JPEG XL, bitmaps,
    /// which have no metadata), the whole file counts.
    static let formats: Set<MediaFormat> = [.jpeg, .png, .heic, .avif, .webp, .gif, .tiff]

    /// SHA-256 of the coded picture. Nil for formats of which only the samples count, and for files that are damaged.
    static func digest(of file: [UInt8], _ format: MediaFormat) -> [UInt8]? {
        var digest = PictureDigest(format)
        let isWhole =
            switch format {
            case .jpeg: jpeg(file, &digest)
            case .heic, .avif: file.withView { heif($0, &digest) }
            case .webp: file.withView { webp($0, &digest) }
            default: false
            }
        return isWhole ? digest.finish() : nil
    }

    /// Tables, frame, scans and profile. Adobe's marker decides the colour space. What follows the picture (a gain map,
    /// the video of a motion photo) counts too, so that it is not lost with a copy.
    private static func jpeg(_ file: [UInt8], _ digest: inout PictureDigest) -> Bool {
        guard let segments = JPEGFile(file), segments.hasEnd,
            segments.segments.contains(where: { $0.marker == JPEGFile.startOfScan })
        else { return false }
        for segment in segments.segments {
            let content = segment.content(in: file)
            if content == nil || content == .adobe { file[segment.range].withUnsafeBytes { digest.add($0) } }
        }
        digest.add(segments.profile(in: file) ?? [])
        file[segments.end...].withUnsafeBytes { digest.add($0) }
        return true
    }

    /// All items but EXIF, XMP and thumbnails, with their properties.
    private static func heif(_ file: ByteView, _ digest: inout PictureDigest) -> Bool {
        let directories = Array(ISOBoxes(file).lazy.filter { $0.type == ISOBox.code("meta") }.map(\.content).prefix(2))
        guard directories.count == 1 else { return false }
        let items = HEIFItemTable(directories[0].from(4), fileBytes: file.count)
        guard items.fitsFile else { return false }
        // A clip or a sequence beside the picture counts too, so that it is not lost with a copy.
        for box in ISOBoxes(file) where [ISOBox.code("moov"), ISOBox.code("mpvd")].contains(box.type) {
            digest.add(box.content)
        }
        return items.visitPictures(in: file) { digest.add($0) }
    }

    /// All chunks but EXIF and XMP (WebP container specification).
    private static func webp(_ file: ByteView, _ digest: inout PictureDigest) -> Bool {
        guard file.starts(with: "RIFF"), file.starts(with: "WEBP", at: 8) else { return false }
        var source = MemorySource(bytes: file)
        var walker = RIFFWalker(from: 12, to: Int64(file.count))
        var hasPicture = false
        while let chunk = walker.next(in: &source) {
            guard !chunk.isCut, let payload = file.slice(Int(chunk.start), chunk.length) else { return false }
            if chunk.type == ISOBox.code("EXIF") || chunk.type == ISOBox.code("XMP ") { continue }
            // Of a still picture, VP8X repeats what its other chunks say, and a file without metadata has none.
            if chunk.type == ISOBox.code("VP8X"), (payload[0] ?? 0) & 0x02 == 0 { continue }
            digest.add(Int(chunk.type))
            // Its flags say whether there is EXIF (8) and XMP (4).
            if chunk.type == ISOBox.code("VP8X"), let flags = payload[0] {
                digest.add(Int(flags & ~0x0C))
                digest.add(payload.from(1))
            } else {
                digest.add(payload)
            }
            hasPicture = true
        }
        return hasPicture
    }
}

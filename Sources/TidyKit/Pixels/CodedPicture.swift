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

    /// Tables, frame, scans and profile. Adobe's marker decides the colour space. What else the file holds (a gain map,
    /// a thermal image, the video of a motion photo) counts too, so that it is not lost with a copy: all but plain
    /// metadata.
    private static func jpeg(_ file: [UInt8], _ digest: inout PictureDigest) -> Bool {
        guard let segments = JPEGFile(file), segments.hasEnd,
            segments.segments.contains(where: { $0.marker == JPEGFile.startOfScan })
        else { return false }
        let pieces = segments.profilePieces(in: file)
        let profile = Set(pieces.map(\.range))
        func add(_ range: Range<Int>) { file[range].withUnsafeBytes { digest.add($0) } }
        // Between segments only fill bytes are of no use.
        func addGap(_ range: Range<Int>) { if file[range].contains(where: { $0 != 0xFF }) { add(range) } }
        var at = 2
        for segment in segments.segments {
            addGap(at..<segment.range.lowerBound)
            at = segment.range.upperBound
            switch segment.content(in: file) {
            case nil, .adobe, .other, .extendedXMP: add(segment.range)
            case .icc: if !profile.contains(segment.range) { add(segment.range) }
            case .jfif, .jfifExtension, .exif, .xmp, .multiPicture, .photoshop, .comment: continue
            }
        }
        addGap(at..<segments.end - 2)
        for path in PhotoshopResources(segments, in: file).paths { digest.add(path) }
        digest.add(pieces.reduce(into: []) { $0 += file[$1.payload.dropFirst(14)] })
        if pieces.isEmpty, segments.isInAdobeRGB(file) { digest.add(1) }
        add(segments.end..<file.count)
        return true
    }

    /// All items but EXIF, XMP and thumbnails, with their properties, and attached data.
    private static func heif(_ file: ByteView, _ digest: inout PictureDigest) -> Bool {
        let directories = Array(ISOBoxes(file).lazy.filter { $0.type == ISOBox.code("meta") }.map(\.content).prefix(2))
        guard directories.count == 1 else { return false }
        let items = HEIFItemTable(directories[0].from(4), fileBytes: file.count)
        guard items.fitsFile, items.visitPictures(in: file, { digest.add($0) }) else { return false }
        return AttachedData.add(from: file, .heic, to: &digest)
    }

    /// All chunks but EXIF and XMP (WebP container specification), and attached data.
    private static func webp(_ file: ByteView, _ digest: inout PictureDigest) -> Bool {
        guard file.starts(with: "RIFF"), file.starts(with: "WEBP", at: 8) else { return false }
        var source = MemorySource(bytes: file)
        var walker = RIFFWalker(from: 12, to: Int64(AttachedData.endOfRIFF(file)))
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
        return AttachedData.add(from: file, .webp, to: &digest) && hasPicture
    }
}

extension JPEGFile {
    /// True where EXIF says that the colours are those of Adobe RGB (DCF 2.0, section 4.2): readers that heed it show
    /// others than those of the same samples in sRGB.
    fileprivate func isInAdobeRGB(_ file: [UInt8]) -> Bool {
        guard let block = exifBlock(in: file).flatMap({ EXIFDirectories($0.bytes) }),
            let space = block.entry(0xA001, in: .exif).flatMap({ block.number($0) })
        else { return false }
        let index = block.entry(1, in: .interoperability)?.value
        return space == 2 || space == 0xFFFF && index?.starts(with: "R03".utf8) == true
    }
}

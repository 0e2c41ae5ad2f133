/// What a file holds beside its picture and plain metadata: data behind the end, chunks and boxes of other programs,
/// long texts. A copy without them is another file, because deleting the one that has them would lose them. Whatever is
/// not known to be plain metadata counts. `CodedPicture` does the same for JPEG.
enum AttachedData {
    /// Adds all of it, in the order of the file. False if a part of it cannot be found.
    static func add(from file: ByteView, _ format: MediaFormat, to digest: inout PictureDigest) -> Bool {
        switch format {
        case .png: png(file, &digest)
        case .webp: webp(file, &digest)
        case .gif: gif(file, &digest)
        case .heic, .avif: return heif(file, &digest)
        default: break
        }
        return true
    }

    // MARK: - PNG

    /// Chunks of the picture, hints about its samples and their packing, EXIF and times. `iDOT` is Apple's table of
    /// IDAT chunks.
    private static let plainChunks: Set<UInt32> = Set(
        [
            "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "hIST", "sPLT",
            "pHYs", "tIME", "eXIf", "iDOT",
        ].map { PNGChunk.code($0) })
    /// Of these, a decoder uses the first.
    private static let uniqueChunks: Set<UInt32> = Set(
        ["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP"].map { PNGChunk.code($0) })
    private static let texts: Set<UInt32> = Set(["tEXt", "zTXt", "iTXt"].map { PNGChunk.code($0) })
    /// Keywords under which programs store XMP, EXIF and IPTC.
    private static let metadataKeywords: Set<[UInt8]> = words([
        "XML:com.adobe.xmp", "Raw profile type exif", "Raw profile type APP1", "Raw profile type xmp",
        "Raw profile type iptc", "Raw profile type 8bim",
    ])
    /// The keywords of the PNG specification (third edition, section 11.3.3.2), those that ExifTool adds, and the times
    /// that ImageMagick writes.
    private static let plainKeywords: Set<[UInt8]> = words([
        "Title", "Author", "Description", "Copyright", "Creation Time", "Software", "Disclaimer", "Warning", "Source",
        "Comment", "Collection", "Artist", "Label", "Make", "Model", "TimeStamp", "URL", "date:create", "date:modify",
        "date:timestamp",
    ])
    /// A longer text may be a document.
    private static let longestText = 4096

    private static func words(_ words: [String]) -> Set<[UInt8]> { Set(words.map { Array($0.utf8) }) }

    private static func png(_ file: ByteView, _ digest: inout PictureDigest) {
        var source = MemorySource(bytes: file)
        var walker = PNGWalker()
        var seen: Set<UInt32> = []
        while let chunk = walker.next(in: &source) {
            let data = file.from(Int(clamping: chunk.start)).prefix(chunk.length)
            let isRepeated = uniqueChunks.contains(chunk.type) && !seen.insert(chunk.type).inserted
            if isRepeated || !plainChunks.contains(chunk.type) && !isPlainText(chunk.type, data) {
                digest.add(Int(chunk.type))
                digest.add(data)
            }
            if chunk.type == PNGChunk.code("IEND") { break }
        }
        addEnd(file.from(Int(clamping: walker.at)), to: &digest)
    }

    private static func isPlainText(_ type: UInt32, _ data: ByteView) -> Bool {
        guard texts.contains(type), let end = data.firstIndex(of: 0), end < 80 else { return false }
        let keyword = Array(data.prefix(end).buffer)
        return metadataKeywords.contains(keyword) || plainKeywords.contains(keyword) && data.count <= longestText
    }

    // MARK: - WebP

    /// Chunks of the picture and metadata (WebP container specification).
    private static let plainRIFFChunks: Set<UInt32> = Set(
        ["VP8X", "VP8 ", "VP8L", "ALPH", "ICCP", "ANIM", "ANMF", "EXIF", "XMP "].map { ISOBox.code($0) })
    private static let frame = ISOBox.code("ANMF")

    private static func webp(_ file: ByteView, _ digest: inout PictureDigest) {
        let end = endOfRIFF(file)
        var source = MemorySource(bytes: file)
        var walker = RIFFWalker(from: 12, to: Int64(end))
        var seen: Set<UInt32> = []
        while let chunk = walker.next(in: &source) {
            // A decoder uses the first of each type, and every frame.
            let isRepeated = chunk.type != frame && !seen.insert(chunk.type).inserted
            guard isRepeated || !plainRIFFChunks.contains(chunk.type) else { continue }
            digest.add(Int(chunk.type))
            digest.add(file.from(Int(chunk.start)).prefix(chunk.length))
        }
        addEnd(file.from(end), to: &digest)
    }

    /// Where the RIFF of a file says that it ends.
    static func endOfRIFF(_ file: ByteView) -> Int { min(file.count, 8 + (file.int32(4, .little) ?? 0)) }

    // MARK: - GIF

    /// What follows the trailer (GIF89a, section 27). All extensions but comments and XMP belong to the picture.
    private static func gif(_ file: ByteView, _ digest: inout PictureDigest) {
        func table(_ flags: UInt8?) -> Int { flags.map { $0 & 0x80 == 0 ? 0 : 3 << (Int($0 & 7) + 1) } ?? 0 }
        var at = 13 + table(file[10])
        while let block = file[at], block != 0x3B {
            switch block {
            case 0x21: at += 2
            // The place, the table, and the size of the codes.
            case 0x2C: at += 11 + table(file[at + 9])
            // A damaged file, which has no digest.
            default: return
            }
            while let length = file[at], length > 0 { at += 1 + Int(length) }
            at += 1
        }
        addEnd(file.from(at + 1), to: &digest)
    }

    private static func addEnd(_ rest: ByteView, to digest: inout PictureDigest) {
        if !rest.isEmpty { digest.add(rest) }
    }
}

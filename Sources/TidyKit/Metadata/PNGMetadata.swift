/// Reads the metadata of a PNG (PNG specification, third edition): `IHDR`, `eXIf` at any position, and the text chunks
/// in which editors store XMP and EXIF.
enum PNGMetadata {
    private static let maximumChunks = 100_000
    /// Lengths do not use the highest bit (section 5.3).
    private static let maximumChunkBytes = 0x7FFF_FFFF
    private static let maximumTextBytes = 1 << 20
    private static let tailLength: Int64 = 128 << 10

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var walker = PNGWalker()
        var pieces = 0
        for _ in 0..<maximumChunks {
            guard let chunk = try walker.next(in: &parts.window), chunk.length <= maximumChunkBytes else {
                findings.problems.append(Problem("the file ends before the end of the picture"))
                return
            }
            switch chunk.type {
            case PNGChunk.code("IHDR"):
                let header = try parts.window.view(at: chunk.start, 8)
                findings.width = header.int32(0).flatMap { $0 > 0 ? $0 : nil }
                findings.height = header.int32(4).flatMap { $0 > 0 ? $0 : nil }
            case PNGChunk.code("IEND"): return
            case PNGChunk.code("IDAT"):
                pieces += 1
                // Pictures with thousands of IDAT chunks are common; the end of the picture is then searched from the
                // end of the file.
                if pieces == 16, let last = try lastPiece(&parts.window, behind: chunk.offset) {
                    walker = PNGWalker(from: last)
                }
            case PNGChunk.code("eXIf"):
                parts.readTIFFBlock(try parts.window.view(at: chunk.start, chunk.length), into: &findings)
            case PNGChunk.code("tEXt"), PNGChunk.code("zTXt"), PNGChunk.code("iTXt"):
                if chunk.length <= maximumTextBytes { try readText(&parts, chunk, into: &findings) }
            default: break
            }
        }
    }

    /// The offset of an `IDAT` chunk near the end, from which a valid sequence of chunks leads to `IEND`. Because
    /// `IDAT` chunks are consecutive (section 5.6), every chunk after the picture comes after it.
    private static func lastPiece(_ window: inout FileWindow, behind start: Int64) throws(POSIXError) -> Int64? {
        let tailStart = max(start + 12, window.byteCount - tailLength)
        let tail = try window.view(at: tailStart, Int(tailLength))
        var at = 0
        var candidates = 0
        while candidates < 64, let found = tail.firstIndex(of: UInt8(ascii: "I"), from: at) {
            at = found + 1
            guard tail.starts(with: "IDAT", at: found) else { continue }
            candidates += 1
            var source = MemorySource(bytes: tail)
            var walker = PNGWalker(from: Int64(found - 4))
            for _ in 0..<1000 {
                guard let chunk = walker.next(in: &source) else { break }
                if chunk.type == PNGChunk.code("IEND") { return tailStart + Int64(found - 4) }
            }
        }
        return nil
    }

    private static func readText(
        _ parts: inout MetadataParts, _ chunk: PNGChunk, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        let data = try parts.window.view(at: chunk.start, chunk.length)
        guard let end = data.firstIndex(of: 0), end < 80 else { return }
        let keyword = data.prefix(end)
        guard let use = use(of: keyword) else { return }
        // Texts that only a writer needs are not inflated for a reader.
        if use.isForWriters, parts.blocks == nil { return }
        if case .iptcProfile = use, parts.blocks == nil, !findings.isOpenToIPTC(now: parts.now) { return }
        var text = data.from(end + 1)
        var isCompressed = chunk.type == PNGChunk.code("zTXt")
        if isCompressed { text = text.from(1) }
        if chunk.type == PNGChunk.code("iTXt") {
            isCompressed = text[0] == 1
            // The flag, the method, the language and the translated keyword.
            text = text.from(2)
            for _ in 0..<2 { text = text.from((text.firstIndex(of: 0) ?? text.count) + 1) }
        }
        guard isCompressed else { return read(text, as: use, &parts, into: &findings) }
        guard let inflated = Inflate.zlib(text) else {
            findings.problems.append(Problem("a compressed text chunk is damaged"))
            return
        }
        inflated.withUnsafeBytes { read(ByteView($0), as: use, &parts, into: &findings) }
    }

    private enum Use {
        case xmp, exifProfile, xmpProfile, creationTime, iptcProfile
        case text(MetadataBlocks.Keyword)

        var isForWriters: Bool {
            switch self {
            case .text: true
            case .xmp, .exifProfile, .xmpProfile, .creationTime, .iptcProfile: false
            }
        }
    }

    private static func use(of keyword: ByteView) -> Use? {
        func isNamed(_ name: StaticString) -> Bool {
            keyword.count == name.utf8CodeUnitCount && keyword.starts(with: name)
        }
        if isNamed("XML:com.adobe.xmp") { return .xmp }
        if isNamed("Raw profile type exif") || isNamed("Raw profile type APP1") { return .exifProfile }
        if isNamed("Raw profile type xmp") { return .xmpProfile }
        if isNamed("Raw profile type iptc") || isNamed("Raw profile type 8bim") { return .iptcProfile }
        if isNamed("Author") { return .text(.author) }
        if isNamed("Copyright") { return .text(.copyright) }
        if isNamed("Description") { return .text(.description) }
        if isNamed("Comment") { return .text(.comment) }
        return isNamed("Creation Time") ? .creationTime : nil
    }

    private static func read(
        _ text: ByteView, as use: Use, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) {
        switch use {
        case .xmp: parts.readXMP(text, into: &findings)
        case .creationTime:
            // XMP maps this keyword to xmp:CreateDate (XMP specification part 3, PNG).
            guard findings.creationTime == nil, let date = DateText(iso: text) ?? DateText(mail: text),
                date.isPlausible(now: parts.now)
            else { return }
            findings.creationTime = date.captureDate(.xmp)
        case .text(let keyword): parts.blocks?.add(text, as: keyword)
        case .iptcProfile:
            profile(text).withUnsafeBytes { bytes in
                let profile = ByteView(bytes)
                parts.blocks?.add(iptc: profile)
                let header = PhotoshopResource.header
                let start = profile.starts(with: header) ? header.utf8CodeUnitCount : 0
                parts.readIPTC(IPTCRecord.datasets(in: profile.from(start)), into: &findings)
            }
        case .exifProfile:
            profile(text).withUnsafeBytes { bytes in
                let profile = ByteView(bytes)
                // ImageMagick's APP1 profile can be XMP or EXIF.
                if profile.starts(with: "http://ns.adobe.com/xap/1.0/\0") {
                    parts.readXMP(profile.from(29), into: &findings)
                } else {
                    parts.readTIFFBlock(profile, into: &findings)
                }
            }
        case .xmpProfile:
            profile(text).withUnsafeBytes { bytes in
                let profile = ByteView(bytes)
                let header = profile.starts(with: "http://ns.adobe.com/xap/1.0/\0") ? 29 : 0
                parts.readXMP(profile.from(header), into: &findings)
            }
        }
    }

    /// ImageMagick's "raw profile": a name, a length and hexadecimal bytes, each on lines of their own.
    private static func profile(_ text: ByteView) -> [UInt8] {
        guard let name = text.firstIndex(of: 0x0A, from: 1), let start = text.firstIndex(of: 0x0A, from: name + 1)
        else { return [] }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.from(start).buffer {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x41...0x46, 0x61...0x66: digit = (character & 0xDF) - 0x37
            default: continue
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}

/// Reads the segments of a JPEG before the first scan (ITU-T T.81, annex B): EXIF, XMP, IPTC and the size.
struct JPEGMetadata {
    /// The largest total number of garbage and fill bytes between segments that are skipped.
    private static let maximumGarbage = 1 << 18
    /// Ten times more than any camera writes. The rest of a larger file is not read.
    private static let maximumSegments = 2000

    /// Photoshop writes those that tell it apart first.
    private static let resourcesHead = 2048

    private var extended = ExtendedXMP()
    private var extras = JPEGExtras()
    private var resources: [Piece] = []
    private var hasExif = false

    /// Any APP1 segment may hold EXIF or XMP: in the files of some phones, both come after other APP segments. Of
    /// several EXIF blocks, the first with a directory counts, as for libexif, exiv2 and browsers. A second block would
    /// give the picture a date or an orientation that they do not show.
    static func read(
        _ parts: inout MetadataParts, at start: Int64 = 0, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        var metadata = JPEGMetadata()
        defer { findings.extras = metadata.extras }
        try metadata.walk(&parts, from: start, into: &findings)
        let (packet, isBroken) = try metadata.extended.packet(&parts.window)
        if isBroken { findings.problems.append(Problem("the extended XMP packet is incomplete")) }
        packet?.withUnsafeBytes { bytes in
            metadata.extras.readXMP(ByteView(bytes))
            parts.readXMP(ByteView(bytes), into: &findings)
        }
        if !metadata.resources.isEmpty, findings.isOpenToIPTC(now: parts.now) {
            let joined = try join(metadata.resources, &parts.window)
            joined.withUnsafeBytes { parts.readIPTC(IPTCRecord.datasets(in: ByteView($0)), into: &findings) }
        }
    }

    /// The location of a segment's body in the file.
    private struct Piece {
        let offset: Int64
        let length: Int
    }

    /// The resources may contain thumbnails, so no more than this is read.
    private static let maximumResourceBytes = 1 << 20

    /// Joins Photoshop's resources, which may span several APP13 segments.
    private static func join(_ pieces: [Piece], _ window: inout FileWindow) throws(POSIXError) -> [UInt8] {
        var joined: [UInt8] = []
        for piece in pieces where joined.count + piece.length <= maximumResourceBytes {
            let body = try window.view(at: piece.offset, piece.length)
            if body.starts(with: PhotoshopResource.header) {
                joined += body.from(PhotoshopResource.header.utf8CodeUnitCount).buffer
            }
        }
        return joined
    }

    private mutating func walk(
        _ parts: inout MetadataParts, from start: Int64, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        var walker = JPEGWalker(from: start + 2, maximumPassedOver: Self.maximumGarbage)
        var segments = 0
        while segments < Self.maximumSegments {
            let marker: JPEGMarker
            switch try walker.next(in: &parts.window) {
            case .marker(let found): marker = found
            case .end:
                findings.problems.append(Problem("the file ends before the picture begins"))
                return
            case .tooMuchGarbage:
                findings.problems.append(Self.noPicture(behind: segments))
                return
            }
            if marker.code == JPEGMarker.endOfImage { return }
            guard let length = marker.length, length >= 2 else {
                walker.reject(marker)
                continue
            }
            if marker.code == JPEGMarker.startOfScan { return }
            segments += 1
            try read(marker, &parts, into: &findings)
        }
        findings.problems.append(Self.noPicture(behind: segments))
    }

    private static func noPicture(behind segments: Int) -> Problem {
        Problem("no picture behind the first \(segments) segments")
    }

    private mutating func read(
        _ marker: JPEGMarker, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        switch marker.code {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard findings.width == nil else { return }
            let frame = try parts.window.view(at: marker.start, 6)
            findings.height = frame.int16(1).flatMap { $0 == 0 ? nil : $0 }
            findings.width = frame.int16(3).flatMap { $0 == 0 ? nil : $0 }
        case JPEGFile.app1: try readAPP1(&parts, at: marker.start, marker.payloadLength, into: &findings)
        case JPEGFile.app2:
            extras.readAPP2(try parts.window.view(at: marker.start, min(marker.payloadLength, 256)))
        case JPEGFile.app13:
            resources.append(Piece(offset: marker.start, length: marker.payloadLength))
            let head = try parts.window.view(at: marker.start, min(marker.payloadLength, Self.resourcesHead))
            if PhotoshopResourceWalker.isOfPhotoshop(head) { findings.exif.shot.isEdited = true }
        default: break
        }
    }

    /// Reads EXIF and XMP of a JPEG that is embedded in another file; its size is not that of the photo.
    static func readMetadata(
        _ parts: inout MetadataParts, at start: Int64, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        let size = (findings.width, findings.height)
        let head = try parts.window.view(at: start, 3)
        if head[0] == 0xFF, head[1] == 0xD8, head[2] == 0xFF { try read(&parts, at: start, into: &findings) }
        (findings.width, findings.height) = size
    }

    private mutating func readAPP1(
        _ parts: inout MetadataParts, at offset: Int64, _ length: Int, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        let head = try parts.window.view(at: offset, min(length, ExtendedXMP.headLength))
        if let skip = EXIFSegment.exifStart(head) {
            if hasExif { return }
            let start = offset + Int64(skip)
            // Only a block that fills its segment can continue in the next one.
            if length > EXIFSegment.maximumInOneSegment,
                let block = try Self.splitBlock(&parts.window, at: start, length - skip)
            {
                hasExif = block.withUnsafeBytes { Self.holdsDirectory(ByteView($0)) }
                return parts.readExif(block, into: &findings)
            }
            hasExif = Self.holdsDirectory(try parts.window.view(at: start, length - skip))
            return try parts.readExif(at: start, length - skip, into: &findings)
        }
        if ExtendedXMP.isPiece(head) { return extended.add(head, at: offset, length) }
        let body = try parts.window.view(at: offset, length)
        // The standard header, a damaged one, or none.
        guard head.starts(with: "http") || head.starts(with: "XMP\0") || body.contains("<?xpacket"),
            let start = body.firstIndex(of: UInt8(ascii: "<"))
        else { return }
        extras.readXMP(body)
        extended.readAnnouncement(in: body)
        parts.readXMP(body.from(start), into: &findings)
    }

    /// True for an EXIF block whose TIFF header leads to a directory.
    private static func holdsDirectory(_ block: ByteView) -> Bool {
        var source = MemorySource(bytes: block.from(6))
        guard let header = TIFFHeader(source.bytes), header.number == TIFFHeader.tiff else { return false }
        return TIFFDirectory.read(from: &source, at: header.first, header.coding) != nil
    }

    /// Joins the EXIF block that begins at `start` with its continuation in the next APP1 segments. Each piece begins
    /// with `Exif\0\0`, but only the first has a TIFF header. Nil if the block does not continue.
    private static func splitBlock(
        _ window: inout FileWindow, at start: Int64, _ length: Int
    ) throws(POSIXError) -> [UInt8]? {
        var block: [UInt8] = []
        var next = start + Int64(length)
        while block.count < FileWindow.maximumPiece {
            let head = try window.view(at: next, 14)
            guard EXIFSegment.continuesExif(head), let size = head.int16(2) else { break }
            if block.isEmpty { block = Array(try window.view(at: start, length).buffer) }
            block += try window.view(at: next + 10, size - 8).buffer
            next += 2 + Int64(size)
        }
        return block.isEmpty ? nil : block
    }
}

/// QuickTime, MP4 and 3GP: the `moov` box (QuickTime File Format; ISO 14496-12, section 8).
enum QuickTimeMovie {
    private static let maximumBoxes = 2000
    private static let maximumBoxBytes = 1 << 20

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var found = false
        var boxes = ISOBoxWalker(to: parts.window.byteCount, most: maximumBoxes)
        while let box = try boxes.next(in: &parts.window) {
            switch box.type {
            case ISOBox.code("moov"):
                found = true
                try readMovie(box, &parts, into: &findings)
            case ISOBox.code("uuid"): try readUUID(box, &parts, into: &findings)
            default: break
            }
        }
        if !found { findings.problems.append(Problem("no movie header: the file is cut short or damaged")) }
    }

    private static func readMovie(
        _ movie: ISOBox, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        var boxes = ISOBoxWalker(from: movie.start, to: movie.end, most: maximumBoxes)
        while let box = try boxes.next(in: &parts.window) {
            switch box.type {
            case ISOBox.code("mvhd"): readHeader(try content(box, &parts), now: parts.now, into: &findings)
            case ISOBox.code("trak"): try readTrack(box, &parts, into: &findings)
            case ISOBox.code("meta"):
                QuickTimeKeys(try content(box, &parts)).read(into: &findings, now: parts.now)
            case ISOBox.code("udta"):
                QuickTimeKeys.readUserData(try content(box, &parts), into: &findings, now: parts.now)
                if let packet = ISOBoxes.first("XMP_", in: try content(box, &parts)) {
                    parts.readXMP(packet, into: &findings)
                }
            case ISOBox.code("uuid"): try readUUID(box, &parts, into: &findings)
            default: break
            }
        }
    }

    private static func content(_ box: ISOBox, _ parts: inout MetadataParts) throws(POSIXError) -> ByteView {
        try parts.window.view(at: box.start, min(box.length, maximumBoxBytes))
    }

    /// `mvhd`: times count from 1904 in UTC (ISO 14496-12, section 8.2.2).
    private static func readHeader(_ box: ByteView, now: WallClock, into findings: inout MetadataFindings) {
        let isLong = box[0] == 1
        guard let created = isLong ? box.int64(4) : box.int32(4), let scale = box.int32(isLong ? 20 : 12),
            let duration = isLong ? box.int64(24) : box.int32(16)
        else { return }
        // All ones mean that the duration is unknown.
        if scale > 0, duration != (isLong ? Int.max : 0xFFFF_FFFF) {
            findings.duration = Double(duration) / Double(scale)
        }
        let epoch = 2_082_844_800
        // Some writers count from 1970; nothing can have been recorded between 1904 and then.
        let seconds = created >= epoch ? created - epoch : created
        let wall = WallClock(seconds: Int64(min(seconds, 1 << 40)))
        // A clock that was never set shows one of the two epochs.
        guard seconds > 0, (1826...now.date.year + 1).contains(wall.date.year) else { return }
        findings.movieDate = CaptureDate(wall: wall, offsetMinutes: 0, source: .quickTime)
    }

    /// The first track with a size is the picture.
    private static func readTrack(
        _ track: ISOBox, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        guard findings.width == nil else { return }
        var boxes = ISOBoxWalker(from: track.start, to: track.end, most: maximumBoxes)
        while let box = try boxes.next(in: &parts.window) {
            if box.type == ISOBox.code("tkhd") {
                return readTrackHeader(try content(box, &parts), into: &findings)
            }
        }
    }

    /// `tkhd`: sizes as 16.16, and the matrix that turns the picture (ISO 14496-12, section 8.3.2).
    private static func readTrackHeader(_ box: ByteView, into findings: inout MetadataFindings) {
        let matrix = box[0] == 1 ? 52 : 40
        guard let width = box.int32(matrix + 36), let height = box.int32(matrix + 40), width >> 16 > 0,
            height >> 16 > 0
        else { return }
        findings.width = width >> 16
        findings.height = height >> 16
        func sign(_ index: Int) -> Int {
            box.u32(matrix + index * 4).map { Int(Int32(bitPattern: $0).signum()) } ?? 0
        }
        findings.hasContainerOrientation = true
        // a b u c d v x y w: the first and second pair are the directions of the stored picture's axes.
        switch (sign(0), sign(1), sign(3), sign(4)) {
        case (0, 1, -1, 0): findings.containerOrientation = .rotatedRight
        case (-1, 0, 0, -1): findings.containerOrientation = .upsideDown
        case (0, -1, 1, 0): findings.containerOrientation = .rotatedLeft
        case (-1, 0, 0, 1): findings.containerOrientation = .mirrored
        case (1, 0, 0, -1): findings.containerOrientation = .flipped
        case (0, 1, 1, 0): findings.containerOrientation = .transposed
        case (0, -1, -1, 0): findings.containerOrientation = .transversed
        default: findings.containerOrientation = .upright
        }
    }

    /// XMP is in a `uuid` box (XMP specification part 3, MPEG-4).
    private static func readUUID(
        _ box: ISOBox, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        let content = try content(box, &parts)
        if content.u64(0) == ISOBox.xmpIdentifier { parts.readXMP(content.from(16), into: &findings) }
    }
}

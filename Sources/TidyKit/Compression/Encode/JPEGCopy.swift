/// The ways to copy a JPEG that fits without changing its pixels: the same bytes, fewer segments, or the same
/// coefficients in a new stream.
struct JPEGCopy {
    let bytes: [UInt8]
    let segments: JPEGFile
    let picture: SourcePicture
    private let settings: CompressionSettings
    /// The copy with the segments that the policy allows.
    private(set) var untouched: [UInt8]
    /// SOI and the segments before a new stream.
    private var newHead: [UInt8]?
    private var carried: CarriedMetadata

    init(_ bytes: [UInt8], _ segments: JPEGFile, _ picture: SourcePicture, _ settings: CompressionSettings) {
        self.bytes = bytes
        self.segments = segments
        self.picture = picture
        self.settings = settings
        carried = picture.metadata.carried
        untouched = segments.rewritten(bytes, settings.metadata, carried)
        if needsTurn {
            newHead = segments.colorHead(
                in: bytes, swapsDensity: picture.orientation.swapsAxes, carried.contentIdentifier)
        }
    }

    /// Without its orientation tag the picture would be shown on its side.
    var needsTurn: Bool { settings.metadata == .none && picture.orientation != .upright }

    /// The stream must be written again, because it is too long or to be turned.
    var isWrittenAnew: Bool { newHead != nil }

    /// Drops the texts: a date that took fewer bytes in IPTC is not a reason to touch the pixels.
    mutating func leaveTextsOut() {
        newHead = JPEGFile(untouched)?.head(of: untouched)
        carried = carried.withoutTexts
        untouched = segments.rewritten(bytes, settings.metadata, carried)
    }

    /// The copy without leftovers.
    func whole(without leftovers: JPEGLeftovers) -> [UInt8] {
        if leftovers.isEmpty { return untouched }
        if settings.metadata != .all { return segments.rewritten(bytes, settings.metadata, carried, leftovers) }
        // Pictures after this one are found by their offset.
        if hasTrailer, segments.segments.contains(where: { $0.content(in: bytes) == .multiPicture }) { return bytes }
        return segments.whole(bytes, without: leftovers)
    }

    private var hasTrailer: Bool { segments.hasEnd && segments.end < bytes.count }

    /// Whether the data after the picture are dropped although all metadata are kept: in a file of another length their
    /// offsets are wrong.
    func leavesTrailerOut(_ isBaseline: Bool) -> Bool { isBaseline && hasTrailer }

    /// The coefficients in a new stream with new Huffman tables, turned upright if the tag is dropped. Nil if that
    /// takes more than `most` bytes.
    func writtenAnew(isProgressive: Bool, most: Int) throws(PictureError) -> [UInt8]? {
        let turns = needsTurn || needsTrueHead && picture.orientation != .upright
        let head = anewHead
        // The bound of a stream limits the buffer: a target may be larger than any memory.
        let capacity = min(most, 4 * bytes.count + 65536)
        let stream = try bytes.span.withUnsafeBytes { (raw) throws(PictureError) -> [UInt8]? in
            let decoder = try JPEGDecoder.open(raw, memory: Int(clamping: settings.decoding.memory))
            return decoder.turned(
                from: turns ? picture.orientation : .upright, isProgressive: isProgressive, capacity: capacity)
        }
        // The head already has an SOI.
        guard let stream, head.count + stream.count - 2 <= most else { return nil }
        return head + stream[2...]
    }

    /// All metadata are kept, but some would not be true without the data after the picture.
    private var needsTrueHead: Bool { settings.metadata == .all && hasTrailer }

    private var anewHead: [UInt8] {
        if let newHead { return newHead }
        switch settings.metadata {
        case .none: return segments.colorHead(in: bytes, swapsDensity: false, carried.contentIdentifier)
        case .safe: return JPEGFile(untouched)?.head(of: untouched) ?? [0xFF, 0xD8]
        case .all where needsTrueHead:
            return picture.metadata.head(
                .all, width: picture.uprightWidth, height: picture.uprightHeight, becomesSRGB: false,
                swapsDensity: picture.orientation.swapsAxes) + adobe
        case .all: return segments.head(of: bytes)
        }
    }

    /// Decoders need it for RGB, CMYK and YCCK.
    private var adobe: [UInt8] {
        segments.segments.filter { $0.content(in: bytes) == .adobe }.prefix(1).flatMap {
            segments.colorSegment($0, in: bytes)
        }
    }
}

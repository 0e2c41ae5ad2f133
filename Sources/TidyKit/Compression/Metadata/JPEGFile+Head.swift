/// The segments before the tables of a new or rewritten JPEG.
extension JPEGFile {
    /// The start of the segments that describe colours to decoders.
    func colorSegments(in bytes: [UInt8]) -> Set<Int> {
        Set(
            (segments.filter { $0.content(in: bytes) == .adobe } + profilePieces(in: bytes)).map(\.range.lowerBound))
    }

    /// The end of the last scan; tables after it have no effect.
    var scansEnd: Int { segments.last { $0.marker == Self.startOfScan }?.range.upperBound ?? end }

    /// True for segments that no decoder needs: all after the scans except DNL, and invalid ones.
    func isIdle(_ segment: Segment, scansEnd: Int) -> Bool {
        segment.marker == Self.lineCount ? segment.payload.count != 2 : segment.range.lowerBound >= scansEnd
    }

    /// What decoders read from Adobe's segment, and a piece of the profile.
    func colorSegment(_ segment: Segment, in bytes: [UInt8]) -> [UInt8] {
        guard segment.marker == Self.app14, segment.payload.count > Self.adobeLength else {
            return Array(bytes[segment.range])
        }
        return Self.segment(Self.app14, Array(bytes[segment.payload.prefix(Self.adobeLength)]))
    }

    /// `Adobe`, a version, two flags and the transform (Adobe Technical Note #5116, section 18).
    private static let adobeLength = 12

    /// SOI and all APP and COM segments.
    func head(of bytes: [UInt8]) -> [UInt8] {
        segments.reduce(into: [0xFF, 0xD8]) { head, segment in
            if segment.content(in: bytes) != nil { head += bytes[segment.range] }
        }
    }

    /// SOI and the segments that decoders need: JFIF without its thumbnail, the profile, Adobe's. The identifier that
    /// ties a Live Photo to its video follows JFIF.
    func colorHead(in bytes: [UInt8], swapsDensity: Bool, _ contentIdentifier: String? = nil) -> [UInt8] {
        var head: [UInt8] = [0xFF, 0xD8]
        var others: [UInt8] = []
        let colors = colorSegments(in: bytes)
        for segment in segments {
            switch segment.content(in: bytes) {
            case .adobe, .icc:
                if colors.contains(segment.range.lowerBound) { others += colorSegment(segment, in: bytes) }
            case .jfif: head += jfif(segment, in: bytes, swapsDensity: swapsDensity)
            default: continue
            }
        }
        if let exif = AppleMakerNote.added(contentIdentifier, to: nil) { head += Self.segments(exif: exif) }
        return head + others
    }

    /// A JFIF segment without the thumbnail after its 14-byte header; empty if the header is truncated.
    func jfif(_ segment: Segment, in bytes: [UInt8], swapsDensity: Bool = false) -> [UInt8] {
        guard segment.payload.count >= 14 else { return [] }
        var header = Array(bytes[segment.payload.prefix(14)])
        (header[12], header[13]) = (0, 0)
        if swapsDensity { header.replaceSubrange(8..<12, with: [header[10], header[11], header[8], header[9]]) }
        return Self.segment(Self.app0, header)
    }

    /// APP2 segments with a profile of any length.
    static func segments(profile: [UInt8]) -> [UInt8] {
        let most = 65519
        let total = (profile.count + most - 1) / most
        guard total > 0, total < 256 else { return [] }
        return (0..<total).reduce(into: []) { bytes, index in
            let chunk = profile[index * most..<min((index + 1) * most, profile.count)]
            bytes += segment(app2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(total)] + chunk)
        }
    }

    /// The APP0 segment of JFIF 1.02 without a thumbnail.
    static func jfif(_ density: JPEGFile.Density?) -> [UInt8] {
        let density = density ?? JPEGFile.Density(unit: 0, horizontal: 1, vertical: 1)
        return segment(
            app0,
            Array("JFIF\0".utf8) + [
                1, 1, density.unit, UInt8(density.horizontal >> 8), UInt8(density.horizontal & 255),
                UInt8(density.vertical >> 8), UInt8(density.vertical & 255), 0, 0,
            ])
    }
}

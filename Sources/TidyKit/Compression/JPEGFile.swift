internal import Glibc

/// The marker segments of a JPEG (ITU-T T.81, annex B.1) in memory, from SOI to EOI, and what stands behind EOI.
struct JPEGFile {
    struct Segment {
        /// The second byte of the marker, such as 0xE1 for APP1.
        var marker: UInt8
        /// The marker, its length and its payload; for SOS also the entropy-coded data that follow.
        var range: Range<Int>
        /// Behind the length field; empty where there is none.
        var payload: Range<Int>
    }

    private(set) var segments: [Segment] = []
    /// The offset behind EOI, or the end of the data where EOI is missing.
    private(set) var end = 0
    private(set) var hasEnd = false

    static let startOfScan: UInt8 = 0xDA
    static let lineCount: UInt8 = 0xDC
    static let comment: UInt8 = 0xFE
    static let app0: UInt8 = 0xE0
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app13: UInt8 = 0xED
    static let app14: UInt8 = 0xEE

    /// Nil where `bytes` do not start with SOI.
    init?(_ bytes: [UInt8]) {
        let found: (segments: [Segment], end: Int, hasEnd: Bool)? = bytes.withUnsafeBytes { Self.walk($0) }
        guard let found else { return nil }
        (segments, end, hasEnd) = found
    }

    /// More than any writer makes: what follows is not looked at, as if the file were cut there.
    private static let mostSegments = 100_000

    private static func walk(_ bytes: UnsafeRawBufferPointer) -> (segments: [Segment], end: Int, hasEnd: Bool)? {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var segments: [Segment] = []
        var at = 2
        while segments.count < mostSegments, let start = nextMarker(bytes, from: at) {
            let marker = bytes[start + 1]
            if marker == 0xD9 { return (segments, start + 2, true) }
            guard start + 4 <= bytes.count else { break }
            let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            let payloadEnd = start + 2 + max(length, 2)
            guard payloadEnd <= bytes.count else { break }
            var end = payloadEnd
            if marker == startOfScan { end = nextMarker(bytes, from: payloadEnd) ?? bytes.count }
            segments.append(
                Segment(marker: marker, range: start..<end, payload: start + 4..<max(start + 4, payloadEnd)))
            at = end
        }
        return (segments, bytes.count, false)
    }

    /// The next 0xFF that is followed by neither 0 (a stuffed byte), 0xFF (fill), a restart marker, nor TEM.
    private static func nextMarker(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var at = start
        while at + 1 < bytes.count {
            guard let found = memchr(bytes.baseAddress! + at, 0xFF, bytes.count - 1 - at) else { return nil }
            at = UnsafeRawPointer(found) - bytes.baseAddress!
            switch bytes[at + 1] {
            case 0xFF: at += 1
            case 0, 1, 0xD0...0xD8: at += 2
            default: return at
            }
        }
        return nil
    }
}

extension JPEGFile.Segment {
    /// What an APP or COM segment carries; nil for those that the picture itself needs.
    enum Content: Equatable {
        case jfif, jfifExtension, exif, xmp, extendedXMP, icc, multiPicture, photoshop, adobe, comment, other
    }

    func content(in bytes: [UInt8]) -> Content? {
        guard (0xE0...0xEF).contains(marker) || marker == JPEGFile.comment else { return nil }
        func starts(_ name: StaticString) -> Bool {
            name.withUTF8Buffer { bytes[payload].starts(with: $0) }
        }
        switch marker {
        case JPEGFile.app0: return starts("JFIF\0") ? .jfif : starts("JFXX\0") ? .jfifExtension : .other
        case JPEGFile.app1:
            if exifStart(in: bytes) != nil { return .exif }
            if starts("http://ns.adobe.com/xap/1.0/\0") { return .xmp }
            return starts("http://ns.adobe.com/xmp/extension/\0") ? .extendedXMP : .other
        case JPEGFile.app2:
            return starts("ICC_PROFILE\0") ? .icc : starts("MPF\0") ? .multiPicture : .other
        case JPEGFile.app13: return starts("Photoshop 3.0\0") ? .photoshop : .other
        case JPEGFile.app14: return starts("Adobe") ? .adobe : .other
        case JPEGFile.comment: return .comment
        default: return .other
        }
    }
}

extension JPEGFile {
    /// The ICC profile, put together from its APP2 segments (ICC.1:2010, annex B.4); nil where one is missing.
    func profile(in bytes: [UInt8]) -> [UInt8]? {
        let pieces = profilePieces(in: bytes)
        return pieces.isEmpty ? nil : pieces.reduce(into: []) { $0 += bytes[$1.payload.dropFirst(14)] }
    }

    /// The segments that make the profile, in the order of their numbers; none where one is missing. A piece that says
    /// another number of pieces than the rest belongs to none.
    private func profilePieces(in bytes: [UInt8]) -> [Segment] {
        var pieces: [UInt8: [UInt8: Segment]] = [:]
        var totals: [UInt8] = []
        for segment in segments where segment.content(in: bytes) == .icc && segment.payload.count > 14 {
            let (number, total) = (bytes[segment.payload.lowerBound + 12], bytes[segment.payload.lowerBound + 13])
            guard number > 0, number <= total, pieces[total]?[number] == nil else { continue }
            if pieces[total] == nil { totals.append(total) }
            pieces[total, default: [:]][number] = segment
        }
        for total in totals where pieces[total]?.count == Int(total) {
            return (1...total).compactMap { pieces[total]?[$0] }
        }
        return []
    }

    /// Where the segments begin that tell colours to decoders.
    func colorSegments(in bytes: [UInt8]) -> Set<Int> {
        Set(
            (segments.filter { $0.content(in: bytes) == .adobe } + profilePieces(in: bytes)).map(\.range.lowerBound))
    }

    /// Where the last scan ends; tables that stand behind it are of no use.
    var scansEnd: Int { segments.last { $0.marker == Self.startOfScan }?.range.upperBound ?? end }

    /// True for what no decoder needs: all behind the scans but a number of lines (DNL), and one that is none.
    func isIdle(_ segment: Segment, scansEnd: Int) -> Bool {
        segment.marker == Self.lineCount ? segment.payload.count != 2 : segment.range.lowerBound >= scansEnd
    }

    /// What decoders read of Adobe's segment, and a piece of the profile.
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

    /// SOI, and of the segments those that the pixels are told by: JFIF without its thumbnail, the profile, Adobe's. Behind
    /// JFIF stands what ties a Live Photo to its video.
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

    /// A JFIF segment without the thumbnail that follows the 14 bytes of its header; empty where even these are cut.
    func jfif(_ segment: Segment, in bytes: [UInt8], swapsDensity: Bool = false) -> [UInt8] {
        guard segment.payload.count >= 14 else { return [] }
        var header = Array(bytes[segment.payload.prefix(14)])
        (header[12], header[13]) = (0, 0)
        if swapsDensity { header.replaceSubrange(8..<12, with: [header[10], header[11], header[8], header[9]]) }
        return Self.segment(Self.app0, header)
    }

    /// What one segment holds besides its length (T.81, annex B.1.1.4).
    static let mostInSegment = 0xFFFF - 2

    /// A segment with its marker and length; nothing where its length field cannot tell how long it is.
    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        guard let length = UInt16(exactly: payload.count + 2) else { return [] }
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
    }

    /// COM segments for a text of any length: as many as it needs, none of which ends within a character.
    static func segments(comment text: String) -> [UInt8] {
        var segments: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var piece = rest.prefix(mostInSegment)
            while piece.endIndex < rest.endIndex, rest[piece.endIndex] & 0xC0 == 0x80, piece.count > 1 {
                piece = piece.dropLast()
            }
            segments += segment(comment, Array(piece))
            rest = rest[piece.endIndex...]
        }
        return segments
    }

    /// APP2 segments that carry a profile of any length.
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
    static func jfif(_ density: JPEGDecoder.Density?) -> [UInt8] {
        let density = density ?? JPEGDecoder.Density(unit: 0, horizontal: 1, vertical: 1)
        return segment(
            app0,
            Array("JFIF\0".utf8) + [
                1, 1, density.unit, UInt8(density.horizontal >> 8), UInt8(density.horizontal & 255),
                UInt8(density.vertical >> 8), UInt8(density.vertical & 255), 0, 0,
            ])
    }
}

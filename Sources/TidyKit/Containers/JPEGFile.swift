/// All marker segments of a JPEG in memory (ITU-T T.81, annex B.1), from SOI to EOI, and the data after EOI.
struct JPEGFile {
    struct Segment {
        /// The second byte of the marker, such as 0xE1 for APP1.
        var marker: UInt8
        /// The marker, its length and its payload; for SOS, also the entropy-coded data.
        var range: Range<Int>
        /// After the length field; empty without one.
        var payload: Range<Int>
    }

    /// The density in JFIF, per unit (0 an aspect ratio, 1 an inch, 2 a centimetre).
    struct Density: Equatable, Sendable {
        var unit: UInt8
        var horizontal: UInt16
        var vertical: UInt16
    }

    private(set) var segments: [Segment] = []
    /// The offset after EOI, or the end of the data without EOI.
    private(set) var end = 0
    private(set) var hasEnd = false

    static let startOfScan = JPEGMarker.startOfScan
    static let lineCount: UInt8 = 0xDC
    static let comment: UInt8 = 0xFE
    static let app0: UInt8 = 0xE0
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app13: UInt8 = 0xED
    static let app14: UInt8 = 0xEE

    /// More than any writer makes. The file is treated as if it ended there.
    private static let maximumSegments = 100_000

    /// Nil if `bytes` do not start with SOI.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        end = bytes.count
        bytes.withView { walk($0) }
    }

    /// Ignores a segment that extends past the end. A segment with an impossible length counts as empty.
    private mutating func walk(_ bytes: ByteView) {
        var source = MemorySource(bytes: bytes)
        var walker = JPEGWalker(from: 2)
        while segments.count < Self.maximumSegments, case .marker(let marker) = walker.next(in: &source) {
            if marker.code == JPEGMarker.endOfImage {
                (end, hasEnd) = (Int(marker.end), true)
                return
            }
            guard marker.length != nil, marker.end <= source.byteCount else { return }
            let payload = Int(marker.start)..<Int(marker.end)
            var end = payload.upperBound
            if marker.code == Self.startOfScan {
                end = JPEGWalker.endOfScan(in: bytes, from: end)
                walker.move(to: Int64(end))
            }
            segments.append(Segment(marker: marker.code, range: Int(marker.offset)..<end, payload: payload))
        }
    }
}

extension JPEGFile.Segment {
    /// The content of an APP or COM segment; nil for segments that the picture needs.
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
    /// The ICC profile, joined from its APP2 segments (ICC.1:2010, annex B.4); nil if one is missing.
    func profile(in bytes: [UInt8]) -> [UInt8]? {
        let pieces = profilePieces(in: bytes)
        return pieces.isEmpty ? nil : pieces.reduce(into: []) { $0 += bytes[$1.payload.dropFirst(14)] }
    }

    /// The segments of the profile in the order of their numbers; empty if one is missing. A piece that states another
    /// number of pieces than the others is ignored.
    func profilePieces(in bytes: [UInt8]) -> [Segment] {
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

    /// The largest payload of one segment (T.81, annex B.1.1.4).
    static let maximumInSegment = 0xFFFF - 2

    /// A segment with its marker and length; empty if the payload is too long for one.
    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        guard let length = UInt16(exactly: payload.count + 2) else { return [] }
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
    }

    /// COM segments for a text of any length, split only between characters.
    static func segments(comment text: String) -> [UInt8] {
        var segments: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var piece = rest.prefix(maximumInSegment)
            while piece.endIndex < rest.endIndex, rest[piece.endIndex] & 0xC0 == 0x80, piece.count > 1 {
                piece = piece.dropLast()
            }
            segments += segment(comment, Array(piece))
            rest = rest[piece.endIndex...]
        }
        return segments
    }
}

extension JPEGFile {
    /// True if the file ends properly before all of the picture was sent, which no decoder reports: a component is in
    /// no scan, or coefficients of a progressive file were begun and never refined to their last bit (T.81, G.1.1.1).
    /// AC coefficients that were never begun are zero; libjpeg can write such files.
    /// - Parameter unsentIsMissing: coefficients that were never begun count as missing too.
    func lacksScans(in bytes: [UInt8], unsentIsMissing: Bool = false) -> Bool {
        guard let frame = segments.first(where: { Self.frames.contains($0.marker) }), frame.payload.count >= 6 else {
            return false
        }
        let isProgressive = frame.marker & 3 == 2
        let list = bytes[frame.payload].dropFirst(6)
        let components = stride(from: list.startIndex, to: list.endIndex - 2, by: 3).map { bytes[$0] }
            .prefix(Int(bytes[frame.payload.lowerBound + 5]))
        // The decoder renumbers components whose identifiers are not unique, in the order in which they come.
        guard Set(components).count == components.count else { return false }
        // The lowest bit of each coefficient that was sent: 0 when it is complete.
        let others = isProgressive && unsentIsMissing ? Self.neverSent : 0
        var lowest = components.map { _ in [Self.neverSent] + [UInt8](repeating: others, count: 63) }
        for segment in segments where segment.marker == Self.startOfScan {
            let scan = Array(bytes[segment.payload])
            guard let count = scan.first.map(Int.init), scan.count >= 4 + 2 * count else { continue }
            let (first, last, bit) = (Int(scan[2 * count + 1]), Int(scan[2 * count + 2]), scan[2 * count + 3] & 15)
            for index in 0..<count {
                guard let component = components.firstIndex(of: scan[2 * index + 1]) else { continue }
                if !isProgressive {
                    lowest[component][0] = 0
                } else if first <= last, last < 64 {
                    for coefficient in first...last { lowest[component][coefficient] = bit }
                }
            }
        }
        return lowest.contains { $0.contains { $0 > 0 } }
    }

    private static let neverSent: UInt8 = 0xFF
    /// SOF0, SOF1, SOF2 and the arithmetic SOF9 and SOF10: the ones that the decoder supports.
    private static let frames: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]
}

/// The image resources that Photoshop keeps in APP13 segments (Adobe Photoshop File Formats Specification, "Image
/// Resource Blocks"), put together from all of them.
struct PhotoshopResources {
    private struct Resource {
        var number: UInt16
        /// With its signature, name, length and padding.
        var range: Range<Int>
        var data: Range<Int>
    }

    private static let header = Array("Photoshop 3.0\0".utf8)
    private static let mostInSegment = 65533 - header.count
    /// Thumbnails of Photoshop 4 and of Photoshop 5 and later.
    private static let thumbnails: Set<UInt16> = [0x0409, 0x040C]
    private static let iptc: UInt16 = 0x0404

    private let bytes: [UInt8]
    private var resources: [Resource] = []

    /// - Parameter file: `bytes` as segments.
    init(_ file: JPEGFile, in bytes: [UInt8]) {
        var joined: [UInt8] = []
        for segment in file.segments where segment.content(in: bytes) == .photoshop {
            joined += bytes[segment.payload.dropFirst(Self.header.count)]
        }
        self.bytes = joined
        read()
    }

    /// - Parameter profile: what a PNG holds of it: as in a segment, from the first resource on, or datasets of IPTC.
    init(profile: [UInt8]) {
        let profile = profile.starts(with: Self.header) ? Array(profile.dropFirst(Self.header.count)) : profile
        bytes = profile.starts(with: "8BIM".utf8) ? profile : Self.resource(iptc: profile)
        read()
    }

    /// A resource with the datasets of IPTC; nothing where they are none, or too many for its length field.
    private static func resource(iptc datasets: [UInt8]) -> [UInt8] {
        guard datasets.first == 0x1C, let count = UInt32(exactly: datasets.count) else { return [] }
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        return Array("8BIM".utf8) + [UInt8(iptc >> 8), UInt8(iptc & 255), 0, 0] + length + datasets
            + (datasets.count % 2 == 1 ? [0] : [])
    }

    private mutating func read() {
        var at = 0
        func number(_ at: Int, _ size: Int) -> Int { bytes[at..<at + size].reduce(0) { $0 << 8 | Int($1) } }
        while at + 12 <= bytes.count, bytes[at..<at + 4].elementsEqual("8BIM".utf8) {
            // A name with its length in front, of an even number of bytes.
            let length = at + 6 + (Int(bytes[at + 6]) + 2) / 2 * 2
            guard length + 4 <= bytes.count else { return }
            let data = length + 4..<length + 4 + number(length, 4)
            guard data.upperBound <= bytes.count else { return }
            let end = min(data.upperBound + data.count % 2, bytes.count)
            resources.append(Resource(number: UInt16(number(at + 4, 2)), range: at..<end, data: data))
            at = end
        }
    }

    /// APP13 segments with all of it but thumbnails of the old pixels. Nothing where nothing is left.
    var segmentsWithoutThumbnails: [UInt8] {
        var kept: [UInt8] = []
        var at = 0
        for resource in resources where Self.thumbnails.contains(resource.number) {
            kept += bytes[at..<resource.range.lowerBound]
            at = resource.range.upperBound
        }
        kept += bytes[at...]
        return stride(from: 0, to: kept.count, by: Self.mostInSegment).reduce(into: []) { segments, start in
            segments += JPEGFile.segment(
                JPEGFile.app13, Self.header + kept[start..<min(start + Self.mostInSegment, kept.count)])
        }
    }

    /// DateCreated and TimeCreated (IPTC-IIM 4.2, datasets 2:55 and 2:60), which most programs call the date that a
    /// picture was taken. They are none of the dates that `list` knows: only a picture that has none of those is asked.
    func creationDate(now: WallClock) -> CaptureDate? {
        guard let block = resources.first(where: { $0.number == Self.iptc })?.data else { return nil }
        var date: ArraySlice<UInt8>?
        var time: ArraySlice<UInt8>?
        var at = block.lowerBound
        while at + 5 <= block.upperBound, bytes[at] == 0x1C {
            let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
            // Longer values have their length elsewhere; no date is that long.
            guard length < 0x8000, at + 5 + length <= block.upperBound else { break }
            let value = bytes[at + 5..<at + 5 + length]
            if bytes[at + 1] == 2, bytes[at + 2] == 55 { date = date ?? value }
            if bytes[at + 1] == 2, bytes[at + 2] == 60 { time = time ?? value }
            at += 5 + length
        }
        guard let date, date.count >= 8 else { return nil }
        func digits(_ slice: ArraySlice<UInt8>, _ start: Int, _ count: Int) -> [UInt8] {
            Array(slice.dropFirst(start).prefix(count))
        }
        let dash = [UInt8(ascii: "-")]
        let colon = [UInt8(ascii: ":")]
        let day = digits(date, 0, 4) + dash + digits(date, 4, 2) + dash + digits(date, 6, 2)
        var clock: [UInt8] = []
        if let time, time.count >= 6 {
            clock = [UInt8(ascii: "T")] + digits(time, 0, 2) + colon + digits(time, 2, 2) + colon + digits(time, 4, 2)
            clock += time.dropFirst(6)
        }
        func read(_ text: [UInt8]) -> DateText? { text.withUnsafeBytes { DateText(iso: ByteView($0)) } }
        // A time that is none leaves the day.
        guard let found = read(day + clock) ?? read(day), found.isPlausible(now: now) else { return nil }
        // Its twin in XMP is photoshop:DateCreated.
        return found.captureDate(.xmp)
    }
}

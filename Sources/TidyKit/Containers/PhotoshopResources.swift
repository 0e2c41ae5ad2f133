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
}

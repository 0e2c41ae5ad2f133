/// One image resource of Photoshop (Adobe Photoshop File Formats Specification, "Image Resource Blocks"), by its place: `8BIM`,
/// a number, a name with its length in front, of an even number of bytes, and data with theirs.
struct PhotoshopResource {
    /// What the data of IPTC have.
    static let iptc: UInt16 = 0x0404
    /// What stands in front of the resources in a segment of JPEG.
    static let header: StaticString = "Photoshop 3.0\0"

    let number: UInt16
    /// Where its signature stands.
    let offset: Int64
    /// Where its data stand.
    let start: Int64
    /// Of the data, as the resource claims it: nothing says that they are there.
    let length: Int

    /// Behind the data and the byte that fills them up to an even number.
    var end: Int64 { start + Int64(length + length % 2) }
}

/// Walks the resources that stand one after another from the beginning of a source. Each takes twelve bytes at least.
struct PhotoshopResourceWalker {
    private var at: Int64 = 0

    /// Nil where no resource stands.
    mutating func next<Source: ByteSource & ~Copyable>(
        in source: inout Source
    ) throws(Source.Failure) -> PhotoshopResource? {
        // The longest name takes 256 bytes with its length.
        let head = try source.view(at: at, 6 + 256 + 4)
        guard head.starts(with: "8BIM"), let number = head.u16(4), let name = head[6] else { return nil }
        let nameEnd = 6 + (Int(name) + 2) / 2 * 2
        guard let length = head.int32(nameEnd) else { return nil }
        let resource = PhotoshopResource(
            number: number, offset: at, start: at + Int64(nameEnd) + 4, length: length)
        at = resource.end
        return resource
    }
}

/// The image resources that Photoshop keeps in APP13 segments, put together from all of them.
struct PhotoshopResources {
    private struct Resource {
        var number: UInt16
        /// With its signature, name, length and padding.
        var range: Range<Int>
    }

    private static let header = PhotoshopResource.header.withUTF8Buffer { Array($0) }
    private static let mostInSegment = 65533 - header.count
    /// Thumbnails of Photoshop 4 and of Photoshop 5 and later.
    private static let thumbnails: Set<UInt16> = [0x0409, 0x040C]

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
        let number = [UInt8(PhotoshopResource.iptc >> 8), UInt8(PhotoshopResource.iptc & 255)]
        return Array("8BIM".utf8) + number + [0, 0] + length + datasets + (datasets.count % 2 == 1 ? [0] : [])
    }

    /// Up to the first resource that the end cuts off.
    private mutating func read() {
        resources = bytes.withView { view -> [Resource] in
            var source = MemorySource(bytes: view)
            var walker = PhotoshopResourceWalker()
            var found: [Resource] = []
            while let resource = walker.next(in: &source), resource.start + Int64(resource.length) <= source.byteCount {
                let range = Int(resource.offset)..<Int(min(resource.end, source.byteCount))
                found.append(Resource(number: resource.number, range: range))
            }
            return found
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

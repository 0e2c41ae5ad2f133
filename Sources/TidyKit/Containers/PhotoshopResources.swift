/// The position of one image resource of Photoshop (Adobe Photoshop File Formats Specification, "Image Resource
/// Blocks"): `8BIM`, a number, a name with its length (padded to an even number of bytes), and data with theirs.
struct PhotoshopResource {
    /// The resource number of IPTC data.
    static let iptc: UInt16 = 0x0404
    /// The header before the resources in a JPEG segment.
    static let header: StaticString = "Photoshop 3.0\0"

    let number: UInt16
    /// The offset of its signature.
    let offset: Int64
    /// The offset of its data.
    let start: Int64
    /// The length of the data as claimed; they may extend past the end of the source.
    let length: Int

    /// The offset after the data and their padding byte.
    var end: Int64 { start + Int64(length + length % 2) }
}

/// Walks adjacent resources from the beginning of a source. Each takes at least twelve bytes.
struct PhotoshopResourceWalker {
    private var at: Int64 = 0

    /// Nil if the next bytes are not a resource.
    mutating func next<Source: ByteSource & ~Copyable>(
        in source: inout Source
    ) throws(Source.Failure) -> PhotoshopResource? {
        // The longest name takes 256 bytes including its length.
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

extension PhotoshopResourceWalker {
    /// ResolutionInfo, the quality of a JPEG, and the thumbnails: those that tag IPTC alone do not write these.
    private static let photoshopsOwn: Set<UInt16> = [0x03ED, 0x0406, 0x0409, 0x040C]

    /// True for the body of an APP13 segment, or its beginning, that Photoshop itself has written.
    static func isOfPhotoshop(_ body: ByteView) -> Bool {
        guard body.starts(with: PhotoshopResource.header) else { return false }
        var source = MemorySource(bytes: body.from(PhotoshopResource.header.utf8CodeUnitCount))
        var walker = PhotoshopResourceWalker()
        while let resource = walker.next(in: &source) {
            if photoshopsOwn.contains(resource.number) { return true }
        }
        return false
    }
}

/// The image resources that Photoshop stores in APP13 segments, joined from all of them.
struct PhotoshopResources {
    private struct Resource {
        var number: UInt16
        /// Includes signature, name, length and padding.
        var range: Range<Int>
    }

    private static let header = PhotoshopResource.header.withUTF8Buffer { Array($0) }
    private static let maximumInSegment = 65533 - header.count
    /// The thumbnails of Photoshop 4 and of Photoshop 5 and later.
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

    /// - Parameter profile: the Photoshop or IPTC profile of a PNG: with the header of a segment, as resources, or as
    ///   bare IPTC datasets.
    init(profile: [UInt8]) {
        let profile = profile.starts(with: Self.header) ? Array(profile.dropFirst(Self.header.count)) : profile
        bytes = profile.starts(with: "8BIM".utf8) ? profile : Self.resource(iptc: profile)
        read()
    }

    /// A resource with IPTC datasets; empty if these are no datasets, or too long for its length field.
    private static func resource(iptc datasets: [UInt8]) -> [UInt8] {
        guard datasets.first == 0x1C, let count = UInt32(exactly: datasets.count) else { return [] }
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        let number = [UInt8(PhotoshopResource.iptc >> 8), UInt8(PhotoshopResource.iptc & 255)]
        return Array("8BIM".utf8) + number + [0, 0] + length + datasets + (datasets.count % 2 == 1 ? [0] : [])
    }

    /// Stops at the first truncated resource.
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

    /// Drawn by hand, and no metadata: the saved paths (2000…2997) and the working path (1025).
    var paths: [[UInt8]] {
        resources.filter { (2000...2997).contains($0.number) || $0.number == 1025 }.map { Array(bytes[$0.range]) }
    }

    /// APP13 segments with all resources except thumbnails, which show the old pixels. Empty if no resource is left.
    var segmentsWithoutThumbnails: [UInt8] {
        var kept: [UInt8] = []
        var at = 0
        for resource in resources where Self.thumbnails.contains(resource.number) {
            kept += bytes[at..<resource.range.lowerBound]
            at = resource.range.upperBound
        }
        kept += bytes[at...]
        return stride(from: 0, to: kept.count, by: Self.maximumInSegment).reduce(into: []) { segments, start in
            segments += JPEGFile.segment(
                JPEGFile.app13, Self.header + kept[start..<min(start + Self.maximumInSegment, kept.count)])
        }
    }
}

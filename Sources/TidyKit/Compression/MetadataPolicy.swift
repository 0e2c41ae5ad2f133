/// How much a compressed photo still says of itself (`--metadata`).
public enum MetadataPolicy: String, CaseIterable, Sendable {
    /// Only the colour profile.
    case none
    /// Date, camera, lens, exposure, artist, copyright and the profile; no location, notes, numbers, thumbnails or texts.
    case safe
    /// All that is still true of the new picture.
    case all
}

/// The metadata of a source, whatever its container, and the segments of a new JPEG that come of them.
struct SourceMetadata {
    /// From the byte order mark on.
    var exif: [UInt8]?
    var profile: [UInt8]?
    var xmp: [UInt8]?
    var density: JPEGDecoder.Density?
    /// APP13, comments and further segments of a JPEG, for `all`: whole segments.
    var others: [UInt8] = []

    init() {}

    init(_ segments: JPEGFile, in bytes: [UInt8], density: JPEGDecoder.Density?) {
        self.density = density
        profile = segments.profile(in: bytes)
        let blocks = segments.exifBlocks(in: bytes).map(\.bytes)
        exif = blocks.first { EXIFDirectories($0) != nil } ?? blocks.first { !$0.isEmpty }
        for segment in segments.segments {
            let payload = segment.payload
            switch segment.content(in: bytes) {
            case .xmp where xmp == nil: xmp = Array(bytes[payload.dropFirst(29)])
            case .photoshop, .comment: others += bytes[segment.range]
            default: break
            }
        }
    }

    /// EXIF Orientation as it is stored, where it is one of 1…8.
    var orientation: Orientation {
        guard let block = exif.flatMap({ EXIFDirectories($0) }),
            let value = block.entry(EXIFDirectories.orientation, in: .main).flatMap(block.number)
        else { return .upright }
        return Orientation(rawValue: value) ?? .upright
    }

    /// SOI and the segments before the tables of a recompressed picture.
    func head(
        _ policy: MetadataPolicy, width: Int, height: Int, keepsProfile: Bool, swapsDensity: Bool
    ) -> [UInt8] {
        var density = density
        if swapsDensity, let old = density {
            density = JPEGDecoder.Density(unit: old.unit, horizontal: old.vertical, vertical: old.horizontal)
        }
        var head: [UInt8] = [0xFF, 0xD8] + JPEGFile.jfif(density)
        let edit = EXIFPolicy(newSize: (width, height))
        var block: [UInt8]?
        switch policy {
        case .none: break
        case .safe: block = exif.flatMap { EXIFDirectories($0) }.flatMap { edit.safe($0) }
        case .all: block = exif.map { edit.all($0) }
        }
        if let block { head += JPEGFile.segments(exif: block) }
        if policy == .all, let xmp {
            let edited = XMPEdit.updated(xmp, width: width, height: height)
            if edited.count <= 65504 {
                head += JPEGFile.segment(
                    JPEGFile.app1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + edited)
            }
        }
        if keepsProfile, let profile { head += JPEGFile.segments(profile: profile) }
        if policy == .all { head += others }
        return head
    }
}

extension JPEGFile {
    /// The file with the pixels as they are and the segments that the policy allows. The same bytes again where there
    /// is nothing to take away.
    func rewritten(_ bytes: [UInt8], _ policy: MetadataPolicy) -> [UInt8] {
        if policy == .all { return bytes }
        var out: [UInt8] = [0xFF, 0xD8]
        out.reserveCapacity(end)
        var exif = policy == .safe ? exifBlocks(in: bytes)[...] : []
        for (index, segment) in segments.enumerated() {
            switch segment.content(in: bytes) {
            case nil, .adobe, .icc: out += bytes[segment.range]
            case .jfif:
                // A JFIF thumbnail follows the 14 bytes of the header.
                guard segment.payload.count >= 14 else { continue }
                var header = Array(bytes[segment.payload.prefix(14)])
                (header[12], header[13]) = (0, 0)
                out += Self.segment(Self.app0, header)
            case .exif:
                // Once a block was kept the others go.
                guard let block = exif.first, block.segments.lowerBound == index else { continue }
                exif.removeFirst()
                guard let kept = EXIFDirectories(block.bytes).flatMap({ EXIFPolicy(newSize: nil).safe($0) }) else {
                    continue
                }
                exif = []
                out += Self.segments(exif: kept)
            default: continue
            }
        }
        return out + [0xFF, 0xD9]
    }
}

/// What libheif does not report, or not for every file, read from the `meta` box of a HEIF file (ISO 23008-12).
/// Bounded, and trusts no length in the file.
struct HEIFStructure {
    /// Chroma subsampling of the coded picture: pixels per sample; 0 for gray.
    enum Sampling { case gray, quarter, half, full }

    /// The combination of `irot` and `imir`, which the decoder applies.
    private(set) var orientation = Orientation.upright
    private(set) var sampling = Sampling.full
    /// The file has an AV1 picture, whose decoder needs far more memory than that of HEVC.
    private(set) var holdsAV1 = false
    /// The part of the stored picture that `clap` keeps; nil for all of it.
    private(set) var crop: PictureTransform.Crop?
    /// We can crop and turn the stored pixels: no crop follows a turn.
    private(set) var canBeTurnedLater = false

    init(_ bytes: ByteView) {
        guard let meta = ISOBoxes.first("meta", in: bytes) else { return }
        let properties = HEIFDirectory(meta).primaryProperties
        orientation = properties.orientation
        crop = properties.crop
        canBeTurnedLater = !properties.isCroppedLater
        if let properties = ISOBoxes.first("iprp", in: meta.from(4)),
            let container = ISOBoxes.first("ipco", in: properties)
        {
            sampling = Self.sampling(container) ?? .full
            holdsAV1 = ISOBoxes.first("av1C", in: container) != nil
        }
    }

    /// From the densest of all coded pictures: thumbnails, alpha and gain maps have the same density as the main
    /// picture, or a lower one.
    private static func sampling(_ properties: ByteView) -> Sampling? {
        var densest: Int?
        for (index, property) in ISOBoxes(properties).enumerated() {
            if index == 10_000 { break }
            var density: Int?
            switch property.type {
            // chroma_format_idc (ISO 14496-15, section 8.3.3.1.2).
            case ISOBox.code("hvcC"): density = property.content[16].map { Int($0 & 3) }
            // monochrome, chroma_subsampling_x and _y (AV1 codec ISO media file format binding, section 2.3.3).
            case ISOBox.code("av1C"):
                density = property.content[2].map { bits in
                    bits & 0x10 != 0 ? 0 : bits & 0x08 == 0 ? 3 : bits & 0x04 == 0 ? 2 : 1
                }
            default: continue
            }
            if let density { densest = max(densest ?? 0, density) }
        }
        return densest.map { [.gray, .quarter, .half, .full][$0] }
    }
}

/// The boxes at the top of a HEIF file (ISO/IEC 14496-12, section 4.2).
enum HEIFBoxes {
    /// Boxes that writers put there. Data with another name may be a trailer, which is not a box.
    private static let known: Set<UInt32> = Set(
        ["ftyp", "meta", "mdat", "moov", "moof", "mpvd", "free", "skip", "wide", "uuid", "idat", "jumb"].map(code))

    private static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    /// What a truncated file lacks; nil if its boxes are complete.
    static func damage(_ bytes: ByteView) -> String? {
        var at = 0
        for _ in 0..<100_000 {
            guard let short = bytes.u32(at), let type = bytes.u32(at + 4), known.contains(type) else { return nil }
            let length: Int
            switch short {
            case 0: return nil
            case 1:
                guard let long = bytes.int64(at + 8), long >= 16 else { return nil }
                length = long
            default: length = Int(short)
            }
            guard length >= 8 else { return nil }
            guard length <= bytes.count - at else { return "the file ends within one of its boxes" }
            at += length
        }
        return nil
    }
}

extension HEIFStructure {
    /// The peak memory of libheif and its decoder for a picture, in bytes.
    ///
    /// libheif's planes are red, green and blue; it needs a second set while it turns them, and we need one before
    /// chroma is averaged. libaom has frames of its own as well. Measured with libheif 1.15 and libaom 3.6, in bytes
    /// per pixel including libheif's planes: gray 15.4, 4:2:0 15.9, 4:4:4 19.0, 4:2:0 with 10 bits 19.1.
    func decoderBytes(pixels: Int, depth: Int) -> Int {
        let width = depth > 8 ? 2.0 : 1
        let turned = orientation == .upright ? 0 : 3 * width
        var each = 3 * width + 3
        if holdsAV1 {
            let samples: Double =
                switch sampling {
                case .gray, .quarter: 1.5
                case .half: 2
                case .full: 3
                }
            each = max(each, 13.5 + (width + 1) * samples + 4 * (width - 1))
        }
        return Int(min(Double(pixels) * (each + turned), 1e18))
    }
}

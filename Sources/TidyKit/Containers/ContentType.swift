/// Determines the format of a file by its first bytes, never by its name.
package enum ContentType {
    /// The number of bytes that suffice for every decision.
    package static let headLength = 4096

    /// Nil for files that are neither photos nor videos. RAW formats based on TIFF are `.tiff` here; `MetadataReader`
    /// reads their directories and distinguishes them.
    /// - Parameter head: the first `headLength` bytes of the file, or all of it.
    package static func format(of head: UnsafeRawBufferPointer) -> MediaFormat? { format(of: ByteView(head)) }

    static func format(of head: ByteView) -> MediaFormat? {
        switch head[0] {
        case 0xFF:
            if head[1] == 0xD8, head[2] == 0xFF { return .jpeg }
            if head[1] == 0x0A { return .jxl }
            return head[1] == 0x4F && head[2] == 0xFF && head[3] == 0x51 ? .jp2 : nil
        case 0x89: return head.starts(with: "PNG\r\n\u{1A}\n", at: 1) ? .png : nil
        case UInt8(ascii: "I"), UInt8(ascii: "M"): return tiff(head) ?? movie(head)
        case UInt8(ascii: "G"):
            if head.starts(with: "GIF87a") || head.starts(with: "GIF89a") { return .gif }
            return isTransportStream(head, packet: 188, first: 0) ? .mts : nil
        case UInt8(ascii: "R") where head.starts(with: "RIFF"):
            if head.starts(with: "WEBP", at: 8) { return .webp }
            return head.starts(with: "AVI ", at: 8) ? .avi : nil
        case UInt8(ascii: "B") where head[1] == UInt8(ascii: "M"): return isBitmap(head) ? .bmp : nil
        case UInt8(ascii: "F"):
            if head.starts(with: "FUJIFILM") { return .raf }
            return head.starts(with: "FOVb") ? .x3f : nil
        default: break
        }
        if head.starts(with: "\0MRM") || head.starts(with: "\0MRI") { return .mrw }
        if head.u32(0) == 12, head.u32(8) == 0x0D0A_870A {
            if head.starts(with: "JXL ", at: 4) { return .jxl }
            if head.starts(with: "jP", at: 4) { return .jp2 }
        }
        // The Blu-ray variant, which AVCHD uses: each packet has a time code of four bytes in front.
        if head[4] == 0x47, isTransportStream(head, packet: 192, first: 4) { return .mts }
        return movie(head)
    }

    /// ISO 13818-1, section 2.4.3: packets of 188 bytes that begin with 0x47, at least four of them.
    private static func isTransportStream(_ head: ByteView, packet: Int, first: Int) -> Bool {
        let starts = stride(from: first, to: head.count, by: packet)
        return head.count >= packet * 4 && starts.allSatisfy { head[$0] == 0x47 }
    }

    private static func tiff(_ head: ByteView) -> MediaFormat? {
        let order: ByteOrder
        if head.starts(with: "II") {
            order = .little
        } else if head.starts(with: "MM") {
            order = .big
        } else {
            return nil
        }
        switch head.u16(2, order) {
        case 0x2A:
            if order == .little, head.starts(with: "CR", at: 8) { return .cr2 }
            // Phase One's own header after that of TIFF: its byte order, and a four-byte number that spells "Raw" with
            // a fourth letter, "T" or "C".
            let isPhaseOne =
                head.starts(with: "MMMMRaw", at: 8)
                || head.starts(with: "IIII", at: 8) && head.starts(with: "waR", at: 13)
            return isPhaseOne ? .iiq : .tiff
        // BigTIFF.
        case 0x2B: return head.u16(4, order) == 8 ? .tiff : nil
        case 0x55: return .rw2
        case 0x4F52, 0x5352: return .orf
        case 0x1A where head.starts(with: "HEAPCCDR", at: 6): return .crw
        default: return nil
        }
    }

    /// BITMAPFILEHEADER has a signature of only two letters; the length and the planes of the next header distinguish
    /// it from text.
    private static func isBitmap(_ head: ByteView) -> Bool {
        guard let length = head.u32(14, .little) else { return false }
        if length == 12 { return head.u16(22, .little) == 1 }
        return [16, 40, 52, 56, 64, 108, 124].contains(length) && head.u16(26, .little) == 1
    }

    /// ISO 14496-12 and QuickTime: the brands in `ftyp`, or the top-level boxes of files without one.
    private static func movie(_ head: ByteView) -> MediaFormat? {
        if head.starts(with: "ftyp", at: 4) {
            guard let length = head.int32(0), length >= 16 || length == 0 else { return nil }
            if let format = format(brand: head, at: 8) { return format == .other ? nil : format.media }
            // A generic major brand (`mif1`, `isom`) does not identify the coding; a compatible brand may.
            var isPicture = isPicture(brand: head, at: 8)
            var at = 16
            while at + 4 <= min(length == 0 ? .max : length, head.count, 512) {
                if let format = format(brand: head, at: at), format.isPicture { return format.media }
                isPicture = isPicture || self.isPicture(brand: head, at: at)
                at += 4
            }
            return isPicture ? .heic : .mp4
        }
        // Box types that are also English words need a length that text cannot have.
        for word: StaticString in ["wide", "free", "skip", "junk", "pnot", "uuid"] where head.starts(with: word, at: 4)
        {
            return head[0] == 0 ? .mov : nil
        }
        return head.starts(with: "moov", at: 4) || head.starts(with: "mdat", at: 4) ? .mov : nil
    }

    private enum Brand {
        case heic, avif, cr3, mov, threeGP, other

        var isPicture: Bool { self == .heic || self == .avif }

        var media: MediaFormat? {
            switch self {
            case .heic: .heic
            case .avif: .avif
            case .cr3: .cr3
            case .mov: .mov
            case .threeGP: .threeGP
            case .other: nil
            }
        }
    }

    /// The brands of ISO 23008-12 that announce a picture in any coding (`1pic`, `vvic` and `unif` files have them).
    private static func isPicture(brand head: ByteView, at offset: Int) -> Bool {
        head.starts(with: "mif1", at: offset) || head.starts(with: "msf1", at: offset)
            || head.starts(with: "mif2", at: offset)
    }

    private static func format(brand head: ByteView, at offset: Int) -> Brand? {
        switch head.u32(offset) {
        // heic heix heim heis hevc hevx hevm hevs avci
        case 0x6865_6963, 0x6865_6978, 0x6865_696D, 0x6865_6973, 0x6865_7663, 0x6865_7678, 0x6865_766D, 0x6865_7673,
            0x6176_6369:
            return .heic
        // avif avis
        case 0x6176_6966, 0x6176_6973: return .avif
        // crx
        case 0x6372_7820: return .cr3
        // qt
        case 0x7174_2020: return .mov
        // M4A M4B M4P F4A F4B and Audible's aax: audio only
        case 0x4D34_4120, 0x4D34_4220, 0x4D34_5020, 0x4634_4120, 0x4634_4220, 0x6161_7820, 0x6161_7863: return .other
        default:
            // 3gp 3g2, and the profiles of 3GPP TS 26.244: 3ge 3gg 3gh 3gm 3gr 3gs 3gt.
            guard head.starts(with: "3g", at: offset), let profile = head[offset + 2] else { return nil }
            return "2eghmprst".utf8.contains(profile) ? .threeGP : nil
        }
    }
}

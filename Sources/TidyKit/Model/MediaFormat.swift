/// The format of a file, determined by its content and never by its name.
package enum MediaFormat: String, CaseIterable, Sendable {
    case jpeg, heic, avif, png, webp, gif, tiff, bmp, jxl, jp2
    case dng, cr2, cr3, crw, nef, arw, raf, orf, rw2, pef, mrw, x3f, srw, erf, mef, dcr, kdc, mos, iiq
    case threeFR = "3fr"
    /// A RAW file of a maker that has no case of its own.
    case raw
    case mov, mp4
    case threeGP = "3gp"
    case avi
    /// MPEG transport stream, as written by AVCHD cameras: `.mts`, `.m2ts`.
    case mts

    package var kind: MediaKind {
        switch self {
        case .jpeg, .heic, .avif, .png, .webp, .gif, .tiff, .bmp, .jxl, .jp2: .photo
        case .dng, .cr2, .cr3, .crw, .nef, .arw, .raf, .orf, .rw2, .pef, .mrw, .x3f, .srw, .erf, .mef, .dcr, .kdc,
            .mos, .iiq, .threeFR, .raw:
            .raw
        case .mov, .mp4, .threeGP, .avi, .mts: .video
        }
    }
}

/// What a format holds. The raw values are those of `kind` in records and of `--type`.
package enum MediaKind: String, CaseIterable, Sendable {
    case photo, raw, video
}

/// Other names by which people know a format.
enum FormatName {
    /// - Parameter word: lowercase.
    static func format(_ word: String) -> MediaFormat? {
        switch word {
        case "jpg": .jpeg
        case "heif", "hif": .heic
        case "tif": .tiff
        case "m2ts", "m2t": .mts
        default: MediaFormat(rawValue: word)
        }
    }
}

/// TIFF files, and the RAW formats based on them: DNG, CR2, NEF, ARW, ORF, RW2, PEF and rarer ones.
enum TIFFMetadata {
    /// The prefixes of the make in RAW files, and their formats.
    private static let makers: [(make: String, format: MediaFormat)] = [
        ("NIKON", .nef), ("SONY", .arw), ("PENTAX", .pef), ("RICOH", .pef), ("ASAHI", .pef), ("SAMSUNG", .srw),
        ("HASSELBLAD", .threeFR), ("SEIKO EPSON", .erf), ("EPSON", .erf), ("MAMIYA", .mef), ("EASTMAN KODAK", .kdc),
        ("KODAK", .dcr), ("LEAF", .mos), ("PHASE ONE", .iiq),
    ]

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let file = try TIFFReader(&parts.window, into: &findings.exif)
        findings.format = format(of: file, findings)
        if file.isCutShort { findings.problems.append(Problem("a TIFF directory lies outside of the file")) }
        let main = file.mainPicture
        (findings.width, findings.height) = (main?.width, main?.height)
        switch findings.format {
        case .tiff:
            // Viewers show the first page; some cameras put its thumbnail before it.
            let pages = file.pictures.filter { $0.area > 0 }
            if let first = pages.first(where: { !$0.isReduced }) ?? pages.first {
                (findings.width, findings.height) = (first.width, first.height)
            }
        case .cr2:
            // The directory of the sensor data has no size; the first directory is a preview.
            if let width = findings.exif.pixelWidth, let height = findings.exif.pixelHeight {
                (findings.width, findings.height) = (width, height)
            }
        case .iiq where !file.holdsSensorData:
            // The directories describe a preview; the size of the photo is in the maker's own data.
            (findings.width, findings.height) = (nil, nil)
        case .rw2:
            if let top = file.borders[0], let left = file.borders[1], let bottom = file.borders[2],
                let right = file.borders[3], 0 <= top, top < bottom, 0 <= left, left < right
            {
                (findings.width, findings.height) = (right - left, bottom - top)
            }
        default: break
        }
        if let xmp = file.xmp {
            parts.readXMP(try parts.window.view(at: xmp.offset, xmp.length), into: &findings)
        }
        for place in file.iptc where findings.isOpenToIPTC(now: parts.now) {
            let bytes = try parts.window.view(at: place.offset, place.length)
            parts.readIPTC(IPTCRecord.datasets(in: bytes), into: &findings)
        }
        if findings.format == .rw2, let jpeg = file.jpeg {
            try JPEGMetadata.readMetadata(&parts, at: jpeg.offset, into: &findings)
        }
    }

    private static func format(of file: TIFFReader, _ findings: MetadataFindings) -> MediaFormat {
        guard findings.format == .tiff else { return findings.format }
        if file.isDNG { return .dng }
        // Compressions that only one maker uses identify the format even if an editor changed the make.
        for picture in file.pictures {
            switch picture.compression {
            case 34713: return .nef
            case 32767: return .arw
            case 65535: return .pef
            default: continue
            }
        }
        guard file.holdsSensorData else { return .tiff }
        let make = findings.exif.make?.uppercased() ?? ""
        return makers.first { make.hasPrefix($0.make) }?.format ?? .raw
    }
}

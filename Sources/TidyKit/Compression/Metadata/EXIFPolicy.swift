/// What a metadata policy keeps of an EXIF block.
struct EXIFPolicy {
    /// The upright size of recompressed pixels; nil if the old ones are kept.
    var newSize: (width: Int, height: Int)?
    /// The new pixels are in sRGB.
    var becomesSRGB = false

    /// Date, camera, lens, exposure, artist and copyright, and what a reader needs to interpret them (EXIF 2.32, tables
    /// 3 to 8). Everything else may reveal a place or a person: location, notes, serial and image numbers, owner.
    private static let safeTags: Set<UInt16> = [
        // Make, Model, Orientation, XResolution, YResolution, ResolutionUnit, Software, DateTime, Artist
        0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B,
        // YCbCrPositioning, Rating, RatingPercent, Copyright
        0x0213, 0x4746, 0x4749, 0x8298,
        // ExposureTime, FNumber, ExposureProgram, SpectralSensitivity, sensitivities
        0x829A, 0x829D, 0x8822, 0x8824, 0x8827, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835,
        // ExifVersion, dates, offsets, ComponentsConfiguration
        0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101,
        // ShutterSpeed … FocalLength, subseconds
        0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920A, 0x9290, 0x9291, 0x9292,
        // FlashpixVersion, ColorSpace, dimensions, ExposureIndex, SensingMethod, FileSource, SceneType
        0xA000, 0xA001, 0xA002, 0xA003, 0xA215, 0xA217, 0xA300, 0xA301,
        // CustomRendered … Sharpness, SubjectDistanceRange
        0xA401, 0xA402, 0xA403, 0xA404, 0xA405, 0xA406, 0xA407, 0xA408, 0xA409, 0xA40A, 0xA40C,
        // LensSpecification, LensMake, LensModel, CompositeImage, Gamma
        0xA432, 0xA433, 0xA434, 0xA460, 0xA461, 0xA500,
    ]
    private static let colorSpace: UInt16 = 0xA001
    /// InteroperabilityIndex of the basic file, which is in sRGB; that of Adobe RGB is R03 (DCF 2.0, section 4.2).
    private static let basicFile = Array("R98\0".utf8)
    /// Tags that mean nothing on their own: a block with no others is not worth its bytes.
    private static let framework: Set<UInt16> = [
        0x0112, 0x011A, 0x011B, 0x0128, 0x0213, 0x9000, 0x9101, 0xA000, 0xA001, 0xA002, 0xA003,
    ]

    /// The block for `safe`, with what the source says elsewhere; nil if nothing useful remains.
    func safe(_ block: [UInt8]?, _ carried: CarriedMetadata) -> [UInt8]? {
        var carried = carried
        if newSize != nil { carried.orientation = nil }
        return carried.added(to: block.flatMap { EXIFDirectories($0) }.flatMap { safe($0) })
    }

    /// The block for `safe`; nil if nothing useful remains.
    func safe(_ block: EXIFDirectories) -> [UInt8]? {
        var kept = block
        kept.directories[.gps] = nil
        for directory in [EXIFDirectories.Directory.main, .exif] {
            kept.directories[directory]?.removeAll { !Self.safeTags.contains($0.tag) }
            kept.directories[directory] = kept.directories[directory]?.compactMap {
                EXIFTypes.corrected(Self.withoutRest($0), in: block)
            }
        }
        // Dimensions belong in the Exif IFD; in IFD0 these tags have no meaning.
        kept.directories[.main]?.removeAll {
            $0.tag == EXIFDirectories.pixelWidth || $0.tag == EXIFDirectories.pixelHeight
        }
        // InteroperabilityIndex and version: "R03" says Adobe RGB.
        kept.directories[.interoperability]?.removeAll { $0.tag > 2 }
        if newSize != nil { update(&kept) }
        let tags = (kept.directories[.main] ?? []) + (kept.directories[.exif] ?? [])
        let isUpright =
            kept.entry(EXIFDirectories.orientation, in: .main).flatMap(kept.number).map { $0 < 2 || $0 > 8 } ?? true
        let isPlain = kept.entry(Self.colorSpace, in: .exif).flatMap(kept.number).map { $0 == 1 } ?? true
        if isUpright, isPlain, tags.allSatisfy({ Self.framework.contains($0.tag) }) { return nil }
        return kept.serialized()
    }

    /// Text ends with NUL; what follows is never shown. Copyright may have a second part, the editor's (EXIF 2.32,
    /// section 4.6.4 D). A few cameras store text as BYTE or UNDEFINED.
    private static func withoutRest(_ entry: EXIFDirectories.Entry) -> EXIFDirectories.Entry {
        let isText = [2, 129].contains(entry.type) || [1, 7].contains(entry.type) && texts.contains(entry.tag)
        guard isText, var end = entry.value.firstIndex(of: 0) else { return entry }
        if entry.tag == SourceMetadata.copyright,
            let second = entry.value[(end + 1)...].firstIndex(of: 0), second > end + 1
        {
            end = second
        }
        var entry = entry
        entry.value.removeLast(entry.value.count - end - 1)
        entry.count = entry.value.count
        return entry
    }

    /// Make, Model, Software, DateTime, Artist, Copyright, dates, offsets and subseconds, LensMake, LensModel.
    private static let texts: Set<UInt16> = [
        0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x8298, 0x8824, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291,
        0x9292, 0xA433, 0xA434,
    ]

    /// Orientation 1 and the new dimensions, if the tags exist.
    private func update(_ block: inout EXIFDirectories) {
        guard let newSize else { return }
        if block.entry(EXIFDirectories.orientation, in: .main) != nil {
            block.set(EXIFDirectories.orientation, in: .main, type: 3, to: 1)
        }
        if becomesSRGB {
            if block.entry(Self.colorSpace, in: .exif) != nil { block.set(Self.colorSpace, in: .exif, type: 3, to: 1) }
            block.directories[.interoperability]?.removeAll { $0.tag == 1 && $0.value != Self.basicFile }
        }
        // JFIF has centred chroma.
        if block.entry(0x0213, in: .main) != nil { block.set(0x0213, in: .main, type: 3, to: 1) }
        if block.entry(EXIFDirectories.pixelWidth, in: .exif) != nil
            || block.entry(EXIFDirectories.pixelHeight, in: .exif) != nil
        {
            block.set(EXIFDirectories.pixelWidth, in: .exif, type: 4, to: newSize.width)
            block.set(EXIFDirectories.pixelHeight, in: .exif, type: 4, to: newSize.height)
        }
    }

    /// The block for `all` with new pixels: changed only in place, because maker notes contain offsets into it. IFD1
    /// and its thumbnail are unlinked.
    func all(_ bytes: [UInt8]) -> [UInt8] {
        guard let newSize, let block = EXIFDirectories(bytes) else { return bytes }
        var bytes = bytes
        func patch(_ tag: UInt16, in directory: EXIFDirectories.Directory, _ value: Int) {
            guard let entry = block.entry(tag, in: directory), let offset = block.valueOffsets[directory]?[tag] else {
                return
            }
            let size = EXIFDirectories.size(ofType: entry.type)
            guard [1, 3, 4, 6, 8, 9].contains(entry.type), entry.count > 0, value < 1 << (8 * size) else { return }
            bytes.replaceSubrange(offset..<offset + size, with: block.bytes(value, size: size))
        }
        patch(EXIFDirectories.orientation, in: .main, 1)
        patch(EXIFDirectories.pixelWidth, in: .exif, newSize.width)
        patch(EXIFDirectories.pixelHeight, in: .exif, newSize.height)
        if becomesSRGB {
            patch(Self.colorSpace, in: .exif, 1)
            if let entry = block.entry(1, in: .interoperability), entry.value.count == Self.basicFile.count,
                let offset = block.valueOffsets[.interoperability]?[1]
            {
                bytes.replaceSubrange(offset..<offset + entry.value.count, with: Self.basicFile)
            }
        }
        patch(0x0100, in: .main, newSize.width)
        patch(0x0101, in: .main, newSize.height)
        if let field = block.nextDirectoryField, field + 4 <= bytes.count {
            let first = bytes[field..<field + 4].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(field..<field + 4, with: [0, 0, 0, 0])
            let start = block.isBigEndian ? first : Int(UInt32(truncatingIfNeeded: first).byteSwapped)
            if start >= block.extent, start <= bytes.count { bytes.removeLast(bytes.count - start) }
        }
        return Self.withTypes(bytes, block)
    }
}

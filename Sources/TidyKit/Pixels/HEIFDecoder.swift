/// Decodes HEIC, HEIF and AVIF with libheif, which turns, mirrors and crops as the file says. EXIF Orientation repeats
/// that, and is ignored.
enum HEIFDecoder {
    /// What the headers say about how to read the decoded picture.
    private struct Reading {
        let header: HEIFHeader
        let structure: HEIFStructure
        /// libheif 1.15 mirrors only samples of 8 bits: deeper pictures are decoded as stored, cropped here, and turned
        /// as planes.
        let turnsLater: Bool
        let conversion: [UInt8]?

        /// The size of the planes in pixels.
        var width: Int { swapsLater ? header.height : header.width }
        var height: Int { swapsLater ? header.width : header.height }
        var isGray: Bool { structure.sampling == .gray }
        private var swapsLater: Bool { turnsLater && structure.orientation.swapsAxes }
    }

    static func picture(
        _ bytes: [UInt8], _ options: DecodingOptions
    ) throws(PictureError) -> SourcePicture {
        if !options.allowsDamaged, let damage = bytes.withUnsafeBytes({ HEIFBoxes.damage(ByteView($0)) }) {
            throw .damaged(damage)
        }
        let coded = try bytes.withView { (view) throws(PictureError) in
            try HEIFCodedPictures(view, trustsFrames: !options.allowsDamaged)
        }
        let library = try HEIFLibrary.shared()
        let structure = bytes.withUnsafeBytes { HEIFStructure(ByteView($0)) }
        let (file, header) = try readable(bytes, library)
        try options.checkSize(header.width, header.height)
        try options.checkSize(header.storedWidth, header.storedHeight)
        try options.checkSize(max(1, coded.largest.width), max(1, coded.largest.height))
        let isGray = structure.sampling == .gray
        let turnsLater = header.depth > 8 && structure.orientation.isMirrorImage && structure.canBeTurnedLater
        var profile =
            header.profile.map { ICCProfile.checked($0, isGray: isGray) } ?? (isGray ? nil : header.color?.profile)
        var conversion = header.profile == nil ? header.color?.conversionToStandardRange : nil
        let convertsWide = header.depth > 8 && conversion == nil && options.convertsWide(profile)
        let isLinear = convertsWide && profile.map(ICCProfile.isLinear) == true
        if convertsWide { swap(&profile, &conversion) }
        let reading = Reading(header: header, structure: structure, turnsLater: turnsLater, conversion: conversion)
        var picture = SourcePicture(width: reading.width, height: reading.height) { (_) throws(PictureError) in
            try file.withView { (view) throws(PictureError) in
                let image = try HEIFImage(
                    HEIFContext(view, library), isGray: isGray, turns: !turnsLater,
                    allowsDamaged: options.allowsDamaged)
                return try planes(image, reading)
            }
        }
        if turnsLater { picture.orientation = structure.orientation }
        if let note = bytes.withUnsafeBytes({ HEIFExtras(ByteView($0)).note }) { picture.notes.append(note) }
        if isLinear { picture.notes.append(SourcePicture.linearNote) }
        picture.metadata.profile = profile
        picture.keepsProfile = !convertsWide
        picture.isGray = isGray
        picture.hasFullChroma = structure.sampling == .full
        picture.decoderBytes = structure.decoderBytes(
            pixels: max(header.storedWidth * header.storedHeight, coded.pixels), depth: header.depth)
        return picture
    }

    /// Adds the samples of the main picture, cropped and turned as the file says, behind its size and colours. False
    /// for files that hold more than one picture.
    static func samples(
        _ bytes: [UInt8], _ options: DecodingOptions, _ digest: inout PictureDigest
    ) throws(PictureError) -> Bool {
        let (damage, extras, structure) = bytes.withView { view in
            (HEIFBoxes.damage(view), HEIFExtras(view).note, HEIFStructure(view))
        }
        guard damage == nil, extras == nil else { return false }
        let coded = try bytes.withView { (view) throws(PictureError) in
            try HEIFCodedPictures(view, trustsFrames: true)
        }
        let library = try HEIFLibrary.shared()
        let (file, header) = try readable(bytes, library)
        try options.checkSize(header.storedWidth, header.storedHeight)
        try options.checkSize(max(1, coded.largest.width), max(1, coded.largest.height))
        let isGray = structure.sampling == .gray
        // libheif 1.15 cannot mirror deep pictures.
        guard header.depth <= 8 || !structure.orientation.isMirrorImage else { return false }
        for number in [header.width, header.height, header.color?.primaries ?? 0, header.color?.transfer ?? 0] {
            digest.add(number)
        }
        digest.add(header.profile ?? [])
        let image = try file.withView { (view) throws(PictureError) in
            try HEIFImage(HEIFContext(view, library), isGray: isGray, allowsDamaged: false)
        }
        image.addSamples(to: &digest)
        return true
    }

    /// The file, or a copy that libheif can read, and its header.
    private static func readable(
        _ bytes: [UInt8], _ library: HEIFLibrary
    ) throws(PictureError) -> (file: [UInt8], HEIFHeader) {
        func header(_ file: [UInt8]) throws(PictureError) -> HEIFHeader {
            try file.withView { (view) throws(PictureError) in HEIFHeader(try HEIFContext(view, library)) }
        }
        do throws(PictureError) { return (bytes, try header(bytes)) } catch {
            // libheif before 1.18 refuses files whose metadata or auxiliary pictures belong to an item of an unknown
            // type, such as the tone map in phone pictures since 2023. As few of them as possible are hidden.
            for types in [["cdsc"], ["cdsc", "auxl"]] {
                guard let copy = HEIFReferences.hidden(types, in: bytes),
                    let header = try? header(copy)
                else { continue }
                return (copy, header)
            }
            throw error
        }
    }

    private static func planes(_ image: HEIFImage, _ reading: Reading) throws(PictureError) -> Planes {
        let (width, height, structure) = (reading.width, reading.height, reading.structure)
        guard image.width >= width, image.height >= height else {
            throw .unsupported("cannot be read: the picture is smaller than the file says")
        }
        let (left, top) = start(image, reading)
        guard left + width <= image.width, top + height <= image.height else {
            throw .unsupported("cannot be read: the picture is smaller than the file says")
        }
        let alpha = try image.alpha()
        let rows = try PixelRows(
            width: width, height: height, isGray: reading.isGray, hasAlpha: alpha != nil,
            convertingFrom: reading.conversion)
        if reading.conversion != nil {
            var row = [UInt16](repeating: 65535, count: 4 * width)
            for y in 0..<height {
                image.read(y + top, from: left, alpha: alpha, into: &row)
                row.withUnsafeBufferPointer { rows.set(y, rgba: $0.baseAddress!) }
            }
        } else {
            var row = [UInt8](repeating: 255, count: 4 * width)
            for y in 0..<height {
                image.read(y + top, from: left, alpha: alpha, into: &row)
                row.withUnsafeBufferPointer { rows.set(y, rgba: $0.baseAddress!) }
            }
        }
        let swaps = structure.orientation.swapsAxes && !reading.turnsLater
        switch structure.sampling {
        case .gray, .full: return rows.planes
        case .quarter: return try rows.planes.thinned(horizontal: 2, vertical: 2)
        case .half: return try rows.planes.thinned(horizontal: swaps ? 1 : 2, vertical: swaps ? 2 : 1)
        }
    }

    /// The top left corner of the picture.
    private static func start(_ image: HEIFImage, _ reading: Reading) -> (left: Int, top: Int) {
        let structure = reading.structure
        if reading.turnsLater { return (structure.crop?.left ?? 0, structure.crop?.top ?? 0) }
        // Encoders pad pictures at the right and bottom to whole blocks; turning moves that padding.
        let left = [2, 3, 6, 7].contains(structure.orientation.rawValue) ? image.width - reading.width : 0
        let top = [3, 4, 7, 8].contains(structure.orientation.rawValue) ? image.height - reading.height : 0
        return (left, top)
    }
}

/// HEIC, HEIF and AVIF by libheif, which turns, mirrors and crops as the file says: EXIF Orientation says so once more,
/// and is not obeyed.
enum HEIFDecoder {
    static func picture(
        _ bytes: [UInt8], _ settings: CompressionSettings
    ) throws(CompressionError) -> SourcePicture {
        let library = try HEIFLibrary.shared()
        let structure = bytes.withUnsafeBytes { HEIFStructure(ByteView($0)) }
        let (file, header) = try readable(bytes, library)
        try settings.checkSize(header.width, header.height)
        try settings.checkSize(header.storedWidth, header.storedHeight)
        let isGray = structure.sampling == .gray
        var picture = SourcePicture(width: header.width, height: header.height) { (_) throws(CompressionError) in
            try file.withView { (view) throws(CompressionError) in
                let image = try HEIFImage(HEIFContext(view, library), allowsDamaged: settings.allowsDamaged)
                return try planes(image, header, structure, isGray: isGray)
            }
        }
        picture.metadata.profile =
            header.profile.map { ICCProfile.checked($0, isGray: isGray) } ?? (isGray ? nil : header.color?.profile)
        picture.isGray = isGray
        picture.hasFullChroma = structure.sampling == .full
        picture.decoderBytes = MemoryEstimate.decoderBytes(
            ofHEIF: structure, pixels: header.storedWidth * header.storedHeight, depth: header.depth)
        return picture
    }

    /// The file, or the copy of it that libheif can read, and what it says.
    private static func readable(
        _ bytes: [UInt8], _ library: HEIFLibrary
    ) throws(CompressionError) -> (file: [UInt8], HEIFHeader) {
        func header(_ file: [UInt8]) throws(CompressionError) -> HEIFHeader {
            try file.withView { (view) throws(CompressionError) in HEIFHeader(try HEIFContext(view, library)) }
        }
        do throws(CompressionError) { return (bytes, try header(bytes)) } catch {
            // libheif before 1.18 refuses files in which metadata or auxiliary pictures belong to an item of a kind that
            // it does not know, such as the tone map of phones since 2023: hidden are no more of them than needed.
            for types in [["cdsc"], ["cdsc", "auxl"]] {
                guard let copy = HEIFReferences.hidden(types, in: bytes),
                    let header = try? header(copy)
                else { continue }
                return (copy, header)
            }
            throw error
        }
    }

    private static func planes(
        _ image: HEIFImage, _ header: HEIFHeader, _ structure: HEIFStructure, isGray: Bool
    ) throws(CompressionError) -> Planes {
        guard image.width >= header.width, image.height >= header.height else {
            throw .unsupported("cannot be read: the picture is smaller than the file says")
        }
        // What a coder added on the right and below to fill its blocks, wherever turning has brought it.
        let (extraWidth, extraHeight) = (image.width - header.width, image.height - header.height)
        let left = [2, 3, 6, 7].contains(structure.orientation.rawValue) ? extraWidth : 0
        let top = [3, 4, 7, 8].contains(structure.orientation.rawValue) ? extraHeight : 0
        let conversion = header.profile == nil ? header.color?.conversionToStandardRange : nil
        let alpha = try image.alpha()
        let rows = try PixelRows(
            width: header.width, height: header.height, isGray: isGray, hasAlpha: alpha != nil,
            convertingFrom: conversion)
        if conversion != nil {
            var row = [UInt16](repeating: 65535, count: 4 * header.width)
            for y in 0..<header.height {
                image.read(y + top, from: left, alpha: alpha, into: &row)
                row.withUnsafeBufferPointer { rows.set(y, rgba: $0.baseAddress!) }
            }
        } else {
            var row = [UInt8](repeating: 255, count: 4 * header.width)
            for y in 0..<header.height {
                image.read(y + top, from: left, alpha: alpha, into: &row)
                row.withUnsafeBufferPointer { rows.set(y, rgba: $0.baseAddress!) }
            }
        }
        let swaps = structure.orientation.swapsAxes
        switch structure.sampling {
        case .gray, .full: return rows.planes
        case .quarter: return try rows.planes.thinned(horizontal: 2, vertical: 2)
        case .half: return try rows.planes.thinned(horizontal: swaps ? 1 : 2, vertical: swaps ? 2 : 1)
        }
    }
}

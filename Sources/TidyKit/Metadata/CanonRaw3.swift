/// Canon CR3: an ISO base media file whose `moov` holds a `uuid` box of Canon's with one TIFF block for each directory
/// of EXIF: `CMT1` for IFD0, `CMT2` for the Exif IFD, `CMT4` for GPS.
enum CanonRaw3 {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var boxes = ISOBoxWalker(to: parts.window.byteCount, most: 1000)
        while let box = try boxes.next(in: &parts.window) {
            if box.type == ISOBox.code("moov") { try readMovie(box, &parts, into: &findings) }
            if box.type == ISOBox.code("uuid") {
                let content = try parts.window.view(at: box.start, box.length)
                if content.u64(0) == ISOBox.xmpIdentifier { parts.readXMP(content.from(16), into: &findings) }
            }
        }
        if findings.exif.pixelWidth == nil, findings.exif.make == nil {
            findings.problems.append(Problem("no movie header: the file is cut short or damaged"))
        }
        findings.width = findings.exif.pixelWidth
        findings.height = findings.exif.pixelHeight
    }

    private static func readMovie(
        _ movie: ISOBox, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        var boxes = ISOBoxWalker(from: movie.start, to: movie.end, most: 1000)
        while let box = try boxes.next(in: &parts.window) {
            if box.type == ISOBox.code("uuid") {
                let content = try parts.window.view(at: box.start, box.length)
                if content.u64(0) == 0x85C0_B687_820F_11E0 {
                    for (type, block) in ISOBoxes(content.from(16)) {
                        switch type {
                        case ISOBox.code("CMT1"): TIFFReader.read(block, into: &findings.exif)
                        case ISOBox.code("CMT2"): TIFFReader.read(block, as: .exif, into: &findings.exif)
                        case ISOBox.code("CMT4"): TIFFReader.read(block, as: .gps, into: &findings.exif)
                        default: break
                        }
                    }
                }
            }
        }
    }
}

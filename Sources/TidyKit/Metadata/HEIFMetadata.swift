/// HEIC, HEIF and AVIF (ISO 23008-12): the `meta` box with its items and their properties. No coded picture is read, so
/// this also reads files that a decoder refuses.
enum HEIFMetadata {
    private static let maximumBoxes = 1000

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var boxes = ISOBoxWalker(to: parts.window.byteCount, most: maximumBoxes)
        while let box = try boxes.next(in: &parts.window) {
            if box.type == ISOBox.code("meta") { return try readMeta(box, &parts, into: &findings) }
        }
        findings.problems.append(Problem("no item directory: the file is cut short or damaged"))
    }

    private static func readMeta(
        _ box: ISOBox, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        // Copied, because reading an item moves the window.
        let meta = HEIFDirectory(try parts.window.view(at: box.start, box.length))
        let properties = meta.primaryProperties
        findings.width = properties.width
        findings.height = properties.height
        findings.containerOrientation = properties.orientation
        findings.hasContainerOrientation = true
        // `width` and `height` are upright already, but the rest of the program applies the orientation to them.
        if properties.orientation.swapsAxes { swap(&findings.width, &findings.height) }
        for item in meta.metadataItems {
            switch item.kind {
            case .exif: try readExif(item, &parts, into: &findings)
            case .xmp:
                try content(of: item, &parts) { packet, parts in parts.readXMP(packet, into: &findings) }
            }
        }
    }

    /// The item begins with the distance to the TIFF header, which counts from the end of these four bytes (ISO
    /// 23008-12, annex A.2.1).
    private static func readExif(
        _ item: HEIFDirectory.Item, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        try content(of: item, &parts) { block, parts in
            let claimed = block.int32(0).map { $0 + 4 } ?? 0
            for start in [claimed, 10, 4, 0] {
                let tiff = block.from(start)
                guard tiff.starts(with: "II*\0") || tiff.starts(with: "MM\0*") else { continue }
                return parts.readTIFFBlock(tiff, into: &findings)
            }
        }
    }

    private static func content(
        of item: HEIFDirectory.Item, _ parts: inout MetadataParts, _ body: (ByteView, inout MetadataParts) -> Void
    ) throws(POSIXError) {
        if item.extents.count == 1, item.inlineData == nil {
            let view = try parts.window.view(at: item.extents[0].offset, Int(clamping: item.extents[0].length))
            return body(view, &parts)
        }
        var bytes: [UInt8] = []
        for extent in item.extents {
            if let data = item.inlineData {
                guard let start = Int(exactly: extent.offset) else { continue }
                let length = extent.length == 0 ? data.count - min(start, data.count) : Int(clamping: extent.length)
                if start >= 0, start <= data.count, length >= 0 {
                    bytes.append(contentsOf: data[start..<min(data.count, start + min(length, data.count))])
                }
            } else {
                let view = try parts.window.view(at: extent.offset, Int(clamping: extent.length))
                bytes.append(contentsOf: view.buffer)
            }
            if bytes.count > FileWindow.maximumPiece { break }
        }
        bytes.withUnsafeBytes { body(ByteView($0), &parts) }
    }
}

/// Canon CR3: an ISO base media file. A `uuid` box in its `moov` holds one TIFF block per EXIF directory: `CMT1` for
/// IFD0, `CMT2` for the Exif IFD, `CMT4` for GPS.
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

/// Canon CRW (CIFF 1.0): a heap whose directory is at its end, with heaps inside.
enum CanonRawHeap {
    private static let maximumHeaps = 20

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let head = try parts.window.view(at: 0, 6)
        let order: ByteOrder = head.starts(with: "II") ? .little : .big
        guard let start = head.int32(2, order).map(Int64.init) else { return }
        var heaps: [(start: Int64, end: Int64)] = [(start, parts.window.byteCount)]
        var index = 0
        while index < heaps.count, index < maximumHeaps {
            let heap = heaps[index]
            index += 1
            guard let offset = try parts.window.view(at: heap.end - 4, 4).int32(0, order) else { continue }
            let directory = heap.start + Int64(offset)
            guard let count = try parts.window.view(at: directory, 2).int16(0, order), count < 512 else { continue }
            for entry in 0..<Int64(count) {
                let record = try parts.window.view(at: directory + 2 + entry * 10, 10)
                guard let tag = record.int16(0, order), let length = record.int32(2, order).map(Int64.init),
                    let place = record.int32(6, order)
                else { break }
                // Two bits of the tag mark a value in the record itself.
                guard tag & 0xC000 == 0 else { continue }
                let value = heap.start + Int64(place)
                switch tag {
                case 0x080A:
                    let names = try parts.window.view(at: value, Int(min(length, 64)))
                    let make = names.untilNUL
                    findings.make = make.text
                    findings.model = names.from(make.count + 1).untilNUL.text
                case 0x180E:
                    // Seconds since 1970 in the local time of the camera.
                    if let seconds = try parts.window.view(at: value, 4).int32(0, order), seconds > 0 {
                        findings.exif.original.date = DateText(wall: WallClock(seconds: Int64(seconds)))
                    }
                case 0x1810:
                    let size = try parts.window.view(at: value, 16)
                    findings.width = size.int32(0, order)
                    findings.height = size.int32(4, order)
                    switch size.u32(12, order).map({ Int32(bitPattern: $0) }) {
                    case 90: findings.exif.orientation = .rotatedRight
                    case 180: findings.exif.orientation = .upsideDown
                    case 270: findings.exif.orientation = .rotatedLeft
                    default: break
                    }
                case 0x2800...0x2FFF, 0x3000...0x37FF:
                    if value + length <= heap.end { heaps.append((value, value + length)) }
                default: break
                }
            }
        }
    }
}

/// Fujifilm RAF: EXIF is in an embedded JPEG, the size of the picture in a directory of tags with lengths.
enum FujiRaw {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 100)
        guard let jpeg = header.int32(84), let directory = header.int32(92) else { return }
        try JPEGMetadata.readMetadata(&parts, at: Int64(jpeg), into: &findings)
        guard let count = try parts.window.view(at: Int64(directory), 4).int32(0), count < 256 else { return }
        var at = Int64(directory) + 4
        for _ in 0..<count {
            let entry = try parts.window.view(at: at, 8)
            guard let tag = entry.int16(0), let length = entry.int16(2) else { return }
            // RawImageCroppedSize, otherwise RawImageFullSize: height, then width.
            if tag == 0x111 || tag == 0x100 && findings.width == nil {
                findings.height = entry.int16(4).flatMap { $0 > 0 ? $0 : nil }
                findings.width = entry.int16(6).flatMap { $0 > 0 ? $0 : nil }
            }
            at += 4 + Int64(length)
        }
    }
}

/// Minolta MRW: named blocks with lengths, one of which is a TIFF file.
enum MinoltaRaw {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let head = try parts.window.view(at: 0, 8)
        let order: ByteOrder = head.starts(with: "\0MRI") ? .little : .big
        guard let length = head.int32(4, order) else { return }
        let content = try parts.window.view(at: 8, length)
        var at = 0
        while let length = content.int32(at + 4, order), let block = content.slice(at + 8, length) {
            if content.starts(with: "\0PRD", at: at) {
                findings.height = block.int16(12, order)
                findings.width = block.int16(14, order)
            } else if content.starts(with: "\0TTW", at: at) {
                TIFFReader.read(block, into: &findings.exif)
            }
            at += 8 + length
        }
    }
}

/// Sigma X3F: the size is in the header, EXIF in a JPEG to which a directory at the end of the file points.
enum SigmaRaw {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 48)
        // Version 4 moved the size.
        let at = header.u16(6, .little) ?? 0 >= 4 ? 40 : 28
        findings.width = header.int32(at, .little)
        findings.height = header.int32(at + 4, .little)
        let end = parts.window.byteCount - 4
        guard let directory = try parts.window.view(at: end, 4).int32(0, .little).map(Int64.init) else { return }
        let table = try parts.window.view(at: directory, 12)
        guard table.starts(with: "SECd"), let count = table.int32(8, .little), count <= 100 else { return }
        for index in 0..<Int64(count) {
            let entry = try parts.window.view(at: directory + 12 + index * 12, 12)
            guard let offset = entry.int32(0, .little).map(Int64.init) else { return }
            if entry.starts(with: "IMA2", at: 8) || entry.starts(with: "IMAG", at: 8) {
                try JPEGMetadata.readMetadata(&parts, at: offset + 28, into: &findings)
            }
        }
    }
}

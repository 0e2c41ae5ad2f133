/// Canon CRW (CIFF 1.0): a heap whose directory stands at its end, with heaps inside.
enum CanonRawHeap {
    private static let mostHeaps = 20

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let head = try parts.window.view(at: 0, 6)
        let order: ByteOrder = head.starts(with: "II") ? .little : .big
        guard let start = head.int32(2, order).map(Int64.init) else { return }
        var heaps: [(start: Int64, end: Int64)] = [(start, parts.window.byteCount)]
        var index = 0
        while index < heaps.count, index < mostHeaps {
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
                // Two bits of the tag say whether the value stands in the record itself.
                guard tag & 0xC000 == 0 else { continue }
                let value = heap.start + Int64(place)
                switch tag {
                case 0x080A:
                    let names = try parts.window.view(at: value, Int(min(length, 64)))
                    let make = names.untilNUL
                    findings.make = make.text
                    findings.model = names.from(make.count + 1).untilNUL.text
                case 0x180E:
                    // Seconds since 1970 on the camera's clock.
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

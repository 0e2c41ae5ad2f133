/// Bytes of a JPEG that affect no pixel, where every block was read without a warning. They are not damage, but a copy
/// leaves them out.
struct JPEGLeftovers: Equatable {
    /// Between the segments before the first scan.
    var strayBytes = 0
    /// All 00 or all FF, after the last block of the last scan.
    var fillBytes = 0
    /// The data end without EOI.
    var lacksEnd = false

    var isEmpty: Bool { self == JPEGLeftovers() }

    /// "mended: 12 stray bytes between segments, no end marker".
    var note: String? {
        if isEmpty { return nil }
        var parts: [String] = []
        if strayBytes > 0 { parts.append("\(strayBytes) stray byte\(strayBytes == 1 ? "" : "s") between its segments") }
        if fillBytes > 0 { parts.append("\(fillBytes) byte\(fillBytes == 1 ? "" : "s") of fill behind its data") }
        if lacksEnd { parts.append("no end marker") }
        return "no pixel is harmed: the source has " + parts.joined(separator: ", ")
    }
}

extension JPEGFile {
    /// The bytes at the end of the last scan, before any marker, that contain no block.
    private struct Fill {
        /// Bytes of 00, and after them of FF, which may precede any marker (T.81, B.1.1.2).
        var zeros = 0
        var ones = 0
        var count: Int { zeros + ones }
    }

    private var lastScan: Segment? { segments.last { $0.marker == Self.startOfScan } }

    private func fill(in bytes: [UInt8]) -> Fill {
        guard let scan = lastScan else { return Fill() }
        let data = bytes[scan.payload.upperBound..<scan.range.upperBound]
        var fill = Fill()
        fill.ones = data.reversed().prefix { $0 == 0xFF }.count
        fill.zeros = data.dropLast(fill.ones).reversed().prefix { $0 == 0 }.count
        // A zero after FF is stuffed, and part of the data.
        if data.dropLast(fill.count).last == 0xFF, fill.zeros > 0 { fill.zeros -= 1 }
        return fill
    }

    /// A decoder that reads zeros takes them for blocks, so nearly all of them must be left over. In a sound file it
    /// has consumed up to eight of them, the bits that it reads ahead.
    private static let fewZeros = 8

    /// Checks the leftovers that a decoder reported against the bytes in the file.
    func checked(_ reported: JPEGLeftovers, in bytes: [UInt8]) throws(PictureError) -> JPEGLeftovers {
        let (fill, behind) = (fill(in: bytes), reported.fillBytes)
        if behind > fill.zeros || behind > 0 && fill.zeros - behind > Self.fewZeros {
            throw .damaged("\(behind) extraneous bytes behind the last block")
        }
        // Lost scans of a truncated file leave no trace in the scans before.
        if reported.lacksEnd, lacksScans(in: bytes, unsentIsMissing: true) {
            throw .damaged("the file ends before its last scan")
        }
        var checked = reported
        checked.fillBytes = (behind > 0 ? fill.zeros : 0) + fill.ones
        return checked
    }

    /// The last scan without fill.
    func withoutFill(_ segment: Segment, in bytes: [UInt8], _ leftovers: JPEGLeftovers) -> ArraySlice<UInt8> {
        guard leftovers.fillBytes > 0, segment.range == lastScan?.range else { return bytes[segment.range] }
        return bytes[segment.range].dropLast(leftovers.fillBytes)
    }

    /// All segments, EOI and the bytes after it, without the leftovers.
    func whole(_ bytes: [UInt8], without leftovers: JPEGLeftovers) -> [UInt8] {
        var whole: [UInt8] = [0xFF, 0xD8]
        whole.reserveCapacity(bytes.count + 2)
        for segment in segments { whole += withoutFill(segment, in: bytes, leftovers) }
        whole += [0xFF, 0xD9]
        if hasEnd { whole += bytes[end...] }
        return whole
    }
}

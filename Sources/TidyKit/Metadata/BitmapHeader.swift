/// BMP: the size in BITMAPCOREHEADER, or in BITMAPINFOHEADER and its successors; a negative height is stored top down.
enum BitmapHeader {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 26)
        if header.u32(14, .little) == 12 {
            findings.width = header.int16(18, .little)
            findings.height = header.int16(20, .little)
        } else {
            findings.width = header.u32(18, .little).map { Int(Int32(bitPattern: $0).magnitude) }
            findings.height = header.u32(22, .little).map { Int(Int32(bitPattern: $0).magnitude) }
        }
    }
}

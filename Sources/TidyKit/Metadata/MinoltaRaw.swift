/// Minolta MRW: blocks with a name and a length, one of them a TIFF file of its own.
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

/// Sigma X3F: the size stands in the header, EXIF in a JPEG that a directory at the end of the file points to.
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

/// AVI: `avih`, the main header in the first list of the RIFF file.
enum AVIHeader {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 96)
        guard header.starts(with: "LIST", at: 12), header.starts(with: "hdrlavih", at: 20) else { return }
        findings.width = header.int32(64, .little).flatMap { $0 > 0 ? $0 : nil }
        findings.height = header.int32(68, .little).flatMap { $0 > 0 ? $0 : nil }
        if let microseconds = header.u32(32, .little), let frames = header.u32(48, .little), microseconds > 0 {
            findings.duration = Double(microseconds) * Double(frames) / 1e6
        }
    }
}

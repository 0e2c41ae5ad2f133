extension JPEGFile {
    /// Bytes after the picture that may be more than padding.
    private static let tellingLength = 512

    /// Data besides metadata that a copy drops with the bytes after the picture and with extended XMP, as text for the
    /// report; nil if there are none.
    func leftOut(in bytes: [UInt8]) -> String? {
        let behind = bytes.count - end
        var parts = extras(in: bytes, behind: behind)
        guard behind >= Self.tellingLength else {
            // Pictures and videos after this one; a truncated one is not listed.
            parts = parts.filter(\.isInPacket)
            return parts.isEmpty ? nil : "left out: " + parts.map(\.name).joined(separator: ", ")
        }
        let names = parts.isEmpty ? "motion video, gain map or the like" : parts.map(\.name).joined(separator: ", ")
        return "left out: \(ByteSize.describe(Int64(behind))) behind the picture (\(names))"
    }

    private struct Extra {
        var name: String
        /// Its data are in XMP.
        var isInPacket = false
    }

    private func extras(in bytes: [UInt8], behind: Int) -> [Extra] {
        let properties = packetProperties(in: bytes)
        var extras: [Extra] = []
        if holdsFilm(in: bytes, behind: behind) { extras.append(Extra(name: "a video clip")) }
        let hasGainMap = properties.contains(.gainMap)
        if hasGainMap { extras.append(Extra(name: "a gain map")) }
        let hasDepth = properties.contains(.depth) || properties.contains(.depthInPacket)
        if hasDepth { extras.append(Extra(name: "a depth map", isInPacket: properties.contains(.depthInPacket))) }
        if properties.contains(.pictureInPacket) {
            extras.append(Extra(name: "a further picture", isInPacket: true))
        }
        if properties.contains(.soundInPacket) { extras.append(Extra(name: "a sound recording", isInPacket: true)) }
        let further = furtherPictures(in: bytes) - (hasGainMap ? 1 : 0) - (properties.contains(.depth) ? 1 : 0)
        if further > 0 { extras.append(Extra(name: "\(further) further picture\(further == 1 ? "" : "s")")) }
        return extras
    }

    private enum PacketProperty: CaseIterable {
        case gainMap, depth, depthInPacket, pictureInPacket, soundInPacket

        /// Markers in the packets: Adobe's and Apple's gain maps, Google's containers and data in extended XMP.
        var texts: [StaticString] {
            switch self {
            case .gainMap: ["hdrgm:Version", "HDRGainMapVersion", "Semantic=\"GainMap\""]
            case .depth: ["Semantic=\"DepthMap\"", "Semantic=\"Depth\"", "DepthData"]
            case .depthInPacket: ["GDepth:Data", "DepthImage"]
            case .pictureInPacket: ["GImage:Data"]
            case .soundInPacket: ["GAudio:Data"]
            }
        }
    }

    private func packetProperties(in bytes: [UInt8]) -> Set<PacketProperty> {
        var properties: Set<PacketProperty> = []
        for segment in segments {
            let content = segment.content(in: bytes)
            guard [.xmp, .extendedXMP, .other].contains(content) else { continue }
            bytes[segment.payload].withUnsafeBytes { raw in
                let view = ByteView(raw)
                if content == .other {
                    // ISO 21496-1, annex C.
                    if segment.marker == Self.app2, view.starts(with: "urn:iso:std:iso:ts:21496:-1") {
                        properties.insert(.gainMap)
                    }
                } else {
                    for property in PacketProperty.allCases where property.texts.contains(where: view.contains) {
                        properties.insert(property)
                    }
                }
            }
        }
        return properties
    }

    /// The first box of an MP4 or QuickTime file.
    private func holdsFilm(in bytes: [UInt8], behind: Int) -> Bool {
        guard behind >= Self.tellingLength else { return false }
        return bytes[end...].withUnsafeBytes { ByteView($0).contains("ftyp") }
    }

    /// Individual images besides the first one, without previews (CIPA DC-007, section 5.2.3.3.1).
    private func furtherPictures(in bytes: [UInt8]) -> Int {
        guard let segment = segments.first(where: { $0.content(in: bytes) == .multiPicture }) else { return 0 }
        return bytes[segment.payload].withUnsafeBytes { raw in
            let block = ByteView(raw).from(4)
            let order: ByteOrder = block.starts(with: "II") ? .little : .big
            guard let start = block.int32(4, order), let count = block.int16(start, order) else { return 0 }
            for index in 0..<min(count, 20) where block.int16(start + 2 + index * 12, order) == 0xB002 {
                guard let length = block.int32(start + 6 + index * 12, order),
                    let place = block.int32(start + 10 + index * 12, order)
                else { return 0 }
                return (1..<max(1, min(length / 16, 1000))).count { number in
                    guard let attribute = block.u32(place + 16 * number, order) else { return false }
                    return attribute >> 16 & 0xFF != 1
                }
            }
            return 0
        }
    }
}

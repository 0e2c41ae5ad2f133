extension SourceMetadata {
    /// SOI and the segments before the tables of a recompressed picture.
    func head(
        _ policy: MetadataPolicy, width: Int, height: Int, becomesSRGB: Bool, swapsDensity: Bool
    ) -> [UInt8] {
        var density = density
        if swapsDensity, let old = density {
            density = JPEGFile.Density(unit: old.unit, horizontal: old.vertical, vertical: old.horizontal)
        }
        var head: [UInt8] = [0xFF, 0xD8] + JPEGFile.jfif(density)
        let edit = EXIFPolicy(newSize: (width, height), becomesSRGB: becomesSRGB)
        let edited =
            policy == .all
            ? packets.map { XMPEdit.updated($0, OutdatedXMP(width: width, height: height, becomesSRGB: becomesSRGB)) }
                .filter { $0.count <= 65504 } : []
        let block: [UInt8]? =
            switch policy {
            case .none: AppleMakerNote.added(contentIdentifier, to: nil)
            case .safe: edit.safe(exif, carried)
            case .all:
                AppleMakerNote.added(
                    contentIdentifier,
                    to: CarriedMetadata.filled(
                        EXIFPolicy.dated(exif.map { edit.all($0) }, beside: edited, taken), texts))
            }
        if let block { head += JPEGFile.segments(exif: block) }
        for packet in edited {
            head += JPEGFile.segment(JPEGFile.app1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
        }
        if !becomesSRGB, let profile { head += JPEGFile.segments(profile: profile) }
        if policy == .all { head += others }
        return head
    }
}

extension JPEGFile {
    /// The file with the same pixels and the segments that the policy allows; the same bytes if nothing is dropped.
    /// - Parameters:
    ///   - carried: what the file says about itself; EXIF gets what only dropped segments say.
    ///   - leftovers: bytes to drop because they affect no pixel.
    func rewritten(
        _ bytes: [UInt8], _ policy: MetadataPolicy, _ carried: CarriedMetadata = CarriedMetadata(),
        _ leftovers: JPEGLeftovers = JPEGLeftovers()
    ) -> [UInt8] {
        if policy == .all { return bytes }
        var out: [UInt8] = [0xFF, 0xD8]
        out.reserveCapacity(end)
        let old = policy == .safe ? exifBlock(in: bytes) : nil
        let exif =
            policy == .safe
            ? EXIFPolicy(newSize: nil).safe(old?.bytes, carried)
            : AppleMakerNote.added(carried.contentIdentifier, to: nil)
        // If there was none: after JFIF, which must be first.
        let place = old?.segments.lowerBound ?? (segments.lastIndex { $0.content(in: bytes) == .jfif } ?? -1) + 1
        let colors = colorSegments(in: bytes)
        let scansEnd = self.scansEnd
        for (index, segment) in segments.enumerated() {
            if index == place, let exif { out += Self.segments(exif: exif) }
            switch segment.content(in: bytes) {
            case nil:
                if !isIdle(segment, scansEnd: scansEnd) { out += withoutFill(segment, in: bytes, leftovers) }
            case .adobe, .icc:
                if colors.contains(segment.range.lowerBound) { out += colorSegment(segment, in: bytes) }
            case .jfif: out += self.jfif(segment, in: bytes)
            default: continue
            }
        }
        return out + [0xFF, 0xD9]
    }
}

/// What a HEIF file contains besides its main picture and a JPEG does not: the video of a motion photo, gain and depth
/// maps, further pictures, the frames of a sequence. Bounded, and trusts no length in the file.
struct HEIFExtras {
    private static let most = 20_000

    /// As text for the report: `a video clip of 2.10 MB`, `2 further pictures`.
    private(set) var names: [String] = []

    init(_ bytes: ByteView) {
        var auxiliary: Set<String> = []
        var further = 0
        var hasToneMap = false
        for (index, box) in ISOBoxes(bytes).enumerated() {
            if index == Self.most { break }
            switch box.type {
            case ISOBox.code("mpvd"): names.append("a video clip of \(ByteSize.describe(Int64(box.content.count)))")
            case ISOBox.code("moov"): addTracks(box.content)
            case ISOBox.code("meta"):
                let items = Items(box.content.from(4))
                (auxiliary, further, hasToneMap) = (items.auxiliary, items.further, items.hasToneMap)
            default: continue
            }
        }
        if hasToneMap || auxiliary.contains(where: { $0.contains("gainmap") }) { names.append("a gain map") }
        if auxiliary.contains(where: { $0.contains("depth") || $0.hasSuffix("auxid:2") }) {
            names.append("a depth map")
        }
        if auxiliary.contains(where: { $0.contains("matte") }) { names.append("a matte") }
        if further > 0 { names.append("\(further) further picture\(further == 1 ? "" : "s")") }
    }

    /// Nil if there is nothing.
    var note: String? { names.isEmpty ? nil : "left out: " + names.joined(separator: ", ") }

    /// A picture sequence or a video, by the handler of its track (ISO 14496-12, section 8.4.3).
    private mutating func addTracks(_ movie: ByteView) {
        for (index, track) in ISOBoxes(movie).enumerated() where track.type == ISOBox.code("trak") {
            guard index < 100 else { return }
            guard let media = ISOBoxes.first("mdia", in: track.content),
                let handler = ISOBoxes.first("hdlr", in: media)
            else { continue }
            if handler.starts(with: "vide", at: 8) { names.append("a video clip") }
            guard handler.starts(with: "pict", at: 8) else { continue }
            let table = ISOBoxes.first("minf", in: media).flatMap { ISOBoxes.first("stbl", in: $0) }
            let frames = table.flatMap { ISOBoxes.first("stsz", in: $0) }?.int32(8) ?? 0
            names.append(frames > 1 ? "\(frames - 1) further frames of an animation" : "the frames of an animation")
        }
    }

    /// From the item directory.
    private struct Items {
        /// Types of auxiliary pictures (`auxC`).
        var auxiliary: Set<String> = []
        /// Visible pictures besides the main one.
        var further = 0
        var hasToneMap = false

        init(_ meta: ByteView) {
            let primary = ISOBoxes.first("pitm", in: meta).flatMap { $0[0] == 0 ? $0.int16(4) : $0.int32(4) }
            if let properties = ISOBoxes.first("iprp", in: meta),
                let container = ISOBoxes.first("ipco", in: properties)
            {
                for (index, property) in ISOBoxes(container).enumerated() where property.type == ISOBox.code("auxC") {
                    if index >= HEIFExtras.most { break }
                    if let text = property.content.from(4).untilNUL.text { auxiliary.insert(text.lowercased()) }
                }
            }
            var shown = shownItems(meta)
            if let primary { shown.remove(primary) }
            for item in partsAndVersions(meta, primary: primary) { shown.remove(item) }
            further = shown.count
        }

        /// Visible pictures, by `iinf` (ISO 14496-12, section 8.11.6; the lowest flag hides).
        private mutating func shownItems(_ meta: ByteView) -> Set<Int> {
            guard let box = ISOBoxes.first("iinf", in: meta) else { return [] }
            let pictures: [StaticString] = ["hvc1", "av01", "grid", "iovl", "iden", "jpeg", "avc1", "j2k1", "unci"]
            var shown: Set<Int> = []
            for (index, entry) in ISOBoxes(box.from(box[0] == 0 ? 6 : 8)).enumerated()
            where entry.type == ISOBox.code("infe") {
                if index >= HEIFExtras.most { break }
                let wide = entry.content[0] == 3
                guard let identifier = wide ? entry.content.int32(4) : entry.content.int16(4) else { continue }
                let at = wide ? 10 : 8
                if entry.content.starts(with: "tmap", at: at) { hasToneMap = true }
                let isHidden = (entry.content[3] ?? 0) & 1 == 1
                if !isHidden, pictures.contains(where: { entry.content.starts(with: $0, at: at) }) {
                    shown.insert(identifier)
                }
            }
            return shown
        }

        /// Excludes thumbnails, auxiliary pictures, and the parts of other pictures (`iref`).
        private func partsAndVersions(_ meta: ByteView, primary: Int?) -> Set<Int> {
            guard let box = ISOBoxes.first("iref", in: meta) else { return [] }
            var parts: Set<Int> = []
            let size = box[0] == 0 ? 2 : 4
            for (index, reference) in ISOBoxes(box.from(4)).enumerated() {
                if index >= HEIFExtras.most { break }
                func identifier(_ at: Int) -> Int? {
                    size == 4 ? reference.content.int32(at) : reference.content.int16(at)
                }
                guard let from = identifier(0) else { continue }
                switch reference.type {
                case ISOBox.code("thmb"), ISOBox.code("auxl"): parts.insert(from)
                case ISOBox.code("dimg"):
                    for number in 0..<min(reference.content.int16(size) ?? 0, HEIFExtras.most) {
                        if let part = identifier(size + 2 + number * size) { parts.insert(part) }
                    }
                default: continue
                }
            }
            return parts
        }
    }
}

/// Edits an XMP packet so that it stays true of new pixels. All other bytes are kept, because a packet may contain
/// properties that we do not know.
struct XMPEdit {
    /// Sets orientation 1 and the new dimensions, and removes what describes gain maps, depth maps, motion videos,
    /// thumbnails or further packets that are dropped. If the packet stops being XML, the rest is kept unchanged.
    static func updated(_ packet: [UInt8], _ outdated: OutdatedXMP) -> [UInt8] {
        var edit = XMPEdit(packet, outdated)
        edit.run()
        return edit.out + packet[edit.copied...]
    }

    private let bytes: [UInt8]
    private var outdated: OutdatedXMP
    private var out: [UInt8] = []
    /// Everything before this offset has been copied or removed.
    private var copied = 0

    private init(_ bytes: [UInt8], _ outdated: OutdatedXMP) {
        self.bytes = bytes
        self.outdated = outdated
        out.reserveCapacity(bytes.count)
    }

    private struct Attribute {
        /// Including the white space before it.
        var range: Range<Int>
        var name: Range<Int>
        /// Without its quotes.
        var value: Range<Int>
    }

    private struct Tag {
        enum Kind { case opens, closes, isEmpty, isOther }
        var kind: Kind
        var range: Range<Int>
        var name = 0..<0
        var attributes: [Attribute] = []
    }

    private mutating func run() {
        var at = 0
        // The number of declarations in force around each open element.
        var outer: [Int] = []
        while let tag = tag(from: at) {
            at = tag.range.upperBound
            if tag.kind == .closes, let count = outer.popLast() { outdated.forget(downTo: count) }
            guard tag.kind == .opens || tag.kind == .isEmpty else { continue }
            let around = outdated.declarations
            for attribute in tag.attributes where bytes[attribute.name].starts(with: "xmlns:".utf8) {
                outdated.declare(bytes[attribute.name].dropFirst(6), bytes[attribute.value])
            }
            // An element that is removed, or gets a new value, is skipped to its end.
            var isPassed = tag.kind == .isEmpty
            defer { if isPassed { outdated.forget(downTo: around) } else { outer.append(around) } }
            switch outdated.fate(of: bytes[tag.name]) {
            case .goes:
                guard let end = end(of: tag) else { return }
                replace(tag.range.lowerBound..<end.upperBound)
                at = end.upperBound
                isPassed = true
                continue
            case .becomes(let value) where tag.kind == .opens:
                guard let end = end(of: tag) else { return }
                replace(tag.range.upperBound..<end.lowerBound, with: value)
                at = end.upperBound
                isPassed = true
                continue
            case .becomes, .stays: break
            }
            for attribute in tag.attributes {
                switch outdated.fate(of: bytes[attribute.name]) {
                case .stays: break
                case .goes: replace(attribute.range)
                case .becomes(let value): replace(attribute.value, with: value)
                }
            }
        }
    }

    /// Ranges must be in the order of the packet.
    private mutating func replace(_ range: Range<Int>, with value: String = "") {
        out += bytes[copied..<range.lowerBound]
        out += value.utf8
        copied = range.upperBound
    }

    /// The closing tag of an element; an empty element closes itself.
    private func end(of tag: Tag) -> Range<Int>? {
        if tag.kind == .isEmpty { return tag.range }
        var depth = 1
        var at = tag.range.upperBound
        while let next = self.tag(from: at) {
            at = next.range.upperBound
            switch next.kind {
            case .opens: depth += 1
            case .closes: depth -= 1
            case .isEmpty, .isOther: break
            }
            if depth == 0 { return next.range }
        }
        return nil
    }

    /// The next piece of markup; nil if there is none, or if it is not closed.
    private func tag(from start: Int) -> Tag? {
        guard let open = bytes[start...].firstIndex(of: UInt8(ascii: "<")), open + 1 < bytes.count else { return nil }
        switch bytes[open + 1] {
        case UInt8(ascii: "?"): return other(open, until: "?>")
        case UInt8(ascii: "!"):
            if bytes[open...].starts(with: "<!--".utf8) { return other(open, until: "-->") }
            if bytes[open...].starts(with: "<![CDATA[".utf8) { return other(open, until: "]]>") }
            return other(open, until: ">")
        case UInt8(ascii: "/"): return other(open, until: ">", kind: .closes)
        default: break
        }
        var tag = Tag(kind: .opens, range: open..<open)
        var at = nameEnd(from: open + 1)
        tag.name = open + 1..<at
        while at < bytes.count {
            let space = at
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count else { return nil }
            if bytes[at] == UInt8(ascii: ">") || bytes[at] == UInt8(ascii: "/") {
                if bytes[at] == UInt8(ascii: "/") {
                    tag.kind = .isEmpty
                    at += 1
                }
                guard at < bytes.count, bytes[at] == UInt8(ascii: ">") else { return nil }
                tag.range = open..<at + 1
                return tag
            }
            let name = at..<nameEnd(from: at)
            guard !name.isEmpty, let quote = bytes[name.upperBound...].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
                let end = bytes[(quote + 1)...].firstIndex(of: bytes[quote])
            else { return nil }
            tag.attributes.append(Attribute(range: space..<end + 1, name: name, value: quote + 1..<end))
            at = end + 1
        }
        return nil
    }

    private func other(_ open: Int, until end: String, kind: Tag.Kind = .isOther) -> Tag? {
        bytes[open...].firstRange(of: end.utf8).map { Tag(kind: kind, range: open..<$0.upperBound) }
    }

    private func nameEnd(from start: Int) -> Int {
        let ends: [UInt8] = [UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<")]
        return bytes[start...].firstIndex { $0 <= 0x20 || ends.contains($0) } ?? bytes.count
    }
}

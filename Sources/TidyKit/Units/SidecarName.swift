/// What a sidecar is, told by its name: XMP and Takeout's JSON may say date, place and rating of the photo.
public enum SidecarKind: Sendable { case adjustments, xmp, takeout }

/// A file that is about another one, told by its name: `.aae`, `.xmp`, `.json`.
struct SidecarName {
    let kind: SidecarKind
    /// The name without `.aae`, `.xmp` or `.json`.
    let base: ArraySlice<UInt8>

    /// Nil for a name that is no sidecar's.
    init?(_ name: [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 5 else { return nil }
        let ending = name[(dot + 1)...].lazy.map(\.asciiLowercased)
        if ending.elementsEqual("xmp".utf8) {
            kind = .xmp
        } else if ending.elementsEqual("aae".utf8) {
            kind = .adjustments
        } else if ending.elementsEqual("json".utf8) {
            kind = .takeout
        } else {
            return nil
        }
        base = name[..<dot]
    }

    /// What a Takeout JSON may be about, best guess first. Google writes `NAME.json`, later `NAME.supplemental-metadata.json`
    /// cut short anywhere behind the name, and moves the number of a second file to the end: `a(1).jpg` has `a.jpg(1).json`.
    var takeoutNames: [[UInt8]] {
        let whole = Array(base)
        var names = [whole]
        let (plain, number) = Self.withoutNumber(base)
        for base in number.isEmpty ? [base] : [plain] {
            for name in [base] + (Self.withoutSupplement(base).map { [$0] } ?? []) {
                let numbered = Self.insert(number, into: name)
                if !names.contains(numbered) { names.append(numbered) }
            }
        }
        return names
    }

    /// The number that stands at the end of the base, such as `(1)`, and where the name is cut before it.
    static func withoutNumber(_ base: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, number: ArraySlice<UInt8>) {
        guard base.last == UInt8(ascii: ")"), let open = base.lastIndex(of: UInt8(ascii: "(")),
            base.count - (open - base.startIndex) > 2, base[(open + 1)..<(base.endIndex - 1)].allSatisfy(\.isASCIIDigit)
        else { return (base, []) }
        return (base[..<open], base[open...])
    }

    private static func withoutSupplement(_ base: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let dot = base.lastIndex(of: UInt8(ascii: ".")), dot > base.startIndex,
            "supplemental-metadata".utf8.starts(with: base[(dot + 1)...])
        else { return nil }
        return base[..<dot]
    }

    /// `a.jpg` with `(1)` becomes `a(1).jpg`.
    private static func insert(_ number: ArraySlice<UInt8>, into name: ArraySlice<UInt8>) -> [UInt8] {
        guard !number.isEmpty else { return Array(name) }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            return Array(name) + Array(number)
        }
        return Array(name[..<dot]) + Array(number) + Array(name[dot...])
    }

    /// Where Google cuts names: 46 characters, and `.json` behind them.
    var isCutShort: Bool {
        let (plain, _) = Self.withoutNumber(base)
        return plain.count == 46 || String(decoding: plain, as: UTF8.self).utf16.count == 46
    }

    /// True for a JSON that can only be Takeout's: behind its name stands `.supplemental…`, or the name of a media file.
    var isSurelyTakeout: Bool {
        guard kind == .takeout else { return false }
        let (plain, _) = Self.withoutNumber(base)
        guard let dot = plain.lastIndex(of: UInt8(ascii: ".")), dot > plain.startIndex else { return false }
        let ending = plain[(dot + 1)...]
        if ending.count >= 4, "supplemental-metadata".utf8.starts(with: ending) { return true }
        let word = String(decoding: ending, as: UTF8.self).lowercased()
        return FormatName.format(word) != nil || word == "m4v" || word == "mp"
    }

    /// The stems that an AAE may belong to, its own first: Apple names the edited copy of `IMG_1234` `IMG_E1234`, and its
    /// older adjustments `IMG_O1234`.
    var adjustmentStems: [[UInt8]] {
        let whole = Array(base)
        let prefix = Array("IMG_".utf8)
        guard kind == .adjustments, whole.starts(with: prefix), whole.count > 5 else { return [whole] }
        let rest = whole[4...]
        if rest.allSatisfy(\.isASCIIDigit) { return [whole, prefix + [UInt8(ascii: "E")] + rest] }
        guard rest.first == UInt8(ascii: "E") || rest.first == UInt8(ascii: "O"),
            rest.dropFirst().allSatisfy(\.isASCIIDigit)
        else { return [whole] }
        return [whole, prefix + rest.dropFirst()]
    }
}

/// A sidecar, recognised by its name: `.aae`, `.xmp`, `.json` and the files of RAW developers.
struct SidecarName {
    let kind: SidecarKind
    /// The name without its extension.
    let base: ArraySlice<UInt8>

    /// Nil for other names.
    init?(_ name: [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, (4...5).contains(name.count - dot),
            let kind = SidecarKind(ending: name[(dot + 1)...].lazy.map(\.asciiLowercased))
        else { return nil }
        self.kind = kind
        base = name[..<dot]
    }

    /// darktable names further versions `IMG_1_02.jpg.xmp`: the base `IMG_1_02.jpg` then refers to `IMG_1.jpg`. Nil for
    /// other names.
    var versionOf: [UInt8]? {
        guard kind == .xmp, let dot = base.lastIndex(of: UInt8(ascii: ".")), dot - base.startIndex > 3,
            base[dot - 3] == UInt8(ascii: "_"), base[dot - 2].isASCIIDigit, base[dot - 1].isASCIIDigit
        else { return nil }
        return Array(base[..<(dot - 3)]) + Array(base[dot...])
    }

    /// True for a name in the form of cameras: four letters, digits or `_`, and a number of four digits (DCF 2.0,
    /// 3.2.3).
    var isCameraNumber: Bool {
        base.count == 8 && base.suffix(4).allSatisfy(\.isASCIIDigit)
            && base.prefix(4).allSatisfy { byte in
                byte.isASCIIDigit || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte.asciiLowercased)
            }
    }

    /// The names of files that a Takeout JSON may describe, most likely first. Google writes `NAME.json`, later
    /// `NAME.supplemental-metadata.json` truncated at any position after the name, and moves the number of a second
    /// file to the end: `a(1).jpg` has `a.jpg(1).json`.
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

    /// A number such as `(1)` at the end of the base, and the base without it.
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

    /// True if the name may be truncated: Google keeps 46 characters before `.json`.
    var isCutShort: Bool {
        let (plain, _) = Self.withoutNumber(base)
        return plain.count == 46 || String(decoding: plain, as: UTF8.self).utf16.count == 46
    }

    /// True for a JSON name that only Takeout writes: it contains `.supplemental…`, or the full name of a media file.
    var isSurelyTakeout: Bool {
        guard kind == .takeout else { return false }
        let (plain, _) = Self.withoutNumber(base)
        guard let dot = plain.lastIndex(of: UInt8(ascii: ".")), dot > plain.startIndex else { return false }
        let ending = plain[(dot + 1)...]
        if ending.count >= 4, "supplemental-metadata".utf8.starts(with: ending) { return true }
        let word = String(decoding: ending, as: UTF8.self).lowercased()
        return FormatName.format(word) != nil || word == "m4v" || word == "mp"
    }

    /// The stems to which an AAE file may belong, its own first: Apple names the edited copy of `IMG_1234` `IMG_E1234`,
    /// and the previous adjustments `IMG_O1234` or `IMG_1234_O`.
    var adjustmentStems: [[UInt8]] {
        let whole = Array(base)
        guard kind == .adjustments else { return [whole] }
        var stems = [whole]
        if whole.count > 2, whole.suffix(2).elementsEqual("_O".utf8) { stems.append(whole.dropLast(2)) }
        let prefix = Array("IMG_".utf8)
        for stem in stems where stem.starts(with: prefix) && stem.count > 5 {
            var number = stem[4...]
            if number.first == UInt8(ascii: "E") || number.first == UInt8(ascii: "O") { number = number.dropFirst() }
            guard number.allSatisfy(\.isASCIIDigit) else { continue }
            // The original comes first, then its edited copy, in case the original is gone.
            for further in [prefix + number, prefix + [UInt8(ascii: "E")] + number] where !stems.contains(further) {
                stems.append(further)
            }
        }
        return stems
    }
}

/// A file that is about another one, told by its name: `.aae`, `.xmp`, `.json` and what developing programs write.
struct SidecarName {
    let kind: SidecarKind
    /// The name without its extension.
    let base: ArraySlice<UInt8>

    /// Nil for a name that is not a sidecar's.
    init?(_ name: [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, (4...5).contains(name.count - dot),
            let kind = SidecarKind(ending: name[(dot + 1)...].lazy.map(\.asciiLowercased))
        else { return nil }
        self.kind = kind
        base = name[..<dot]
    }

    /// darktable's further version `IMG_1_02.jpg` (of `IMG_1_02.jpg.xmp`) is about `IMG_1.jpg`; nil for other names.
    var versionOf: [UInt8]? {
        guard kind == .xmp, let dot = base.lastIndex(of: UInt8(ascii: ".")), dot - base.startIndex > 3,
            base[dot - 3] == UInt8(ascii: "_"), base[dot - 2].isASCIIDigit, base[dot - 1].isASCIIDigit
        else { return nil }
        return Array(base[..<(dot - 3)]) + Array(base[dot...])
    }

    /// True for the name that a camera gives: four letters, digits or `_`, and a number of four digits (DCF 2.0, 3.2.3).
    var isCameraNumber: Bool {
        base.count == 8 && base.suffix(4).allSatisfy(\.isASCIIDigit)
            && base.prefix(4).allSatisfy { byte in
                byte.isASCIIDigit || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte.asciiLowercased)
            }
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

    /// The stems that an AAE may belong to, its own first: Apple names the edited copy of `IMG_1234` `IMG_E1234`, and the
    /// adjustments before the last ones `IMG_O1234` or `IMG_1234_O`.
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
            // The original first; where that is gone, its edited copy.
            for further in [prefix + number, prefix + [UInt8(ascii: "E")] + number] where !stems.contains(further) {
                stems.append(further)
            }
        }
        return stems
    }
}

/// What a sidecar is, told by its name. XMP and Takeout's JSON may say date, place and rating of the photo.
package enum SidecarKind: Sendable {
    case xmp
    /// `.AAE`: what Apple's editors did.
    case adjustments
    /// The JSON that Google Takeout writes beside a photo.
    case takeout
    /// RawTherapee, DxO, ON1, ART and Capture One.
    case development
    /// `.SRT` of a film: where a drone was.
    case subtitles
    /// `.WAV`: a note spoken into the camera.
    case sound

    /// True for what is an orphan where its photo is gone.
    var canBeOrphan: Bool {
        switch self {
        case .xmp, .adjustments, .takeout, .development: true
        case .subtitles, .sound: false
        }
    }

    /// True for what goes with some photos only: a film's subtitles never with a picture.
    var asksContent: Bool { self == .subtitles || self == .sound }

    /// - Parameter ending: an extension in lower case.
    init?(ending: some Sequence<UInt8>) {
        func isEnding(_ word: StaticString) -> Bool {
            ending.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }
        if isEnding("xmp") {
            self = .xmp
        } else if isEnding("json") {
            self = .takeout
        } else if isEnding("aae") {
            self = .adjustments
        } else if isEnding("srt") {
            self = .subtitles
        } else if isEnding("wav") {
            self = .sound
        } else if isEnding("pp3") || isEnding("dop") || isEnding("on1") || isEnding("arp") || isEnding("cos") {
            self = .development
        } else {
            return nil
        }
    }
}

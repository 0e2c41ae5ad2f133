/// Names that file managers and browsers give to copies, in the languages of their users.
enum CopyName {
    /// After the name: `a copy`, `a - Kopie`, `a — копия`.
    private static let words = [
        "copy", "kopie", "copie", "copia", "c\u{F3}pia", "kopia", "kopi", "копия", "копія", "コピー", "副本", "복사본",
    ]
    /// Before the name: `Copy of a`, `Kopie (2) von a`.
    private static let phrases = [
        ("copy", "of"), ("kopie", "von"), ("kopie", "van"), ("copie", "de"), ("copia", "de"), ("copia", "di"),
        ("c\u{F3}pia", "de"), ("kopia", "av"), ("kopi", "av"), ("kopi", "af"),
    ]

    /// `a copy`, `a copy 2`, `a - Copy`, `a (1)`, `a(1)`, `a (copy 2)`, `Copy of a`.
    /// - Parameter stem: the name without its extension.
    static func matches(stem: String) -> Bool {
        let stem = stem.lowercased()[...]
        if stem.last == ")", let bracket = stem.lastIndex(of: "("), bracket > stem.startIndex {
            let inside = stem[stem.index(after: bracket)...].dropLast()
            if isNumber(inside) || words.contains(where: { withoutNumber(inside) == $0 }) { return true }
        }
        let name = withoutNumber(stem)
        if words.contains(where: { name.hasSuffix(" " + $0) }) || name.hasSuffix("のコピー") { return true }
        return phrases.contains { word, link in
            guard stem.hasPrefix(word + " ") else { return false }
            var rest = stem.dropFirst(word.count + 1)
            if rest.first == "(", let end = rest.firstIndex(of: ")"),
                isNumber(rest[rest.index(after: rest.startIndex)..<end])
            {
                rest = rest[end...].dropFirst(2)
            }
            return rest.hasPrefix(link + " ") && rest.count > link.count + 1
        }
    }

    /// Without ` 2` at the end.
    private static func withoutNumber(_ text: Substring) -> Substring {
        guard let space = text.lastIndex(of: " "), isNumber(text[text.index(after: space)...]) else { return text }
        return text[..<space]
    }

    /// As `matches(stem:)`, and `a 2`, `a-1`, `a - 1`: among photos that are alike, a number says as much as a word.
    /// - Parameter stem: the name without its extension.
    package static func isCopy(_ stem: String) -> Bool {
        if matches(stem: stem) { return true }
        guard let mark = stem.lastIndex(where: { $0 == " " || $0 == "-" }), mark > stem.startIndex else { return false }
        let number = stem[stem.index(after: mark)...]
        // Longer numbers are those of cameras and dates.
        return number.count <= 2 && isNumber(number)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { "0123456789".contains($0) }
    }
}

/// The copy that Google Photos makes when a photo is edited: `a-edited.jpg` of `a.jpg`. Takeout writes one JSON file
/// for both.
enum EditedName {
    /// What Takeout appends to the stem, in the language of the account. The French suffix occurs in NFC and NFD form.
    private static let suffixes: [[UInt8]] = [
        "-edited", "-bearbeitet", "-modifié", "-modifie\u{301}", "-bewerkt", "-edytowane", "-modificato", "-editado",
        "-ha editado", "-editat", "-編集済み", "-编辑",
    ].map { Array($0.utf8) }

    /// `a` for the stem `a-edited`, `a(1)` for `a-edited(1)`; nil for other names.
    static func originalStem(_ stem: ArraySlice<UInt8>) -> [UInt8]? {
        let (plain, number) = SidecarName.withoutNumber(stem)
        for suffix in suffixes where plain.count > suffix.count && plain.suffix(suffix.count).elementsEqual(suffix) {
            return Array(plain.dropLast(suffix.count)) + Array(number)
        }
        return nil
    }
}

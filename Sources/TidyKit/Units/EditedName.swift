/// The copy that Google Photos makes of a photo that was edited: `a-edited.jpg` of `a.jpg`. Takeout writes one JSON for
/// both.
enum EditedName {
    /// What Takeout puts behind the stem, in the language of the account. French comes composed and decomposed.
    private static let suffixes: [[UInt8]] = [
        "-edited", "-bearbeitet", "-modifié", "-modifie\u{301}", "-bewerkt", "-edytowane", "-modificato", "-editado",
        "-ha editado", "-editat", "-編集済み", "-编辑",
    ].map { Array($0.utf8) }

    /// `a` for the stem `a-edited`, `a(1)` for `a-edited(1)`; nil for a name that is no edited copy's.
    static func originalStem(_ stem: ArraySlice<UInt8>) -> [UInt8]? {
        let (plain, number) = SidecarName.withoutNumber(stem)
        for suffix in suffixes where plain.count > suffix.count && plain.suffix(suffix.count).elementsEqual(suffix) {
            return Array(plain.dropLast(suffix.count)) + Array(number)
        }
        return nil
    }
}

internal import TidyKit

/// The companions of a photo in a line for people: `IMG_1.AAE, IMG_1.MOV`.
enum CompanionNames {
    /// More than these are counted.
    private static let most = 6

    /// Nil where there are none.
    static func list(_ files: [FilePath]) -> String? {
        guard !files.isEmpty else { return nil }
        let shown = files.count > most ? most - 1 : files.count
        var names = files.prefix(shown).map { TerminalText.escaped(FilePath($0.lastComponent)) }
        if shown < files.count { names.append("\(files.count - shown) more") }
        return names.joined(separator: ", ")
    }
}

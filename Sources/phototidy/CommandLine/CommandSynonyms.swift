internal import TidyKit

/// What other programs call our commands.
extension CommandSpec {
    /// The command that somebody meant; nil where none is near enough.
    static func meant(by word: String) -> String? {
        Suggestion.nearest(to: word, in: displayed.map(\.commandName), synonyms: synonyms)
    }

    /// What other programs, and other commands of this one, call our options.
    static let optionSynonyms: [String: [String]] = [
        "--size": ["--max-size"], "--target": ["--max-size"], "--resize": ["--max-edge"], "--width": ["--max-edge"],
        "--max-width": ["--max-edge"], "--strip": ["--metadata"], "--strip-all": ["--metadata"],
        "--force": ["--overwrite", "--yes"], "--threads": ["--jobs"], "--out": ["--output"],
    ]

    private static let synonyms: [String: [String]] = [
        "rm": ["delete"], "remove": ["delete"], "trash": ["delete"], "del": ["delete"], "erase": ["delete"],
        "restore": ["undo"], "recover": ["undo"], "untrash": ["undo"], "undelete": ["undo"], "revert": ["undo"],
        "ls": ["list"], "dir": ["list"], "show": ["list"], "find": ["filter"], "search": ["filter"], "fd": ["filter"],
        "grep": ["filter"], "shrink": ["compress"], "resize": ["compress"], "reduce": ["compress"],
        "convert": ["compress"], "optimize": ["compress"], "cache": ["index"], "man": ["help"],
    ]
}

internal import TidyKit

/// One command, as a table from which parsing, help, completions and the manual page are made. Properties have the
/// names of swift-argument-parser's CommandConfiguration.
struct CommandSpec: Sendable {
    /// The operands of a command.
    struct Operands: Sendable {
        let valueName: String
        let help: String
        let count: ClosedRange<Int>
        /// Nil if any value is accepted, such as a path.
        let choices: [String]?
        let completion: Completion

        /// - Parameter completion: by default the choices, or files for `PATH`.
        init(
            _ valueName: String, _ count: ClosedRange<Int>, choices: [String]? = nil, help: String,
            completion: Completion? = nil
        ) {
            self.completion = completion ?? choices.map(Completion.words) ?? (valueName == "PATH" ? .files : .nothing)
            self.valueName = valueName
            self.count = count
            self.choices = choices
            self.help = help
        }
    }

    /// What a shell offers for the operands of a command.
    enum Completion: Sendable {
        case files
        case words([String])
        /// The names of the commands.
        case commands
        /// The ID of a run, and after it files.
        case runsThenFiles
        case nothing

        /// The words that do not depend on the state of the disk.
        var words: [String] {
            switch self {
            case .words(let words): words
            case .commands: CommandSpec.displayed.map(\.commandName)
            case .files, .runsThenFiles, .nothing: []
            }
        }
    }

    /// Options that exclude each other.
    enum Rule: Sendable {
        /// `operands` is the placeholder of the operands if they count as one of the alternatives: `PATH`.
        case exactlyOne(of: [OptionSpec], operands: String? = nil)
        case atMostOne(of: [OptionSpec], operands: String? = nil)
    }

    struct Example: Sendable {
        let command: String
        let explanation: String

        init(_ command: String, _ explanation: String) {
            self.command = command
            self.explanation = explanation
        }
    }

    let commandName: String
    /// One line.
    let abstract: String
    /// Without `phototidy`; each element is one form.
    let usage: [String]
    /// Paragraphs after the abstract.
    let discussion: [String]
    let operands: Operands?
    let options: [OptionSpec]
    let rules: [Rule]
    let examples: [Example]
    let subcommands: [CommandSpec]
    let shouldDisplay: Bool

    init(
        _ commandName: String, abstract: String, usage: [String], discussion: [String] = [],
        operands: Operands? = nil, options: [OptionSpec] = [], rules: [Rule] = [], examples: [Example] = [],
        subcommands: [CommandSpec] = [], shouldDisplay: Bool = true
    ) {
        self.commandName = commandName
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.operands = operands
        // Every command has `--help`.
        self.options = subcommands.isEmpty ? options + [.help] : options
        self.rules = rules
        self.examples = examples
        self.subcommands = subcommands
        self.shouldDisplay = shouldDisplay
    }

    var completion: Completion { operands?.completion ?? .nothing }

    func subcommand(_ name: String) -> CommandSpec? { subcommands.first { $0.commandName == name } }

    /// The options of this command, or of all its subcommands: `select -s trip add` must be parsed before the verb is
    /// known.
    var parsedOptions: [OptionSpec] {
        var seen: Set<String> = []
        return (options + subcommands.flatMap(\.options)).filter { seen.insert($0.name).inserted }
    }

    func option(long name: String) -> OptionSpec? { parsedOptions.first { $0.name == name } }
    func option(short name: Character) -> OptionSpec? { parsedOptions.first { $0.short == name } }
    func accepts(_ option: OptionSpec) -> Bool { options.contains { $0.name == option.name } }
}

/// The names of our commands in other programs.
extension CommandSpec {
    /// The command that a user probably meant; nil if none is near enough.
    static func meant(by word: String) -> String? {
        Suggestion.nearest(to: word, in: displayed.map(\.commandName), synonyms: synonyms)
    }

    /// The names of our options in other programs and in other commands of this one.
    static let optionSynonyms: [String: [String]] = [
        "--size": ["--max-size"], "--target": ["--max-size"], "--resize": ["--max-edge"], "--width": ["--max-edge"],
        "--max-width": ["--max-edge"], "--strip": ["--metadata"], "--strip-all": ["--metadata"],
        "--force": ["--overwrite", "--yes"], "--threads": ["--jobs"], "--out": ["--output"],
    ]

    /// What to do instead, for an option that only other commands have; nil for all others.
    /// - Parameter written: with its dashes.
    func advice(onOption written: String) -> String? {
        if Self.optionSynonyms[written]?.contains(where: { option(long: String($0.dropFirst(2))) != nil }) == true {
            return nil
        }
        if commandName == "delete", written == OptionSpec.groups.long {
            return "-n shows what would go and what stays for it, and 'phototidy list --groups' shows the groups"
        }
        let owners = Self.displayed.filter { $0.option(long: String(written.dropFirst(2)))?.shouldDisplay == true }
        guard !owners.isEmpty else { return nil }
        return "it is an option of " + owners.map { "'\($0.commandName)'" }.joined(separator: ", ")
    }

    private static let synonyms: [String: [String]] = [
        "rm": ["delete"], "remove": ["delete"], "trash": ["delete"], "del": ["delete"], "erase": ["delete"],
        "restore": ["undo"], "recover": ["undo"], "untrash": ["undo"], "undelete": ["undo"], "revert": ["undo"],
        "ls": ["list"], "dir": ["list"], "show": ["list"], "find": ["filter"], "search": ["filter"], "fd": ["filter"],
        "grep": ["filter"], "shrink": ["compress"], "resize": ["compress"], "reduce": ["compress"],
        "convert": ["compress"], "optimize": ["compress"], "cache": ["index"], "man": ["help"],
    ]
}

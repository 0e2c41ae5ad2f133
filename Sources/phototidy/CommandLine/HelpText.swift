/// The help of the program and of each command, made from the table.
enum HelpText {
    /// The help of `phototidy` without a command: an overview and a first tour.
    static func overview(columns: Int) -> String {
        let width = min(max(columns, 40), 120)
        var text = "Tidy folders of photos: list, filter, select, delete with undo, compress.\n\n"
        text += "Usage: \(Program.name) COMMAND [PATH...] [OPTIONS]\n\nCommands:\n"
        text += entries(
            CommandSpec.displayed.map { ($0.commandName, $0.abstract) }, column: 15, width: width)
        text += "\nA first tour:\n"
        text += examples([
            .init("phototidy list ~/Pictures", "what is there, newest first"),
            .init("phototidy filter ~/Pictures --size 5MB.. --older-than 2y", "only what matches"),
            .init("phototidy list ~/Pictures --similar --groups", "what you have more than once, and what would stay"),
            .init("phototidy delete ~/Pictures --screenshot --older-than 1y -n", "what would go; -n touches nothing"),
            .init("phototidy delete ~/Pictures --screenshot --older-than 1y", "to the trash, after a question"),
            .init("phototidy undo", "restores them"),
            .init("phototidy compress ~/Pictures/Trip -o ~/web --max-size 150kB", "small copies"),
        ])
        text += "\nExit codes:\n"
        text += entries(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }, column: 7, width: width)
        return text + "\n'\(Program.name) help COMMAND' explains a command and its options, with examples.\n"
    }

    static func text(of spec: CommandSpec, columns: Int) -> String {
        let width = min(max(columns, 40), 120)
        var text = "\(spec.abstract).\n"
        for paragraph in spec.discussion { text += "\n" + wrapped(paragraph, indent: 0, width: width) }
        text += "\n"
        for (index, usage) in spec.usage.enumerated() {
            text += wrapped((index == 0 ? "Usage: " : "       ") + "\(Program.name) \(usage)", indent: 11, width: width)
        }
        if let operands = spec.operands {
            text += "\n" + entries([(operands.valueName, operands.help)], column: 28, width: width)
        }
        if !spec.subcommands.isEmpty {
            text += "\nVerbs:\n"
            text += entries(spec.subcommands.map { ($0.commandName, $0.abstract) }, column: 15, width: width)
        }
        for group in OptionSpec.Group.allCases {
            let options = spec.options.filter { $0.group == group && $0.shouldDisplay }
            guard !options.isEmpty else { continue }
            text +=
                "\n\(group.rawValue):\n"
                + entries(options.map { ($0.synopsis, describe($0)) }, column: 28, width: width)
        }
        if !spec.examples.isEmpty { text += "\nExamples:\n" + examples(spec.examples) }
        if !spec.subcommands.isEmpty {
            text += "\n'\(Program.name) help \(spec.commandName) VERB' lists the options of a verb.\n"
        }
        return text
    }

    static func describe(_ option: OptionSpec) -> String {
        option.help + (option.defaultValue.map { " (default: \($0))" } ?? "")
    }

    /// Two columns: names at the left margin, their meanings from `column` on.
    private static func entries(_ entries: [(String, String)], column: Int, width: Int) -> String {
        entries.map { name, help in
            let left = "  " + name
            let pad = String(repeating: " ", count: column)
            // A name that is too long for its column gets a line of its own.
            if left.count + 2 > column {
                return left + "\n" + wrapped(pad + help, indent: column, width: width)
            }
            let start = left + String(repeating: " ", count: column - left.count)
            return wrapped(start + help, indent: column, width: width)
        }.joined()
    }

    private static func examples(_ examples: [CommandSpec.Example]) -> String {
        examples.map { "  \($0.command)\n      \($0.explanation)\n" }.joined()
    }

    /// Wraps `text` at spaces. Lines after the first are indented by `indent`. Spaces at the start of `text` are kept.
    static func wrapped(_ text: String, indent: Int, width: Int) -> String {
        var lines: [String] = []
        var line = String(text.prefix { $0 == " " })
        var isEmpty = true
        for word in text.split(separator: " ", omittingEmptySubsequences: false).drop(while: \.isEmpty) {
            if !isEmpty, line.count + 1 + word.count > width {
                while line.last == " " { line.removeLast() }
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n") + "\n"
    }
}

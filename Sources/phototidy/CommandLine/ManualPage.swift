/// The manual page phototidy(1), as roff with the `man` macros, made from the table.
enum ManualPage {
    static func roff() -> String {
        var text = ".\\\" Made by 'phototidy manual' from the table of commands.\n"
        text += ".TH PHOTOTIDY 1 \"\" \"phototidy \(Program.version)\" \"User Commands\"\n"
        text += ".SH NAME\nphototidy \\- list, filter, select, delete and compress photos\n"
        text += ".SH SYNOPSIS\n"
        for spec in CommandSpec.displayed {
            for usage in spec.usage { text += ".B phototidy\n\(escaped(usage))\n.br\n" }
        }
        text += section("DESCRIPTION", description)
        text += ".SH COMMANDS\n"
        for spec in CommandSpec.displayed {
            text += command(spec, title: spec.commandName)
            for verb in spec.subcommands { text += command(verb, title: "\(spec.commandName) \(verb.commandName)") }
        }
        text += ".SH FILTERS\nFor list, filter and delete; all of them must match.\n"
        for option in OptionSpec.predicates { text += entry(option.synopsis, HelpText.describe(option)) }
        text += ".SH EXIT STATUS\n"
        for code in ExitCode.allCases { text += entry(String(code.rawValue), code.meaning) }
        text += ".SH ENVIRONMENT\n"
        for (name, meaning) in environment { text += entry(name, meaning) }
        text += ".SH FILES\n"
        for (name, meaning) in files { text += entry(name, meaning) }
        return text
    }

    private static func command(_ spec: CommandSpec, title: String) -> String {
        var text = ".SS \(escaped(title))\n\(escaped(spec.abstract)).\n"
        for paragraph in spec.discussion { text += ".PP\n\(escaped(paragraph))\n" }
        if let operands = spec.operands { text += entry(operands.valueName, operands.help) }
        for group in OptionSpec.Group.allCases where group != .general {
            let options = spec.options.filter { $0.group == group && $0.shouldDisplay }
            guard !options.isEmpty else { continue }
            if group == .predicates {
                text += ".PP\nFilters: see below.\n"
                continue
            }
            text += ".PP\n\(escaped(group.rawValue)):\n"
            for option in options { text += entry(option.synopsis, HelpText.describe(option)) }
        }
        guard !spec.examples.isEmpty else { return text }
        text += ".PP\nExamples:\n"
        for example in spec.examples {
            text += ".PP\n\(escaped(example.explanation)):\n.PP\n.nf\n.RS 4\n\(escaped(example.command))\n.RE\n.fi\n"
        }
        return text
    }

    private static func section(_ title: String, _ paragraphs: [String]) -> String {
        ".SH \(title)\n" + paragraphs.map { escaped($0) + "\n" }.joined(separator: ".PP\n")
    }

    private static func entry(_ term: String, _ meaning: String) -> String {
        ".TP\n\\fB\(escaped(term))\\fR\n\(escaped(meaning))\n"
    }

    /// Escapes everything that troff would interpret. Hyphens become hyphen-minus, so that options can be copied.
    private static func escaped(_ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            default: result.append(character)
            }
        }
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    private static let description = [
        "phototidy searches folders of photos and lists, filters, selects, deletes and compresses them. The "
            + "content of a file decides its type, never its name. Only delete, undo and compress ever write to a "
            + "library, and undo restores what delete moved to the trash.",
        "Options may come before or after operands; -- ends them. Results are written to standard output, "
            + "everything else to standard error.",
        "A Live Photo and its video, a RAW and its JPEG, and sidecars are one photo: they are listed as one row "
            + "and move together.",
    ]

    private static let environment = [
        ("XDG_DATA_HOME", "contains the home trash, Trash; default ~/.local/share"),
        ("XDG_STATE_HOME", "contains the folder phototidy with selections and the journal; default ~/.local/state"),
        ("XDG_CACHE_HOME", "contains the folder phototidy with the index; default ~/.cache"),
        ("NO_COLOR", "if set and not empty, nothing is coloured"),
    ]

    private static let files = [
        ("$XDG_STATE_HOME/phototidy", "selections, the journal of deletes, and the record of compressed files"),
        ("$XDG_CACHE_HOME/phototidy", "the index; it can be removed at any time"),
    ]
}

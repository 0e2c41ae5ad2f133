/// Completions for zsh, with `_arguments`.
enum ZshCompletion {
    static func script() -> String {
        var text = """
            #compdef phototidy
            # zsh completion for phototidy: phototidy completions zsh

            _phototidy() {
                local curcontext="$curcontext" state line
                local -A opt_args
                _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show the version]' \\
                    '1:command:_phototidy_commands' '*::argument:->arguments'
                [[ $state == arguments ]] || return
                case $line[1] in

            """
        for spec in CommandSpec.displayed {
            text += "    \(spec.commandName)) _phototidy_\(spec.commandName) ;;\n"
        }
        text += "    esac\n}\n\n_phototidy_commands() {\n    local -a commands=(\n"
        for spec in CommandSpec.displayed { text += "        '\(spec.commandName):\(quoted(spec.abstract))'\n" }
        text += "    )\n    _describe command commands\n}\n"
        for spec in CommandSpec.displayed {
            if !spec.subcommands.isEmpty { text += verbs(spec) } else { text += function(spec, "_phototidy_") }
            for verb in spec.subcommands { text += function(verb, "_phototidy_\(spec.commandName)_") }
        }
        return text + """

            # Names end with NUL, and compadd quotes them: none is evaluated or split.
            _phototidy_offer() {
                local -a names=(${(0)"$(command phototidy complete $1 2>/dev/null)"})
                compadd -a names
            }

            _phototidy_selections() { _phototidy_offer selections }
            _phototidy_runs() { _phototidy_offer runs }

            if [[ $funcstack[1] == _phototidy ]]; then _phototidy "$@"; else compdef _phototidy phototidy; fi

            """
    }

    private static func verbs(_ spec: CommandSpec) -> String {
        var text = """

            _phototidy_\(spec.commandName)() {
                local curcontext="$curcontext" state line
                local -A opt_args
                _arguments -C '(- *)'{-h,--help}'[show help]' '1:verb:->verb' '*::argument:->arguments'
                case $state in
                verb)
                    local -a verbs=(

            """
        for verb in spec.subcommands {
            text += "            '\(verb.commandName):\(quoted(verb.abstract))'\n"
        }
        return text + """
                    )
                    _describe verb verbs ;;
                arguments) _phototidy_\(spec.commandName)_$line[1] ;;
                esac
            }

            """
    }

    private static func function(_ spec: CommandSpec, _ prefix: String) -> String {
        var lines = spec.options.filter(\.shouldDisplay).map(argument)
        if let operands = spec.operands {
            let name = operands.valueName
            let start = "'\(operands.count.upperBound == 1 ? "" : "*"):\(name):"
            switch operands.completion {
            case .runsThenFiles: lines += ["'1:\(name):_phototidy_runs'", "'*:PATH:_files'"]
            case .words(let words): lines.append("\(start)(\(words.joined(separator: " ")))'")
            case .commands: lines.append("\(start)_phototidy_commands'")
            case .files: lines.append("\(start)_files'")
            case .nothing: lines.append("\(start)'")
            }
        }
        let body = lines.joined(separator: " \\\n        ")
        return "\n\(prefix)\(spec.commandName)() {\n    _arguments -s -S \\\n        \(body)\n}\n"
    }

    private static func argument(_ option: OptionSpec) -> String {
        let help = "[\(quoted(option.help))]"
        // `=-`: only after an equals sign; `=`: there or as the next word.
        let mark = option.value.map { $0.isOptional ? "=-" : "=" } ?? ""
        let action = option.value.map { value in
            (value.isOptional ? "::" : ":") + "\(quoted(value.name)):\(Self.action(value))"
        }
        let tail = "\(help)\(action ?? "")'"
        let repeated = option.repetition == .collects
        guard let short = option.short else {
            return "'\(repeated ? "*" : "")\(option.long)\(mark)\(tail)"
        }
        let plus = option.value == nil ? "" : "+"
        return "'(-\(short) \(option.long))'{-\(short)\(plus),\(option.long)\(mark)}'\(tail)"
    }

    private static func action(_ value: OptionValue) -> String {
        switch value.kind {
        case .choice(let choices): "(\(choices.joined(separator: " ")))"
        case .list(let choices): "_sequence compadd - \(choices.joined(separator: " "))"
        case .file: "_files"
        case .folder: "_files -/"
        case .selection: "_phototidy_selections"
        case .text, .integer, .decimal, .size, .sizeOrNone: " "
        }
    }

    /// Quotes text for single quotes, inside `[...]` or after a colon.
    private static func quoted(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "'": result += "'\\''"
            case "[", "]", ":", "\\": result += "\\\(character)"
            default: result.append(character)
            }
        }
    }
}

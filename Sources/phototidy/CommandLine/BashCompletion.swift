/// Completions for bash 4 and later; the bash-completion package is not needed.
enum BashCompletion {
    static func script() -> String {
        var text = """
            # bash completion for phototidy: phototidy completions bash
            _phototidy() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= verb= word i
                # bash splits --option=value at the equals sign.
                if [[ $cur == = ]]; then cur=
                elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
                fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    case $word in -* | =) continue ;; esac
                    if [[ -z $command ]]; then command=$word
                    elif [[ $command == select && -z $verb ]]; then
                        case $word in \(verbs.joined(separator: " | "))) verb=$word ;; esac
                    fi
                done
                COMPREPLY=()
                if [[ -z $command ]]; then
                    _phototidy_words "\(names.joined(separator: " ")) --help --version"
                    return
                fi
                case "$command $prev" in

            """
        for spec in CommandSpec.displayed {
            for option in spec.parsedOptions where option.shouldDisplay {
                guard let value = option.value, !value.isOptional else { continue }
                let patterns = names(of: option).map { "\"\(spec.commandName) \($0)\"" }
                text += "    \(patterns.joined(separator: " | "))) \(action(value)); return ;;\n"
            }
        }
        text += "    esac\n    case \"$command $verb\" in\n"
        for spec in CommandSpec.displayed {
            for verb in spec.subcommands {
                text += clause("\(spec.commandName) \(verb.commandName)", verb, extra: [])
            }
            text += clause("\(spec.commandName) ", spec, extra: spec.subcommands.map(\.commandName))
        }
        return text + """
                esac
            }

            _phototidy_words() {
                compopt +o default +o bashdefault 2>/dev/null
                COMPREPLY=($(compgen -W "$1" -- "$cur"))
            }

            # One word more of a comma list.
            _phototidy_list() {
                local head=
                [[ $cur == *,* ]] && head=${cur%,*},
                compopt +o default +o bashdefault -o nospace 2>/dev/null
                COMPREPLY=($(compgen -P "$head" -W "$1" -- "${cur##*,}"))
            }

            # What no list can tell: no file names either.
            _phototidy_nothing() { compopt +o default +o bashdefault 2>/dev/null; }

            complete -o default -o bashdefault -F _phototidy phototidy

            """
    }

    private static var names: [String] { CommandSpec.displayed.map(\.commandName) }
    private static var verbs: [String] { CommandSpec.displayed.flatMap(\.subcommands).map(\.commandName) }

    private static func names(of option: OptionSpec) -> [String] {
        [option.long] + (option.short.map { ["-\($0)"] } ?? [])
    }

    /// What to do for the words of a command: its options behind a dash, its choices or files elsewhere.
    private static func clause(_ pattern: String, _ spec: CommandSpec, extra: [String]) -> String {
        let options = spec.parsedOptions.filter(\.shouldDisplay).flatMap(names)
        let words = extra + (spec.operands?.choices ?? []) + (spec.commandName == "help" ? names : [])
        var text = "    \"\(pattern)\")\n"
        text += "        if [[ $cur == -* ]]; then _phototidy_words \"\(options.joined(separator: " "))\"\n"
        if !words.isEmpty {
            text += "        else _phototidy_words \"\(words.joined(separator: " "))\"\n"
        } else if spec.operands?.valueName != "PATH" {
            text += "        else _phototidy_nothing\n"
        }
        return text + "        fi ;;\n"
    }

    private static func action(_ value: OptionValue) -> String {
        switch value.kind {
        case .choice(let choices): "_phototidy_words \"\(choices.joined(separator: " "))\""
        case .list(let choices): "_phototidy_list \"\(choices.joined(separator: " "))\""
        case .selection: "_phototidy_words \"$(phototidy select names 2>/dev/null)\""
        // Readline completes file names, and quotes them, where no word is offered.
        case .file: ":"
        case .folder: "compopt -o dirnames +o default 2>/dev/null"
        case .text, .integer, .decimal, .size: "_phototidy_nothing"
        }
    }
}

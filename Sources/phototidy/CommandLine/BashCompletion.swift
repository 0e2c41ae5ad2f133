/// Completions for bash 4 and later. They do not need the bash-completion package.
enum BashCompletion {
    static func script() -> String {
        var text = #"""
            # bash completion for phototidy: phototidy completions bash
            _phototidy() {
                local cur prev= command= verb= word run= typed= head= quote= glued=
                local -a words=()
                _phototidy_read "${COMP_LINE:0:COMP_POINT}"
                cur=$typed
                if [[ $cur == --*=* ]]; then prev=${cur%%=*} cur=${cur#*=} glued=1
                elif ((${#words[@]})); then prev=${words[${#words[@]}-1]}
                fi
                for word in "${words[@]:1}"; do
                    case $word in -*) continue ;; esac
                    if [[ -z $command ]]; then command=$word
                    elif [[ $command == select && -z $verb ]]; then
                        case $word in @VERBS@) verb=$word ;; esac
                    elif [[ $word =~ ^[0-9]{8}-[0-9]{6}- ]]; then run=$word
                    fi
                done
                COMPREPLY=()
                if [[ -z $command ]]; then
                    _phototidy_words "@NAMES@ --help --version"
                    return
                fi
                case "$command $prev" in

            """#
        text = text.replacing("@VERBS@", with: verbs.joined(separator: " | "))
            .replacing("@NAMES@", with: names.joined(separator: " "))
        for spec in CommandSpec.displayed {
            for option in spec.parsedOptions where option.shouldDisplay {
                guard let value = option.value else { continue }
                let patterns = names(of: option).map { "\"\(spec.commandName) \($0)\"" }
                text += "    \(patterns.joined(separator: " | "))) "
                // An optional value follows an equals sign; the next word is another argument.
                text +=
                    value.isOptional
                    ? "if [[ $glued ]]; then \(action(value)); return; fi ;;\n" : "\(action(value)); return ;;\n"
            }
        }
        text += "    esac\n    case \"$command $verb\" in\n"
        for spec in CommandSpec.displayed {
            for verb in spec.subcommands {
                text += clause("\(spec.commandName) \(verb.commandName)", verb, extra: [])
            }
            text += clause("\(spec.commandName) ", spec, extra: spec.subcommands.map(\.commandName))
        }
        return text + functions
    }

    private static let functions = #"""
            esac
        }

        # Reads the line up to the cursor as the shell will, but expands nothing: the words before the one that is being typed,
        # what that one stands for so far, which quote is open in it, and how much of it stands before what readline replaces.
        _phototidy_read() {
            local line=$1 char
            local -i i
            for ((i = 0; i < ${#line}; i++)); do
                char=${line:i:1}
                case $quote in
                "'") if [[ $char == "'" ]]; then quote=; else typed+=$char; fi ;;
                '"')
                    if [[ $char == '"' ]]; then quote=
                    elif [[ $char == \\ && ${line:i+1:1} == [\$\`\"\\] ]]; then i+=1 typed+=${line:i:1}
                    else typed+=$char
                    fi ;;
                *)
                    case $char in
                    "'" | '"') quote=$char head=$typed word=1 ;;
                    \\) i+=1 typed+=${line:i:1} word=1 ;;
                    [[:space:]])
                        [[ $word ]] && words+=("$typed")
                        typed= head= word= ;;
                    *)
                        typed+=$char word=1
                        [[ $COMP_WORDBREAKS == *"$char"* ]] && head=$typed ;;
                    esac ;;
                esac
            done
            word=
        }

        # What 'phototidy complete' lists, each name ended by NUL. No name is evaluated or split, and each is quoted as its word
        # was begun.
        _phototidy_offer() {
            compopt +o default +o bashdefault 2>/dev/null
            local name reply lead= single="'\''" double="\"'!'\"" escape='\'
            if [[ $glued ]]; then
                [[ $head == --*=* ]] || lead=${typed%%=*}=
                typed=$cur head=${head#--*=}
            fi
            while IFS= read -r -d '' name; do
                [[ $name == "$typed"* ]] || continue
                name=${name#"$head"}
                case $quote in
                "'") reply=${name//\'/"$single"} ;;
                '"')
                    reply=${name//"$escape"/"$escape$escape"}
                    reply=${reply//\"/"$escape\""}
                    reply=${reply//\$/"$escape\$"}
                    reply=${reply//\`/"$escape\`"}
                    reply=${reply//!/"$double"} ;;
                *)
                    reply=$name
                    [[ $name == *[![:alnum:]_.,/@%+-]* ]] && reply="'"${name//\'/"$single"}"'" ;;
                esac
                COMPREPLY+=("$lead$reply")
            done < <(command phototidy complete "$1" 2>/dev/null)
        }

        _phototidy_words() {
            local IFS=$' \t\n'
            compopt +o default +o bashdefault 2>/dev/null
            COMPREPLY=($(compgen -W "$1" -- "$cur"))
        }

        # The run ID of undo comes first, then paths.
        _phototidy_runs() { [[ $run ]] || _phototidy_offer runs; }

        # One word more of a comma list.
        _phototidy_list() {
            local IFS=$' \t\n' first=
            [[ $cur == *,* ]] && first=${cur%,*},
            [[ $first == *[![:alnum:]_.,-]* ]] && return
            compopt +o default +o bashdefault -o nospace 2>/dev/null
            COMPREPLY=($(compgen -P "$first" -W "$1" -- "${cur##*,}"))
        }

        # What no list can tell: no file names either.
        _phototidy_nothing() { compopt +o default +o bashdefault 2>/dev/null; }

        complete -o default -o bashdefault -F _phototidy phototidy

        """#

    private static var names: [String] { CommandSpec.displayed.map(\.commandName) }
    private static var verbs: [String] { CommandSpec.displayed.flatMap(\.subcommands).map(\.commandName) }

    private static func names(of option: OptionSpec) -> [String] {
        [option.long] + (option.short.map { ["-\($0)"] } ?? [])
    }

    /// The `case` clause for the words of a command: options after a dash, otherwise choices or files.
    private static func clause(_ pattern: String, _ spec: CommandSpec, extra: [String]) -> String {
        let options = spec.parsedOptions.filter(\.shouldDisplay).flatMap(names)
        let words = extra + spec.completion.words
        var text = "    \"\(pattern)\")\n"
        text += "        if [[ $cur == -* ]]; then _phototidy_words \"\(options.joined(separator: " "))\"\n"
        switch spec.completion {
        case .runsThenFiles: text += "        else _phototidy_runs\n"
        // readline completes file names and quotes them.
        case .files: break
        case .words, .commands, .nothing:
            text +=
                words.isEmpty
                ? "        else _phototidy_nothing\n"
                : "        else _phototidy_words \"\(words.joined(separator: " "))\"\n"
        }
        return text + "        fi ;;\n"
    }

    private static func action(_ value: OptionValue) -> String {
        switch value.kind {
        case .choice(let choices): "_phototidy_words \"\(choices.joined(separator: " "))\""
        case .list(let choices): "_phototidy_list \"\(choices.joined(separator: " "))\""
        case .selection: "_phototidy_offer selections"
        // If no word is offered, readline completes file names and quotes them.
        case .file: ":"
        case .folder: "compopt -o dirnames +o default 2>/dev/null"
        case .text, .integer, .decimal, .size, .sizeOrNone: "_phototidy_nothing"
        }
    }
}

/// Completions for fish 3.
enum FishCompletion {
    static func script() -> String {
        var text = """
            # fish completion for phototidy: phototidy completions fish

            # True where the words so far hold this command, and this verb of it.
            function __phototidy_at
                set -l words (commandline -opc | string match -v -- '-*')[2..-1]
                if test (count $argv) -eq 0
                    test (count $words) -eq 0
                    return
                end
                test (count $words) -ge 1; and test $words[1] = $argv[1]; or return 1
                test (count $argv) -lt 2; and return 0
                contains -- $argv[2] $words[2..-1]
            end

            # True where a verb is still to come.
            function __phototidy_no_verb
                set -l words (commandline -opc | string match -v -- '-*')[2..-1]
                test (count $words) -eq 1; and test $words[1] = $argv[1]
            end

            # True where the words so far hold the ID of a run.
            function __phototidy_has_run
                commandline -opc | string match -rq -- '^[0-9]{8}-[0-9]{6}-'
            end

            complete -c phototidy -n __phototidy_at -f
            complete -c phototidy -n __phototidy_at -s h -l help -d 'show help'
            complete -c phototidy -n __phototidy_at -l version -d 'show the version'

            """
        for spec in CommandSpec.displayed {
            let name = spec.commandName
            text += "\ncomplete -c phototidy -n __phototidy_at -a \(name) -d '\(quoted(spec.abstract))'\n"
            text += command(spec, condition: "__phototidy_at \(name)")
            for verb in spec.subcommands {
                text += "complete -c phototidy -n '__phototidy_no_verb \(name)' -f -a \(verb.commandName)"
                text += " -d '\(quoted(verb.abstract))'\n"
                text += command(verb, condition: "__phototidy_at \(name) \(verb.commandName)")
            }
        }
        return text
    }

    private static func command(_ spec: CommandSpec, condition: String) -> String {
        let start = "complete -c phototidy -n '\(condition)'"
        let options = spec.options.filter(\.shouldDisplay)
        var text = options.isEmpty ? "" : "# \(spec.commandName): \(options.map(\.long).joined(separator: " "))\n"
        switch spec.completion {
        case .runsThenFiles:
            let runs = "(command phototidy complete runs 2>/dev/null | string split0)"
            text += "complete -c phototidy -n '\(condition); and not __phototidy_has_run' -f -a '\(runs)'\n"
        case .words, .commands:
            text += "\(start) -f -a '\(spec.completion.words.joined(separator: " "))'\n"
        case .nothing where spec.subcommands.isEmpty:
            text += "\(start) -f\n"
        case .files, .nothing: break
        }
        for option in options {
            text += start + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name)"
            if let value = option.value { text += action(value) }
            text += " -d '\(quoted(option.help))'\n"
        }
        return text
    }

    private static func action(_ value: OptionValue) -> String {
        let requirement = value.isOptional ? " -f" : " -x"
        return switch value.kind {
        case .choice(let choices): "\(requirement) -a '\(choices.joined(separator: " "))'"
        case .list(let choices):
            "\(requirement) -a '(__fish_append , \(choices.joined(separator: " ")))'"
        case .file: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        // Fish would take text after a tab as a description.
        case .selection: " -x -a '(command phototidy complete selections-without-tab 2>/dev/null | string split0)'"
        case .text, .integer, .decimal, .size, .sizeOrNone: requirement
        }
    }

    private static func quoted(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
    }
}

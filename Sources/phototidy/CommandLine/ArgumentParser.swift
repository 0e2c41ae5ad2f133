internal import TidyKit

/// Parses arguments by the rules of getopt_long, with two exceptions for safety: a long option cannot be abbreviated,
/// and an option of this command is never the value of another one. In `--exclude $UNSET --dry-run`, the dry run must
/// not become the value; `--exclude=--dry-run` still can.
struct ArgumentParser {
    private let command: CommandSpec
    private var operands: [FilePath] = []
    private var occurrences: [ParsedArguments.Occurrence] = []

    /// - Parameter arguments: those after the name of the command.
    static func parse(
        _ arguments: some Sequence<[UInt8]>, for command: CommandSpec
    ) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(command: command)
        try parser.read(Array(arguments))
        return try parser.checked()
    }

    private init(command: CommandSpec) { self.command = command }

    // MARK: Reading

    private mutating func read(_ arguments: [[UInt8]]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == Self.endOfOptions {
                for operand in rest { try add(operand: operand) }
                return
            }
            if argument.starts(with: Self.endOfOptions) {
                try readLong(argument, &rest)
            } else if argument.first == Self.dash, argument.count > 1 {
                try readShort(argument, &rest)
            } else {
                try add(operand: argument)
            }
        }
    }

    private mutating func add(operand: [UInt8]) throws(UsageError) {
        guard !operand.isEmpty else {
            throw error("an operand is empty; perhaps a shell variable is unset")
        }
        operands.append(FilePath(operand))
    }

    private mutating func readLong(_ argument: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) {
        let body = argument.dropFirst(2)
        let cut = body.firstIndex(of: UInt8(ascii: "="))
        let name = String(decoding: body[..<(cut ?? body.endIndex)], as: UTF8.self)
        guard let option = command.option(long: name) else { throw unknown("--" + name) }
        let attached = cut.map { Array(body[($0 + 1)...]) }
        try add(option, written: option.long, attached: attached, &rest)
    }

    /// Reads short options in one argument: flags, of which the last may take a value, as in `-ns NAME` and `-nsNAME`.
    private mutating func readShort(_ argument: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            let character = Character(Unicode.Scalar(letter))
            guard letter < 0x80, let option = command.option(short: character) else {
                throw unknown(String(decoding: letter < 0x80 ? [Self.dash, letter] : argument, as: UTF8.self))
            }
            let written = "-\(character)"
            guard option.value != nil else {
                try add(option, written: written, attached: nil, &rest)
                continue
            }
            let value = letters.first == UInt8(ascii: "=") ? letters.dropFirst() : letters
            return try add(option, written: written, attached: letters.isEmpty ? nil : Array(value), &rest)
        }
    }

    private mutating func add(
        _ option: OptionSpec, written: String, attached: [UInt8]?, _ rest: inout ArraySlice<[UInt8]>
    ) throws(UsageError) {
        var given = attached
        if let value = option.value {
            if given == nil, !value.isOptional {
                guard let next = rest.first, !isOption(next) else {
                    throw missingValue(written, value, option, rest.first)
                }
                given = next
                rest.removeFirst()
            }
            if let given {
                guard !given.isEmpty else {
                    throw error("the value of \(written) is empty; perhaps a shell variable is unset")
                }
                if let objection = value.objection(to: given) {
                    throw error("\(written) cannot be '\(TerminalText.escaped(given))': \(objection)")
                }
            }
        } else if given != nil {
            throw error("\(written) takes no value")
        }
        if option.repetition == .refused, occurrences.contains(where: { $0.option.name == option.name }) {
            throw error("\(written) may be given only once")
        }
        occurrences.append(.init(option: option, value: given))
    }

    /// True for what this command would parse as options: `--`, `--json`, `--format=json`, `-n`, `-ny`.
    private func isOption(_ argument: [UInt8]) -> Bool {
        if argument == Self.endOfOptions { return true }
        if argument.starts(with: Self.endOfOptions) {
            let name = argument.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
            return command.option(long: String(decoding: name, as: UTF8.self)) != nil
        }
        guard argument.first == Self.dash, argument.count > 1 else { return false }
        if argument.count == 2 { return command.option(short: Character(Unicode.Scalar(argument[1]))) != nil }
        return argument.dropFirst().allSatisfy { letter in
            command.option(short: Character(Unicode.Scalar(letter))).map { $0.value == nil } ?? false
        }
    }

    // MARK: Checking

    private func checked() throws(UsageError) -> ParsedArguments {
        var operands = operands
        var verb: CommandSpec?
        if !command.subcommands.isEmpty {
            let names = command.subcommands.map(\.commandName)
            guard !operands.isEmpty else {
                throw error("'\(command.commandName)' needs a verb: \(OptionValue.alternatives(names))")
            }
            let name = operands.removeFirst().displayText
            guard let found = command.subcommand(name) else {
                let near = Suggestion.nearest(to: name, in: names).map { "did you mean '\($0)'?" }
                throw error(
                    "'\(command.commandName)' has no verb '\(TerminalText.escaped(name))'; "
                        + (near ?? "it must be \(OptionValue.alternatives(names))"))
            }
            verb = found
        }
        let parsed = ParsedArguments(command: command, verb: verb, operands: operands, occurrences: occurrences)
        let spec = verb ?? command
        if let stray = occurrences.first(where: { !spec.accepts($0.option) }) {
            throw parsed.usageError("\(stray.option.long) is not an option of '\(parsed.commandLine)'")
        }
        for rule in spec.rules { try rule.check(parsed) }
        try check(operands, spec.operands, parsed)
        return parsed
    }

    private func check(
        _ operands: [FilePath], _ spec: CommandSpec.Operands?, _ parsed: ParsedArguments
    ) throws(UsageError) {
        guard let spec else {
            guard let first = operands.first else { return }
            throw parsed.usageError(
                "'\(parsed.commandLine)' takes no operand, but was given '\(TerminalText.escaped(first.bytes))'")
        }
        if operands.count < spec.count.lowerBound {
            throw parsed.usageError("'\(parsed.commandLine)' needs \(spec.valueName)")
        }
        if operands.count > spec.count.upperBound {
            let extra = TerminalText.escaped(operands[spec.count.upperBound].bytes)
            throw parsed.usageError("'\(parsed.commandLine)' does not know what to do with '\(extra)'")
        }
        guard let choices = spec.choices else { return }
        for operand in operands where !choices.contains(operand.displayText) {
            throw parsed.usageError(
                "'\(TerminalText.escaped(operand.bytes))' is not a valid \(spec.valueName): it must be "
                    + OptionValue.alternatives(choices))
        }
    }

    // MARK: Errors

    private func error(_ message: String) -> UsageError { UsageError(message, command: command.commandName) }

    private func unknown(_ written: String) -> UsageError {
        let text = "unknown option '\(TerminalText.escaped(written))'"
        guard written.hasPrefix("--") else { return error(text) }
        if let advice = command.advice(onOption: written) { return error("\(text); \(advice)") }
        let known = command.parsedOptions.filter(\.shouldDisplay).map(\.long)
        let near = Suggestion.nearest(to: written, in: known, synonyms: CommandSpec.optionSynonyms)
        return error(text + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }

    private func missingValue(
        _ written: String, _ value: OptionValue, _ option: OptionSpec, _ next: [UInt8]?
    ) -> UsageError {
        guard let next, next != Self.endOfOptions else {
            return error("\(written) needs a value: \(value.name) (\(option.help))")
        }
        let text = TerminalText.escaped(next)
        let joined = written.hasPrefix("--") ? "\(written)=\(text)" : "\(written)\(text)"
        return error(
            "\(written) needs a value (\(value.name)), and '\(text)' is an option; write '\(joined)' if you mean it")
    }

    private static let dash = UInt8(ascii: "-")
    private static let endOfOptions = [dash, dash]
}

extension CommandSpec.Rule {
    fileprivate func check(_ arguments: ParsedArguments) throws(UsageError) {
        let (options, operands, isNeeded) =
            switch self {
            case .exactlyOne(let options, let operands): (options, operands, true)
            case .atMostOne(let options, let operands): (options, operands, false)
            }
        var given = options.filter(arguments.has).map(\.long)
        if let operands, !arguments.operands.isEmpty { given.insert(operands, at: 0) }
        if given.count > 1 {
            throw arguments.usageError("\(given[0]) and \(given[1]) cannot be used together")
        }
        if isNeeded, given.isEmpty {
            let choices = (operands.map { [$0] } ?? []) + options.map(\.long)
            throw arguments.usageError(
                "'\(arguments.commandLine)' needs " + (choices.count > 1 ? "one of " : "")
                    + OptionValue.alternatives(choices))
        }
    }
}

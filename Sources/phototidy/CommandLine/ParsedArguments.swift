internal import TidyKit

/// What stands on the command line, checked against the table of its command.
struct ParsedArguments: Sendable {
    /// One mention of an option, in the order of the command line.
    struct Occurrence: Sendable {
        let option: OptionSpec
        /// Nil for a flag, and for an optional value that is not there. Never empty.
        let value: [UInt8]?
    }

    let command: CommandSpec
    /// `add` of `select add`.
    let verb: CommandSpec?
    let operands: [FilePath]
    let occurrences: [Occurrence]

    /// The command in words, for messages: `select add`.
    var commandLine: String {
        verb.map { "\(command.commandName) \($0.commandName)" } ?? command.commandName
    }

    /// True where the option is on the command line; a default does not count.
    func has(_ option: OptionSpec) -> Bool { occurrences.contains { $0.option.name == option.name } }

    /// The last value that was given.
    func value(_ option: OptionSpec) -> [UInt8]? { values(option).last }

    func values(_ option: OptionSpec) -> [[UInt8]] {
        occurrences.filter { $0.option.name == option.name }.compactMap(\.value)
    }

    func path(_ option: OptionSpec) -> FilePath? { value(option).map { FilePath($0) } }

    /// The value as text, or the option's default.
    func text(_ option: OptionSpec) -> String? {
        value(option).map { String(decoding: $0, as: UTF8.self) } ?? option.defaultValue
    }

    /// Of an option whose values are integers, or its default.
    func integer(_ option: OptionSpec) -> Int? { text(option).flatMap(OptionValue.integer) }
    func decimal(_ option: OptionSpec) -> Double? { text(option).flatMap(OptionValue.decimal) }
    /// Of an option whose values are sizes, in bytes, or its default.
    func byteSize(_ option: OptionSpec) -> Int64? { text(option).flatMap(ByteSize.parse) }

    /// For what only the command itself can find wrong.
    func usageError(_ message: String) -> UsageError { UsageError(message, command: commandLine) }
}

internal import TidyKit

/// The command line, checked against the table of its command.
struct ParsedArguments: Sendable {
    /// One mention of an option, in the order of the command line.
    struct Occurrence: Sendable {
        let option: OptionSpec
        /// Nil for a flag, and for an optional value that was not given. Never empty.
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

    /// True if the option was given; a default does not count.
    func has(_ option: OptionSpec) -> Bool { occurrences.contains { $0.option.name == option.name } }

    /// The last value given.
    func value(_ option: OptionSpec) -> [UInt8]? { values(option).last }

    func values(_ option: OptionSpec) -> [[UInt8]] {
        occurrences.filter { $0.option.name == option.name }.compactMap(\.value)
    }

    func path(_ option: OptionSpec) -> FilePath? { value(option).map { FilePath($0) } }

    /// The value as text, or the option's default.
    func text(_ option: OptionSpec) -> String? {
        value(option).map { String(decoding: $0, as: UTF8.self) } ?? option.defaultValue
    }

    /// The value as an integer, or the option's default.
    func integer(_ option: OptionSpec) -> Int? { text(option).flatMap(OptionValue.integer) }
    func decimal(_ option: OptionSpec) -> Double? { text(option).flatMap(OptionValue.decimal) }
    /// The value in bytes, or the option's default.
    func byteSize(_ option: OptionSpec) -> Int64? { text(option).flatMap(ByteSize.parse) }

    /// For errors that only the command can detect.
    func usageError(_ message: String) -> UsageError { UsageError(message, command: commandLine) }
}

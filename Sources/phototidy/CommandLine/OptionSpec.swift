/// One option of a command: what is parsed, shown by `help`, completed by the shell and printed in the manual page.
struct OptionSpec: Sendable {
    /// The heading in `help` under which an option stands.
    enum Group: String, CaseIterable, Sendable {
        case input = "Input"
        case predicates = "Filters (all must match)"
        case order = "Order"
        case output = "Output"
        case target = "Target"
        case picture = "Picture"
        case safety = "Safety"
        case behaviour = "Behaviour"
        case general = "General"
    }

    /// What a second mention of an option means.
    enum Repetition: Sendable {
        /// The last one counts, so that an alias can be overruled.
        case lastCounts
        case collects
        /// A second one would silently drop the first one's files: a usage error.
        case refused
    }

    /// The long name without dashes.
    let name: String
    let short: Character?
    let help: String
    let group: Group
    /// Nil for a flag.
    let value: OptionValue?
    let defaultValue: String?
    let repetition: Repetition
    /// False keeps an option out of help and completions.
    let shouldDisplay: Bool

    init(
        _ name: String, short: Character? = nil, value: OptionValue? = nil, default defaultValue: String? = nil,
        repetition: Repetition = .lastCounts, group: Group, shouldDisplay: Bool = true, help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.defaultValue = defaultValue
        self.repetition = repetition
        self.group = group
        self.shouldDisplay = shouldDisplay
        self.help = help
    }

    var long: String { "--" + name }

    /// As help shows it: `-n, --dry-run`, `--favorite[=no]`, `--size RANGE`.
    var synopsis: String {
        let names = (short.map { "-\($0), " } ?? "") + long
        guard let value else { return names }
        return value.isOptional ? "\(names)[=\(value.name)]" : "\(names) \(value.name)"
    }
}

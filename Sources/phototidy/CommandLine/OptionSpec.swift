/// One option of a command: what is parsed, shown by `help`, completed by the shell and printed in the manual page.
struct OptionSpec: Sendable {
    /// The heading of the option in `help`.
    enum Group: String, CaseIterable, Sendable {
        case input = "Input"
        case predicates = "Filters (all must match)"
        case groups = "Groups (of --duplicate, --similar, --burst)"
        case order = "Order"
        case output = "Output"
        case target = "Target"
        case picture = "Picture"
        case safety = "Safety"
        case behaviour = "Behaviour"
        case general = "General"
    }

    /// What it means if an option is given again.
    enum Repetition: Sendable {
        /// The last one counts, so that an alias can be overridden.
        case lastCounts
        case collects
        /// A usage error, because the first value would be dropped silently.
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
    /// False hides an option from help and completions.
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

    /// As in help: `-n, --dry-run`, `--favorite[=no]`, `--size RANGE`.
    var synopsis: String {
        let names = (short.map { "-\($0), " } ?? "") + long
        guard let value else { return names }
        return value.isOptional ? "\(names)[=\(value.name)]" : "\(names) \(value.name)"
    }
}

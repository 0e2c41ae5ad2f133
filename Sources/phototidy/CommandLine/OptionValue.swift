internal import TidyKit

/// The value of an option: its placeholder, and which values are valid.
struct OptionValue: Sendable {
    enum Kind: Sendable {
        /// Any text; the code that uses it checks it.
        case text
        case file
        case folder
        /// The name of a selection.
        case selection
        case choice([String])
        /// Some of these, separated by commas. Other values may be valid too and are checked later.
        case list([String])
        case integer(ClosedRange<Int>)
        case decimal(ClosedRange<Double>)
        /// Bytes with an optional unit: `150kB`.
        case size
        /// The same, or `none`.
        case sizeOrNone

        var isSize: Bool {
            switch self {
            case .size, .sizeOrNone: true
            default: false
            }
        }
    }

    /// The placeholder in help.
    let name: String
    let kind: Kind
    /// `--favorite[=no]`: only the form with `=` carries a value.
    let isOptional: Bool

    init(_ name: String, _ kind: Kind = .text, isOptional: Bool = false) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
    }

    static func choice(_ choices: String...) -> OptionValue {
        OptionValue(choices.joined(separator: "|"), .choice(choices))
    }

    static func count(_ name: String = "N", _ range: ClosedRange<Int>) -> OptionValue {
        OptionValue(name, .integer(range))
    }

    /// Describes valid values if `bytes` is invalid; nil if it is valid.
    func objection(to bytes: [UInt8]) -> String? {
        let text = String(validating: bytes, as: UTF8.self)
        switch kind {
        case .text, .file, .folder, .selection, .list: return nil
        case .choice(let choices):
            if let text, choices.contains(text) { return nil }
            let near = text.flatMap { Suggestion.nearest(to: $0, in: choices) }.map { "; did you mean '\($0)'?" }
            return "it must be \(Self.alternatives(choices))" + (near ?? "")
        case .integer(let range):
            if let text, let number = Self.integer(text), range.contains(number) { return nil }
            if range.upperBound == .max { return "it must be a whole number from \(range.lowerBound)" }
            return "it must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .decimal(let range):
            if let text, let number = Self.decimal(text), range.contains(number) { return nil }
            return "it must be a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
        case .sizeOrNone where text == "none": return nil
        case .size, .sizeOrNone:
            if let text, let bytes = ByteSize.parse(text), bytes > 0 { return nil }
            return "it must be a size such as 150kB, 2MB, 64KiB or 4000"
        }
    }

    /// `taken, size or path`
    static func alternatives(_ choices: [String]) -> String {
        guard choices.count > 1, let last = choices.last else { return choices.first ?? "" }
        return choices.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Digits only: no `+`, no spaces.
    static func integer(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Digits and one point: no exponent, no `inf`.
    static func decimal(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        return Double(text)
    }

    private static func short(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

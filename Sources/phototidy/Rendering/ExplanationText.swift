internal import TidyKit

/// The output of `--explain`.
enum ExplanationText {
    static func lines(_ explanation: Explanation, of file: FilePath) -> [String] {
        let name = TerminalText.escaped(file)
        switch explanation.verdict {
        case .photo:
            let verdict = "\(name): \(explanation.isIn ? "in" : "kept out")"
            let companions = CompanionNames.list(explanation.companions).map { "  with \($0)" }
            return [verdict] + (companions.map { [$0] } ?? [])
                + explanation.answers.map { answer in
                    "  \(word(answer.matches))\(TerminalText.escaped(answer.predicate.text))\(kept(answer))"
                }
        case .companion(let main):
            return ["\(name): no row of its own; it belongs to \(TerminalText.escaped(main)) (--no-units splits them)"]
        case .ignored(let rule, let place):
            let hint = rule == .hidden ? " (--hidden lifts that)" : ""
            return ["\(name): skipped as '\(rule.rawValue)' at \(TerminalText.escaped(place))\(hint)"]
        case .outside: return ["\(name): not below the folders and files that are searched"]
        case .folder: return ["\(name): a folder"]
        }
    }

    private static func kept(_ answer: Explanation.Answer) -> String {
        guard let copy = answer.keptCopy else { return "" }
        return answer.matches == true
            ? " (the copy that stays: \(TerminalText.escaped(copy)))" : " (this is the copy that stays)"
    }

    private static func word(_ matches: Bool?) -> String {
        switch matches {
        case true?: "yes      "
        case false?: "no       "
        case nil: "unknown  "
        }
    }
}

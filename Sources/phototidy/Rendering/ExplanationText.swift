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
                    "  \(word(answer.matches))\(TerminalText.escaped(answer.predicate.text))\(group(answer))"
                        + answer.notAlike.map {
                            " (you said with --not-alike that it is not like \(TerminalText.escaped($0)))"
                        }.joined()
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

    /// What stays in the group of the photo, and why.
    private static func group(_ answer: Explanation.Answer) -> String {
        guard let group = answer.group else { return "" }
        let reason = TerminalText.escaped(group.reason)
        let noun = group.kind == .duplicate ? "copy" : "photo"
        if group.staysWhole { return " (all \(group.size) stay: \(reason))" }
        switch group.role {
        case .redundant:
            let distance = group.kind == .similar ? group.distance.map { ", \($0) of 256 bits apart" } ?? "" : ""
            return " (the \(noun) that stays: \(TerminalText.escaped(group.keep))\(distance); \(reason))"
        case .keep where answer.isKept:
            return " (this is the \(noun) that stays; \(reason))"
        case .keep: return " (it stays, as \(TerminalText.escaped(group.keep)) does: \(reason))"
        }
    }

    private static func word(_ matches: Bool?) -> String {
        switch matches {
        case true?: "yes      "
        case false?: "no       "
        case nil: "unknown  "
        }
    }
}

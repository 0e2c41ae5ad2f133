/// A pattern for names with the syntax of shells: `*` (also crosses `/`), `?`, `[a-z]`, `[!a-z]`, `{jpg,png}`, and `\`
/// before a literal character. Case is ignored.
package struct Glob: Sendable {
    private enum Token: Sendable {
        case literal(UInt32)
        case one
        case many
        case set([ClosedRange<UInt32>], isNegated: Bool)
    }

    /// One of them must match; a pattern with braces has several.
    private let alternatives: [[Token]]

    /// Never fails: a pattern without special characters matches itself.
    package init(_ pattern: some Collection<UInt8>) {
        alternatives = Self.expandingBraces(Array(pattern)).map { Self.tokens(FoldedText($0).scalars) }
    }

    /// True if the pattern matches all of `text`.
    package func matches(_ text: some Collection<UInt8>) -> Bool { matches(FoldedText(text)) }

    func matches(_ text: FoldedText) -> Bool {
        alternatives.contains { Self.matches($0, text.scalars) }
    }

    /// True if `text` contains a wildcard.
    static func isPattern(_ text: [UInt8]) -> Bool {
        text.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
    }

    /// Backtracks only to the last `*`, which is sufficient and limits the time to the product of both lengths.
    private static func matches(_ tokens: [Token], _ text: [UInt32]) -> Bool {
        var (token, position) = (0, 0)
        var star: (token: Int, position: Int)?
        while position < text.count {
            if token < tokens.count {
                if case .many = tokens[token] {
                    star = (token, position)
                    token += 1
                    continue
                }
                if fits(tokens[token], text[position]) {
                    token += 1
                    position += 1
                    continue
                }
            }
            guard let last = star else { return false }
            star = (last.token, last.position + 1)
            (token, position) = (last.token + 1, last.position + 1)
        }
        return tokens[token...].allSatisfy { if case .many = $0 { true } else { false } }
    }

    private static func fits(_ token: Token, _ scalar: UInt32) -> Bool {
        switch token {
        case .literal(let value): value == scalar
        case .one: true
        case .many: false
        case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    private static func tokens(_ scalars: [UInt32]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar {
            case UInt32(UInt8(ascii: "*")):
                if case .many? = tokens.last {} else { tokens.append(.many) }
            case UInt32(UInt8(ascii: "?")): tokens.append(.one)
            case UInt32(UInt8(ascii: "\\")) where index + 1 < scalars.count:
                index += 1
                tokens.append(.literal(scalars[index]))
            case UInt32(UInt8(ascii: "[")):
                if let (set, end) = characterSet(scalars, from: index) {
                    tokens.append(set)
                    index = end
                } else {
                    tokens.append(.literal(scalar))
                }
            default: tokens.append(.literal(scalar))
            }
            index += 1
        }
        return tokens
    }

    /// `[a-z_]` from the bracket at `start`; nil if it is never closed. A `]` in the first position is a member.
    private static func characterSet(_ scalars: [UInt32], from start: Int) -> (Token, end: Int)? {
        var index = start + 1
        guard index < scalars.count else { return nil }
        let isNegated = scalars[index] == UInt32(UInt8(ascii: "!")) || scalars[index] == UInt32(UInt8(ascii: "^"))
        if isNegated { index += 1 }
        var ranges: [ClosedRange<UInt32>] = []
        let first = index
        while index < scalars.count {
            if scalars[index] == UInt32(UInt8(ascii: "]")), index > first {
                return (.set(ranges, isNegated: isNegated), index)
            }
            if scalars[index] == UInt32(UInt8(ascii: "\\")), index + 1 < scalars.count { index += 1 }
            let low = scalars[index]
            if index + 2 < scalars.count, scalars[index + 1] == UInt32(UInt8(ascii: "-")),
                scalars[index + 2] != UInt32(UInt8(ascii: "]"))
            {
                let high = scalars[index + 2]
                if low <= high { ranges.append(low...high) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        return nil
    }

    /// All patterns that result from the braces. Braces without a comma, or without an end, are literal. The number is
    /// limited, so that a hostile pattern costs nothing.
    private static func expandingBraces(_ pattern: [UInt8]) -> [[UInt8]] {
        var done: [[UInt8]] = []
        var pending = [pattern]
        while let next = pending.popLast(), done.count + pending.count < 512 {
            guard let group = bracedGroup(next) else {
                done.append(next)
                continue
            }
            for choice in group.choices.reversed() {
                pending.append(Array(next[..<group.start]) + Array(choice) + Array(next[(group.end + 1)...]))
            }
        }
        return done
    }

    private static func bracedGroup(_ pattern: [UInt8]) -> (start: Int, end: Int, choices: [ArraySlice<UInt8>])? {
        var index = 0
        while index < pattern.count {
            if pattern[index] == UInt8(ascii: "\\") {
                index += 2
                continue
            }
            if pattern[index] == UInt8(ascii: "{"), let close = closingBrace(pattern, from: index) {
                let choices = ListSplitter.split(pattern[(index + 1)..<close])
                if choices.count > 1 { return (index, close, choices) }
            }
            index += 1
        }
        return nil
    }

    private static func closingBrace(_ pattern: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < pattern.count {
            switch pattern[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }
}

/// Splits the value of an option at its commas: a list in one predicate means "any of".
enum ListSplitter {
    /// Commas in braces or after `\` do not split.
    static func split(_ text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
        let text = Array(text)
        var parts: [ArraySlice<UInt8>] = []
        var (start, depth, index) = (0, 0, 0)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth = max(0, depth - 1)
            case UInt8(ascii: ",") where depth == 0:
                parts.append(text[start..<index])
                start = index + 1
            default: break
            }
            index += 1
        }
        parts.append(text[start...])
        return parts
    }
}

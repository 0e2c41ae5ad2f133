/// Parses a `--where` expression by recursive descent (Docs/Reference.md has the grammar).
struct WhereParser {
    private let text: [UInt8]
    private let items: [WhereLexer.Item]
    private let now: WallClock
    private let zone: TimeZone
    private var index = 0
    private var depth = 0

    /// Deeper nesting is a mistake, or an attempt to exhaust the stack.
    private static let maximumDepth = 100

    static func parse(
        _ text: [UInt8], now: WallClock, zone: TimeZone = .utc
    ) throws(QueryError) -> WhereExpression {
        var parser = WhereParser(text: text, items: try WhereLexer.items(text), now: now, zone: zone)
        let root = try parser.expression()
        guard parser.token == .end else { throw parser.error("expected 'and', 'or' or the end", after: true) }
        return WhereExpression(root: root, zone: zone)
    }

    private init(text: [UInt8], items: [WhereLexer.Item], now: WallClock, zone: TimeZone) {
        self.text = text
        self.items = items
        self.now = now
        self.zone = zone
    }

    private var token: WhereLexer.Token { items[index].token }

    private func error(_ reason: String, at item: Int? = nil, after: Bool = false) -> QueryError {
        let item = item ?? index
        var reason = reason
        let previous = item > 0 ? source(of: item - 1) : ""
        if after, !previous.isEmpty { reason += " after '\(previous)'" }
        return .invalidExpression(
            expression: String(decoding: text, as: UTF8.self), position: items[item].position, reason: reason)
    }

    /// The text of an item as it was written.
    private func source(of item: Int) -> String {
        let end = item + 1 < items.count ? items[item + 1].position : text.count
        var bytes = text[items[item].position..<max(end, items[item].position)]
        while let last = bytes.last, last == 0x20 || (0x09...0x0D).contains(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Consumes the next word if it is `keyword`.
    private mutating func consume(_ keyword: String) -> Bool {
        guard case .word(let word) = token, String(decoding: word, as: UTF8.self).lowercased() == keyword else {
            return false
        }
        index += 1
        return true
    }

    private mutating func expression() throws(QueryError) -> WhereExpression.Node {
        var nodes = [try conjunction()]
        while consume("or") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func conjunction() throws(QueryError) -> WhereExpression.Node {
        var nodes = [try negation()]
        while consume("and") { nodes.append(try negation()) }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func negation() throws(QueryError) -> WhereExpression.Node {
        consume("not") ? .not(try test()) : try test()
    }

    private mutating func test() throws(QueryError) -> WhereExpression.Node {
        if token == .open {
            let opening = index
            depth += 1
            guard depth <= Self.maximumDepth else { throw error("too many parentheses") }
            index += 1
            let inner = try expression()
            guard token == .close else {
                if token == .end { throw error("this parenthesis is never closed", at: opening) }
                throw error("expected ')'", after: true)
            }
            index += 1
            depth -= 1
            return inner
        }
        guard case .word(let word) = token else {
            throw error("expected a field or '('", after: true)
        }
        guard let field = WhereField(name: String(decoding: word, as: UTF8.self)) else {
            throw unknownField(String(decoding: word, as: UTF8.self))
        }
        index += 1
        if case .comparison(let comparison) = token {
            try check(comparison, on: field)
            index += 1
            return .compare(field, comparison, try value(for: field, comparison))
        }
        if consume("in") { return .among(field, try list(for: field)) }
        return .field(field)
    }

    private func unknownField(_ name: String) -> QueryError {
        if Predicate.options.contains(name.lowercased()) {
            return error("'\(name)' is not a field but an option: give --\(name.lowercased()) beside --where")
        }
        let known = WhereField.allCases.map(\.rawValue)
        let near = Suggestion.nearest(to: name, in: known).map { "; did you mean '\($0)'?" }
        return error("'\(name)' is not a field" + (near ?? " (there are \(known.joined(separator: ", ")))"))
    }

    private func check(_ comparison: WhereExpression.Comparison, on field: WhereField) throws(QueryError) {
        let isAllowed =
            switch (field.valueType, comparison) {
            case (.text, _), (.list, .like), (.list, .equal), (.list, .unequal): true
            case (.flag, let comparison): comparison == .equal || comparison == .unequal
            case (.list, _): false
            case (_, let comparison): comparison != .like
            }
        guard isAllowed else { throw error("'\(field.rawValue)' cannot be compared by '\(comparison.rawValue)'") }
    }

    private mutating func list(for field: WhereField) throws(QueryError) -> [WhereExpression.Value] {
        guard token == .open else { throw error("expected '('", after: true) }
        index += 1
        var values = [try value(for: field, .equal)]
        while token == .comma {
            index += 1
            values.append(try value(for: field, .equal))
        }
        guard token == .close else { throw error("expected ',' or ')'", after: true) }
        index += 1
        return values
    }

    private mutating func value(
        for field: WhereField, _ comparison: WhereExpression.Comparison
    ) throws(QueryError) -> WhereExpression.Value {
        let bytes: [UInt8]
        switch token {
        case .word(let word): bytes = word
        case .string(let string): bytes = string
        default: throw error("expected a value", after: true)
        }
        guard !bytes.isEmpty else { throw error("an empty text matches nothing") }
        let value = try literal(bytes, for: field, comparison)
        index += 1
        return value
    }

    private func literal(
        _ bytes: [UInt8], for field: WhereField, _ comparison: WhereExpression.Comparison
    ) throws(QueryError) -> WhereExpression.Value {
        let text = String(decoding: bytes, as: UTF8.self)
        switch field.valueType {
        case .text, .list:
            if comparison == .like { return Glob.isPattern(bytes) ? .glob(Glob(bytes)) : .part(FoldedText(bytes)) }
            return .text(try known(bytes, for: field))
        case .number:
            guard let number = PredicateParser.number(text) else { throw error("'\(text)' is not a number") }
            return .number(number)
        case .bytes:
            guard let size = ByteSize.parse(text) else { throw error("'\(text)' is not a size such as 5MB or 150KiB") }
            return .number(Double(size))
        case .date:
            if let span = DateSpan.parse(text) { return .span(span) }
            if let age = Age.parse(text) { return .moment(age.before(now, in: zone)) }
            throw error("'\(text)' is neither a date such as 2023-05-14 nor an age such as 18mo")
        case .flag:
            switch text.lowercased() {
            case "true", "yes": return .flag(true)
            case "false", "no": return .flag(false)
            default: throw error("'\(text)' is neither true nor false")
            }
        }
    }

    /// Kinds and formats are fixed sets: a misspelt one would silently match nothing.
    private func known(_ bytes: [UInt8], for field: WhereField) throws(QueryError) -> [UInt8] {
        let word = String(decoding: bytes, as: UTF8.self).lowercased()
        switch field {
        case .kind:
            guard let kind = MediaKind(rawValue: word) else {
                throw error("'\(word)' is not a kind (there are photo, raw, video)")
            }
            return Array(kind.rawValue.utf8)
        case .format:
            guard let format = FormatName.format(word) else {
                throw error("'\(word)' is not a format such as jpeg, heic, png, dng or mov")
            }
            return Array(format.rawValue.utf8)
        default: return bytes
        }
    }
}

/// An expression of `--where`. It has three results (Kleene's logic): true, false, and unknown if a field is. Unknown
/// never matches, negated or not.
struct WhereExpression: Sendable {
    enum Comparison: String, CaseIterable, Sendable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case like = "~"
    }

    /// A literal, interpreted by the type of the field on its left.
    enum Value: Sendable {
        case text([UInt8])
        /// For `~`: a glob if it has wildcards, otherwise a part of the text.
        case glob(Glob)
        case part(FoldedText)
        case number(Double)
        /// All the seconds that a date covers.
        case span(ClosedRange<WallClock>)
        /// The moment of an age before now, in UTC.
        case moment(WallClock)
        case flag(Bool)
    }

    indirect enum Node: Sendable {
        case any([Node])
        case all([Node])
        case not(Node)
        case field(WhereField)
        case compare(WhereField, Comparison, Value)
        case among(WhereField, [Value])
    }

    let root: Node
    /// The zone for dates without one, and for the local time of instants.
    let zone: TimeZone

    var needs: Predicate.Needs { Self.needs(root) }

    func matches(_ subject: Subject) -> Bool? { evaluate(root, subject) }

    /// True if the result depends on `field`.
    func mentions(_ field: WhereField) -> Bool { Self.mentions(root, field) }

    private static func mentions(_ node: Node, _ field: WhereField) -> Bool {
        switch node {
        case .any(let nodes), .all(let nodes): nodes.contains { mentions($0, field) }
        case .not(let node): mentions(node, field)
        case .field(let own), .compare(let own, _, _), .among(let own, _): own == field
        }
    }

    private static func needs(_ node: Node) -> Predicate.Needs {
        switch node {
        case .any(let nodes), .all(let nodes): nodes.reduce([]) { $0.union(needs($1)) }
        case .not(let node): needs(node)
        case .field(let field), .compare(let field, _, _), .among(let field, _): field.needs
        }
    }

    private func evaluate(_ node: Node, _ subject: Subject) -> Bool? {
        switch node {
        case .any(let nodes): return combine(nodes, subject, deciding: true)
        case .all(let nodes): return combine(nodes, subject, deciding: false)
        case .not(let node): return evaluate(node, subject).map { !$0 }
        case .field(let field): return isPresent(field, subject)
        case .compare(let field, let comparison, let value): return compare(field, comparison, value, subject)
        case .among(let field, let values):
            return combine(values.map { .compare(field, .equal, $0) }, subject, deciding: true)
        }
    }

    /// The first true decides `or`, the first false decides `and`; otherwise an unknown makes the result unknown.
    private func combine(_ nodes: [Node], _ subject: Subject, deciding: Bool) -> Bool? {
        var result: Bool? = !deciding
        for node in nodes {
            switch evaluate(node, subject) {
            case deciding: return deciding
            case nil: result = nil
            default: break
            }
        }
        return result
    }

    /// A field without a comparison: a flag has its value, and other fields are true if known and unknown otherwise.
    private func isPresent(_ field: WhereField, _ subject: Subject) -> Bool? {
        switch field.valueType {
        case .flag: field.flag(subject)
        case .list: field.list(subject).map { !$0.isEmpty }
        case .text: field.text(subject.photo).map { _ in true }
        case .number, .bytes: field.number(subject.photo).map { _ in true }
        case .date: field.date(subject.photo, zone).map { _ in true }
        }
    }

    private func compare(
        _ field: WhereField, _ comparison: Comparison, _ value: Value, _ subject: Subject
    ) -> Bool? {
        switch value {
        case .number(let number):
            return field.number(subject.photo).map { Self.compare($0, comparison, number...number) }
        case .span(let span): return field.date(subject.photo, zone).map { Self.compare($0.wall, comparison, span) }
        case .moment(let moment):
            return field.date(subject.photo, zone).map { Self.compare($0.utc, comparison, moment...moment) }
        case .flag(let flag): return field.flag(subject).map { ($0 == flag) == (comparison == .equal) }
        case .glob(let glob): return texts(field, subject).map { $0.contains { glob.matches($0) } }
        case .part(let part): return texts(field, subject).map { $0.contains { FoldedText($0).contains(part) } }
        case .text(let text):
            guard let texts = texts(field, subject) else { return nil }
            if comparison == .unequal { return !texts.contains(text) }
            return texts.contains { own in
                switch comparison {
                case .less: own.lexicographicallyPrecedes(text)
                case .lessOrEqual: !text.lexicographicallyPrecedes(own)
                case .greater: text.lexicographicallyPrecedes(own)
                case .greaterOrEqual: !own.lexicographicallyPrecedes(text)
                default: own == text
                }
            }
        }
    }

    private func texts(_ field: WhereField, _ subject: Subject) -> [[UInt8]]? {
        field.valueType == .list ? field.list(subject) : field.text(subject.photo).map { [$0] }
    }

    /// Compares with all of a span: greater means after its end, equal means within it.
    private static func compare<Value: Comparable>(
        _ own: Value, _ comparison: Comparison, _ span: ClosedRange<Value>
    ) -> Bool {
        switch comparison {
        case .equal, .like: span.contains(own)
        case .unequal: !span.contains(own)
        case .less: own < span.lowerBound
        case .lessOrEqual: own <= span.upperBound
        case .greater: own > span.upperBound
        case .greaterOrEqual: own >= span.lowerBound
        }
    }
}

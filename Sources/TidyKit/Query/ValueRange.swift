/// `A..B`, `A..`, `..B` or a single value; both ends are included.
struct ValueRange<Bound: Comparable & Sendable>: Sendable {
    let lower: Bound?
    let upper: Bound?

    func contains(_ value: Bound) -> Bool {
        if let lower, value < lower { return false }
        if let upper, value > upper { return false }
        return true
    }

    /// Parses `text`.
    /// - Parameters:
    ///   - expected: describes a valid end in the error: "a size".
    ///   - span: the values that one end covers, such as the seconds of a year.
    static func parse(
        _ text: String, option: String, expected: String, span: (String) -> ClosedRange<Bound>?
    ) throws(QueryError) -> ValueRange {
        func end(_ part: String) throws(QueryError) -> ClosedRange<Bound> {
            guard let span = span(part) else {
                throw .invalidValue(option: option, text: part, expected: expected)
            }
            return span
        }
        guard let dots = text.utf8.firstRange(of: "..") else {
            let single = try end(text)
            return ValueRange(lower: single.lowerBound, upper: single.upperBound)
        }
        let (first, last) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        if first.isEmpty, last.isEmpty {
            throw .invalidValue(
                option: option, text: text, expected: "a range with an end: A..B, A.. or ..B (A or more, B or less)")
        }
        let lower = first.isEmpty ? nil : try end(first).lowerBound
        let upper = last.isEmpty ? nil : try end(last).upperBound
        if let lower, let upper, upper < lower {
            throw .invalidValue(
                option: option, text: text, expected: "a range with the smaller value first"
            )
        }
        return ValueRange(lower: lower, upper: upper)
    }
}

extension String.UTF8View {
    /// The first range whose bytes equal `part`.
    fileprivate func firstRange(of part: StaticString) -> Range<Index>? {
        let wanted = Array(part.description.utf8)
        var start = startIndex
        while start < endIndex {
            if self[start...].starts(with: wanted) { return start..<index(start, offsetBy: wanted.count) }
            start = index(after: start)
        }
        return nil
    }
}

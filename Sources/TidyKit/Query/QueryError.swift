/// A predicate or an order that cannot be parsed.
package enum QueryError: Error, Equatable, Sendable {
    /// `--name ''`: an empty value never means "everything".
    case emptyValue(option: String)
    case missingValue(option: String)
    case unknownOption(String)
    /// `text` is the invalid part of the value; `expected` describes a valid one.
    case invalidValue(option: String, text: String, expected: String)
    /// `--where`: `position` is an offset in bytes in `expression`.
    case invalidExpression(expression: String, position: Int, reason: String)

    /// The name of the option, without its dashes.
    package var option: String {
        switch self {
        case .emptyValue(let option), .missingValue(let option), .unknownOption(let option): option
        case .invalidValue(let option, _, _): option
        case .invalidExpression: "where"
        }
    }

    /// The invalid text.
    package var text: String {
        switch self {
        case .emptyValue, .missingValue: ""
        case .unknownOption(let option): option
        case .invalidValue(_, let text, _): text
        case .invalidExpression(let expression, _, _): expression
        }
    }

    package var position: Int? {
        if case .invalidExpression(_, let position, _) = self { position } else { nil }
    }
}

extension QueryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .emptyValue(let option): "--\(option) needs a value that is not empty"
        case .missingValue(let option): "--\(option) needs a value"
        case .unknownOption(let option): "there is no filter --\(option)"
        case .invalidValue(let option, let text, let expected): "--\(option): '\(text)' is not \(expected)"
        case .invalidExpression(let expression, let position, let reason):
            "--where: \(reason), at character \(position + 1) of: \(expression)"
        }
    }
}

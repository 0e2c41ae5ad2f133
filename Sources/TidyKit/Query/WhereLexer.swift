/// Splits a `--where` expression into tokens with their positions.
struct WhereLexer {
    enum Token: Equatable {
        case word([UInt8])
        case string([UInt8])
        case comparison(WhereExpression.Comparison)
        case open, close, comma, end
    }

    struct Item {
        let token: Token
        /// The offset of its first byte in the expression.
        let position: Int
    }

    private let text: [UInt8]
    private var position = 0

    static func items(_ text: [UInt8]) throws(QueryError) -> [Item] {
        var lexer = WhereLexer(text: text)
        var items: [Item] = []
        while true {
            let item = try lexer.next()
            items.append(item)
            if item.token == .end { return items }
        }
    }

    private init(text: [UInt8]) { self.text = text }

    private mutating func next() throws(QueryError) -> Item {
        while position < text.count, Self.isBlank(text[position]) { position += 1 }
        let start = position
        guard start < text.count else { return Item(token: .end, position: start) }
        position += 1
        switch text[start] {
        case UInt8(ascii: "("): return Item(token: .open, position: start)
        case UInt8(ascii: ")"): return Item(token: .close, position: start)
        case UInt8(ascii: ","): return Item(token: .comma, position: start)
        case UInt8(ascii: "\""): return Item(token: .string(try string(from: start)), position: start)
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"):
            return Item(token: .comparison(try comparison(from: start)), position: start)
        default:
            while position < text.count, !Self.endsWord(text[position]) { position += 1 }
            return Item(token: .word(Array(text[start..<position])), position: start)
        }
    }

    private mutating func comparison(from start: Int) throws(QueryError) -> WhereExpression.Comparison {
        if position < text.count, text[position] == UInt8(ascii: "=") { position += 1 }
        let sign = String(decoding: text[start..<position], as: UTF8.self)
        guard let comparison = WhereExpression.Comparison(rawValue: sign) else {
            let advice = sign == "=" ? "'=' is not a comparison: write ==" : "'\(sign)' is not a comparison"
            throw .invalidExpression(
                expression: String(decoding: text, as: UTF8.self), position: start, reason: advice)
        }
        return comparison
    }

    /// A quoted string, in which `\"` and `\\` are a quote and a backslash.
    private mutating func string(from start: Int) throws(QueryError) -> [UInt8] {
        var bytes: [UInt8] = []
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return bytes }
            if byte == UInt8(ascii: "\\"), position < text.count,
                text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "\\")
            {
                bytes.append(text[position])
                position += 1
            } else {
                bytes.append(byte)
            }
        }
        throw .invalidExpression(
            expression: String(decoding: text, as: UTF8.self), position: start, reason: "this string has no end")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func endsWord(_ byte: UInt8) -> Bool {
        if isBlank(byte) { return true }
        return switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "="),
            UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

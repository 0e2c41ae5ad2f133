/// Reads JSON (RFC 8259) strictly, at most 32 levels deep.
package struct JSONReader {
    /// The offset in bytes at which the text stops being JSON.
    package struct Failure: Error, Equatable, Sendable {
        package let position: Int
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The single value in `bytes`, apart from white space around it.
    package static func value(_ bytes: ArraySlice<UInt8>) throws(Failure) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.index == bytes.endIndex else { throw reader.failure }
        return value
    }

    /// Reads a sequence of values, separated by white space or record separators (RFC 7464), as `jq` writes them.
    package init(stream bytes: [UInt8]) { self.init(bytes[...]) }

    /// The offset in bytes of the next value; nil after the last.
    package mutating func nextStart() -> Int? {
        repeat { skipSpace() } while accept(0x1E)
        return next == nil ? nil : index - bytes.startIndex
    }

    /// Reads one value and leaves what follows it. Throws at the first byte that is not JSON.
    package mutating func nextValue() throws(Failure) -> JSONValue { try value(depth: 0) }

    private var failure: Failure { Failure(position: index - bytes.startIndex) }
    private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Consumes the next byte if it is `byte`.
    private mutating func accept(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        skipSpace()
        guard depth < 32, let first = next else { throw failure }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        let word = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[index...].starts(with: word) else { throw failure }
        index += word.count
        return value
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if accept(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure }
            let key = try string()
            skipSpace()
            guard accept(UInt8(ascii: ":")) else { throw failure }
            members.append(JSONValue.Member(key: key, value: try value(depth: depth + 1)))
            skipSpace()
        } while accept(UInt8(ascii: ","))
        guard accept(UInt8(ascii: "}")) else { throw failure }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if accept(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while accept(UInt8(ascii: ","))
        guard accept(UInt8(ascii: "]")) else { throw failure }
        return .array(values)
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = index
        _ = accept(UInt8(ascii: "-"))
        let leading = index
        try digits()
        if bytes[leading] == UInt8(ascii: "0"), index > leading + 1 { throw failure }
        if accept(UInt8(ascii: ".")) { try digits() }
        if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
            if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
            try digits()
        }
        return .number(Array(bytes[start..<index]))
    }

    private mutating func digits() throws(Failure) {
        let start = index
        while let byte = next, byte.isASCIIDigit { index += 1 }
        guard index > start else { throw failure }
    }

    private mutating func string() throws(Failure) -> [UInt8] {
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw failure
            default: text.append(byte)
            }
        }
        throw failure
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        guard let byte = next else { throw failure }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800...0xDBFF).contains(unit) {
                guard accept(UInt8(ascii: "\\")), accept(UInt8(ascii: "u")) else { throw failure }
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low) else { throw failure }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw failure }
            text.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        default: throw failure
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

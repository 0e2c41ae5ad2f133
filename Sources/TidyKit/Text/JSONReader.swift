/// A value read from JSON. Text is kept as bytes, because it may be a path.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it is written; `integer` and `double` parse it.
    case number([UInt8])
    case string([UInt8])
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: [UInt8]
        package let value: JSONValue
    }

    /// The value of `key`; nil for a key that is missing, and for values that are not objects.
    package subscript(_ key: StaticString) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first {
            $0.key.elementsEqual(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        }?
        .value
    }

    package var string: [UInt8]? { if case .string(let bytes) = self { bytes } else { nil } }
    package var text: String? { string.flatMap { String(validating: $0, as: UTF8.self) } }
    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    /// Nil for fractions and for numbers that overflow Int64.
    package var integer: Int64? {
        if case .number(let digits) = self { Int64(String(decoding: digits, as: UTF8.self)) } else { nil }
    }
    package var unsigned: UInt64? {
        if case .number(let digits) = self { UInt64(String(decoding: digits, as: UTF8.self)) } else { nil }
    }
    package var isNull: Bool { self == .null }

    /// The `identity` object of a photo record.
    var identity: FileIdentity? {
        guard let device = self["device"]?.unsigned, let inode = self["inode"]?.unsigned,
            let bytes = self["bytes"]?.integer,
            let modified = self["modifiedNs"]?.wideInteger, let changed = self["changedNs"]?.wideInteger
        else { return nil }
        return FileIdentity(device: device, inode: inode, bytes: bytes, modifiedNs: modified, changedNs: changed)
    }

    /// Like `identity`, but accepts numbers that other programs have rounded: jq 1.6 turns 1700000000000000000 into
    /// `1.7e+18`.
    var recordedIdentity: FileIdentity? {
        guard let device = self["device"]?.wholeUnsigned, let inode = self["inode"]?.wholeUnsigned,
            let bytes = self["bytes"]?.whole, let modified = self["modifiedNs"]?.wideWhole,
            let changed = self["changedNs"]?.wideWhole
        else { return nil }
        return FileIdentity(device: device, inode: inode, bytes: bytes, modifiedNs: modified, changedNs: changed)
    }

    /// Nanoseconds of distant years do not fit into 64 bits.
    private var wideInteger: Int128? {
        if case .number(let digits) = self { Int128(String(decoding: digits, as: UTF8.self)) } else { nil }
    }
    private var wideWhole: Int128? { wideInteger ?? double.flatMap { Int128(exactly: $0) } }
    private var whole: Int64? { integer ?? double.flatMap { Int64(exactly: $0) } }
    private var wholeUnsigned: UInt64? { unsigned ?? double.flatMap { UInt64(exactly: $0) } }
    var double: Double? {
        if case .number(let digits) = self { Double(String(decoding: digits, as: UTF8.self)) } else { nil }
    }
}

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
        repeat { skipSpace() } while take(0x1E)
        return next == nil ? nil : index - bytes.startIndex
    }

    package mutating func nextValue() throws(Failure) -> JSONValue { try value(depth: 0) }

    private var failure: Failure { Failure(position: index - bytes.startIndex) }
    private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
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
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure }
            members.append(JSONValue.Member(key: key, value: try value(depth: depth + 1)))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure }
        return .array(values)
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = index
        _ = take(UInt8(ascii: "-"))
        let leading = index
        try digits()
        if bytes[leading] == UInt8(ascii: "0"), index > leading + 1 { throw failure }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
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
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure }
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

/// A value read from JSON. Text is kept as bytes, because it may be a path.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it is written; `integer` and `double` parse it.
    case number([UInt8])
    case string([UInt8])
    case array([JSONValue])
    case object([Member])

    /// A key and its value. Keys are bytes, in the order of the text; the same key may occur twice.
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

/// Writes JSON into bytes and keeps the order of keys. Written by hand, because the order of keys and the `null`s are
/// part of the contract.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Begins anew, and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Writes an object whose keys and values `body` writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) { nest("{", "}", body) }
    /// Writes an array whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) { nest("[", "]", body) }

    /// Writes a key of the current object; its value must follow.
    package mutating func key(_ name: StaticString) {
        name.withUTF8Buffer { name in
            // In one piece, because most bytes of a record belong to keys.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count + 4) { piece in
                let start = needsComma ? 2 : 1
                piece[0] = UInt8(ascii: ",")
                piece[start - 1] = UInt8(ascii: "\"")
                _ = piece[start...].update(fromContentsOf: name)
                piece[start + name.count] = UInt8(ascii: "\"")
                piece[start + name.count + 1] = UInt8(ascii: ":")
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<(start + name.count + 2)]))
            }
        }
        needsComma = false
    }

    /// As `key(_:)`, for a key that is not known at compile time.
    package mutating func key(named name: String) {
        value(name)
        append(":")
        needsComma = false
    }

    /// Like each `value`: writes the next element, or the value of the key that was written last.
    package mutating func null() { raw("null") }
    package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }
    package mutating func value(_ number: some FixedWidthInteger) {
        guard number.magnitude <= UInt64.max else { return raw(String(number)) }
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        append(UInt64(number.magnitude))
        needsComma = true
    }

    /// The shortest text that reads back as the same number; `null` for NaN and infinity, which JSON cannot express.
    package mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        if number == number.rounded(), abs(number) < 1e15 { return raw(String(Int64(number))) }
        raw("\(number)")
    }

    /// A string in quotes, with control characters escaped.
    package mutating func value(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// `null` for nil.
    package mutating func value(_ text: String?) { if let text { value(text) } else { null() } }
    package mutating func value(_ number: Int?) { if let number { value(number) } else { null() } }
    package mutating func value(_ number: Double?) { if let number { value(number) } else { null() } }

    /// A path as text. Bytes that are not UTF-8 become U+FFFD; a key such as `pathBase64` carries them exactly.
    package mutating func value(_ path: FilePath) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if path.isUTF8 {
            path.bytes.withUnsafeBufferPointer { escape($0) }
        } else {
            var text = path.displayText
            text.withUTF8 { escape($0) }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Text that is JSON already.
    package mutating func raw(_ text: String) {
        separate()
        append(text)
        needsComma = true
    }

    /// A newline between values, as in NDJSON.
    /// - Parameter afterComma: puts the comma between values before the newline instead of after it.
    package mutating func newline(afterComma: Bool = false) {
        if afterComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
        separate()
        append(open)
        needsComma = false
        body(&self)
        append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ number: UInt64) {
        var rest = number
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        // Most texts have nothing to escape and are copied in one piece.
        guard
            text.contains(where: {
                $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
            })
        else { return bytes.append(contentsOf: text) }
        var isC1 = false
        for (index, byte) in text.enumerated() {
            if isC1 {
                isC1 = false
                append("\\u00")
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
                continue
            }
            switch byte {
            // U+0080 to U+009F act like ESC sequences on terminals. The escape is the same text to a JSON reader.
            case 0xC2 where index + 1 < text.count && (0x80..<0xA0).contains(text[index + 1]): isC1 = true
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\r"): append("\\r")
            case UInt8(ascii: "\t"): append("\\t")
            case 0..<0x20, 0x7F:
                append("\\u00")
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

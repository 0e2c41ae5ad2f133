/// Writes one line of a state file: fields separated by tabs, paths percent-encoded, a checksum at the end.
struct LineWriter {
    private var bytes: [UInt8] = []

    mutating func word(_ text: String) { field(text.utf8) }
    mutating func number(_ number: some BinaryInteger) { field(String(number).utf8) }
    mutating func path(_ path: FilePath) { field(PercentEncoding.encode(path.bytes)) }
    /// Nil is written as an empty field; no path is empty.
    mutating func path(_ path: FilePath?) { field(path.map { PercentEncoding.encode($0.bytes) } ?? []) }

    mutating func identity(_ identity: FileIdentity) {
        number(identity.device)
        number(identity.inode)
        number(identity.bytes)
        number(identity.modifiedNs)
        number(identity.changedNs)
    }

    private mutating func field(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\t"))
    }

    /// Appends the line with its checksum and a newline to `text`.
    func finish(into text: inout [UInt8], seed: [UInt8]) {
        text.append(contentsOf: bytes)
        text.append(contentsOf: LineCheck.value(of: bytes, seed: seed))
        text.append(UInt8(ascii: "\n"))
    }
}

/// Reads the fields of such a line one after another; nil as soon as one is missing.
struct LineReader {
    private var rest: ArraySlice<UInt8>

    /// Nil if the checksum does not match the line.
    /// - Parameter line: without its newline.
    init?(_ line: ArraySlice<UInt8>, seed: [UInt8]) {
        guard line.count > 16, line[line.endIndex - 17] == UInt8(ascii: "\t") else { return nil }
        let content = line.dropLast(16)
        guard LineCheck.value(of: content, seed: seed).elementsEqual(line.suffix(16)) else { return nil }
        rest = content
    }

    private mutating func field() -> ArraySlice<UInt8>? {
        guard let tab = rest.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
        defer { rest = rest[(tab + 1)...] }
        return rest[..<tab]
    }

    mutating func word() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard let digits = field(), !digits.isEmpty else { return nil }
        var value: Number = 0
        let isNegative = digits.first == UInt8(ascii: "-")
        for byte in isNegative ? digits.dropFirst() : digits {
            guard byte.isASCIIDigit else { return nil }
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let digit = Number(byte - 0x30)
            let (sum, second) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !first, !second else { return nil }
            value = sum
        }
        return value
    }

    /// A path that is required.
    mutating func path() -> FilePath? {
        guard let text = field(), !text.isEmpty else { return nil }
        return FilePath(PercentEncoding.decode(text))
    }

    /// The outer nil: the field is missing; the inner: it is empty.
    mutating func optionalPath() -> FilePath?? {
        guard let text = field() else { return nil }
        return .some(text.isEmpty ? nil : FilePath(PercentEncoding.decode(text)))
    }

    mutating func identity() -> FileIdentity? {
        guard let device = number(UInt64.self), let inode = number(UInt64.self), let bytes = number(Int64.self),
            let modified = number(Int128.self), let changed = number(Int128.self)
        else { return nil }
        return FileIdentity(device: device, inode: inode, bytes: bytes, modifiedNs: modified, changedNs: changed)
    }
}

/// A checksum for one line of a file that people may read: it detects truncated and edited lines. It guards against
/// accidents, not against somebody who computes it again.
package enum LineCheck {
    /// `FNV1a` over `seed`, a zero byte and `line`, as 16 hexadecimal digits.
    package static func value(of line: some Collection<UInt8>, seed: some Collection<UInt8>) -> [UInt8] {
        var hash = FNV1a()
        hash.add(seed)
        hash.add(0)
        hash.add(line)
        return (0..<16).map { digits[Int(hash.value >> (60 - 4 * UInt64($0)) & 15)] }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

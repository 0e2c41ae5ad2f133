internal import TidyKit

/// Text that is safe on a terminal: a name can neither move the cursor nor reverse the direction of the line.
enum TerminalText {
    /// Control and bidirectional characters as escapes; bytes that are not UTF-8 as `\xE9`.
    static func escaped(_ bytes: some Collection<UInt8>) -> String {
        var result = ""
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var rest = Array(bytes)[...]
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                rest.removeFirst(encoded.count)
                append(scalar, to: &result)
            case .error(let length):
                for byte in rest.prefix(length) { result += "\\x" + hex(UInt32(byte), digits: 2) }
                rest.removeFirst(length)
            case .emptyInput: return result
            }
        }
    }

    static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }
    static func escaped(_ path: FilePath) -> String { escaped(path.bytes) }

    /// The number of terminal columns.
    static func width(of text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + $1.terminalColumns } }

    /// The start of `text` that fits, with an ellipsis if something is cut off.
    static func truncated(_ text: String, columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        return prefix(text, columns: max(0, columns - 1)) + (columns > 0 ? "…" : "")
    }

    /// The end of `text` that fits, because the name of a file is more informative than its folder.
    static func truncatedAtStart(_ text: String, columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        var kept: [Unicode.Scalar] = []
        var used = 1
        for scalar in text.unicodeScalars.reversed() {
            guard used + scalar.terminalColumns <= columns else { break }
            used += scalar.terminalColumns
            kept.append(scalar)
        }
        // Drops combining marks whose base character was cut off.
        while let last = kept.last, last.terminalColumns == 0 { kept.removeLast() }
        var result = columns > 0 ? "…" : ""
        result.unicodeScalars.append(contentsOf: kept.reversed())
        return result
    }

    private static func prefix(_ text: String, columns: Int) -> String {
        var used = 0
        var result = ""
        for scalar in text.unicodeScalars {
            guard used + scalar.terminalColumns <= columns else { break }
            used += scalar.terminalColumns
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar.value {
        case 0x0A: text += "\\n"
        case 0x09: text += "\\t"
        case 0x0D: text += "\\r"
        case 0..<0x20, 0x7F: text += "\\x" + hex(scalar.value, digits: 2)
        // C1 controls; bidirectional marks, embeddings, overrides and isolates (UAX #9); line separators; BOM; tags.
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F:
            text += "\\u{" + hex(scalar.value, digits: 4) + "}"
        default: text.unicodeScalars.append(scalar)
        }
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// Splits the value of an option at its commas: a list in one predicate is "any of".
enum ListSplitter {
    /// Commas in braces or behind `\` belong to the part.
    static func split(_ text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
        let text = Array(text)
        var parts: [ArraySlice<UInt8>] = []
        var (start, depth, index) = (0, 0, 0)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth = max(0, depth - 1)
            case UInt8(ascii: ",") where depth == 0:
                parts.append(text[start..<index])
                start = index + 1
            default: break
            }
            index += 1
        }
        parts.append(text[start...])
        return parts
    }
}

internal import TidyKit

/// Sizes that are right by the rules and seldom what was meant.
extension ParsedArguments {
    /// A bare number is bytes: `--max-size 150` is less than any picture needs.
    var sizeHints: [String] {
        occurrences.compactMap { occurrence in
            guard occurrence.option.value?.kind.isSize == true, let value = occurrence.value,
                let number = OptionValue.integer(String(decoding: value, as: UTF8.self)), number < 1000
            else { return nil }
            return "\(occurrence.option.long) \(number) is \(number) byte\(number == 1 ? "" : "s"); "
                + "did you mean \(number)kB?"
        }
    }

    /// Said where nothing was found: a single size matches that very number of bytes only.
    var exactSizeHint: String? {
        for occurrence in occurrences where occurrence.option.name == "size" {
            guard let value = occurrence.value, let bytes = ByteSize.parse(String(decoding: value, as: UTF8.self))
            else {
                continue
            }
            let text = TerminalText.escaped(value)
            return "--size \(text) means exactly \(bytes) bytes; "
                + "\(text).. is that and more, ..\(text) that and less."
        }
        return nil
    }
}

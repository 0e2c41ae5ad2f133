/// Command lines taken apart as a shell does, as far as examples in documents need it: quotes, pipes, redirections and
/// comments, but no expansions.
package enum ShellWords {
    /// The simple commands of a line, without what is redirected.
    package static func commands(_ line: String) -> [String] {
        var commands = [""]
        var quote: Character?
        var previous: Character = " "
        var isRedirected = false
        for character in line {
            if quote == nil, character == "#", previous == " " { break }
            if quote != nil || character == "'" || character == "\"" {
                if quote == nil { quote = character } else if quote == character { quote = nil }
            } else if "|;&()$`".contains(character) {
                commands.append("")
                isRedirected = false
                previous = character
                continue
            } else if "<>".contains(character) {
                isRedirected = true
            }
            if !isRedirected { commands[commands.count - 1].append(character) }
            previous = character
        }
        return commands.map { trimmed($0) }.filter { !$0.isEmpty }
    }

    /// The words of a simple command, quotes taken away.
    package static func split(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in command {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

package import TidyKit

/// A text that a test expects word for word, kept beside the tests.
package enum Snapshot {
    /// Nil where `text` is what was kept, else what is wrong. A snapshot that is missing is written, and is a fault all
    /// the same: somebody has to look at it first.
    package static func difference(_ text: String, from file: FilePath) throws -> String? {
        guard let kept = try? FileSystem.contents(of: file) else {
            try FileSystem.createFolders(file.directory)
            try AtomicFile.write(Array(text.utf8), to: file, replacing: false)
            return "\(file.displayText) was missing and has been written: look at it, then run the test again"
        }
        let expected = String(decoding: kept, as: UTF8.self)
        if text == expected { return nil }
        let lines = zip(lines(text), lines(expected)).first { $0 != $1 }
        return """
            \(file.displayText) differs\(lines.map { ": '\($0)' instead of '\($1)'" } ?? " in length"); \
            remove the file where the new text is right
            """
    }

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") + [""] }
}

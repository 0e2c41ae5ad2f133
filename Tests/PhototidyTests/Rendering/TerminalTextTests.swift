import Testing
import TidyKit

@testable import phototidy

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\u{1B}[31mred", "\\x1B[31mred"), ("\u{7F}", "\\x7F"),
        ("\u{9B}31m", "\\u{009B}31m"), ("safe\u{202E}gpj.exe", "safe\\u{202E}gpj.exe"), ("\u{2066}", "\\u{2066}"),
        ("\u{2028}", "\\u{2028}"), ("é", "é"), ("e\u{301}", "e\u{301}"), ("日本", "日本"), ("👨‍👩‍👧", "👨‍👩‍👧"),
    ])
    func whatDrivesATerminalIsEscaped(_ text: String, _ expected: String) {
        #expect(Array(TerminalText.escaped(text).utf8) == Array(expected.utf8))
    }

    @Test func bytesThatAreNoTextAreShownAsBytes() {
        #expect(TerminalText.escaped([0x61, 0xE9, 0x62]) == "a\\xE9b")
        #expect(TerminalText.escaped([0xC3]) == "\\xC3")
        // An encoded surrogate, and an overlong slash.
        #expect(TerminalText.escaped([0xED, 0xA0, 0x80, 0xC0, 0xAF]) == "\\xED\\xA0\\x80\\xC0\\xAF")
        #expect(TerminalText.escaped([UInt8]()) == "")
    }

    @Test func widthsAreThoseOfATerminal() {
        #expect(TerminalText.width(of: "日本.jpg") == 8)
        #expect(TerminalText.width(of: "e\u{301}") == 1)
    }

    @Test func cuttingKeepsWhatFits() {
        #expect(TerminalText.truncated("abcdef", columns: 6) == "abcdef")
        #expect(TerminalText.truncated("abcdefg", columns: 6) == "abcde…")
        #expect(TerminalText.truncated("日本語", columns: 4) == "日…")
        #expect(TerminalText.truncatedAtStart("2024/05/IMG_1.jpg", columns: 10) == "…IMG_1.jpg")
        #expect(TerminalText.truncated("abc", columns: 0) == "")
    }
}

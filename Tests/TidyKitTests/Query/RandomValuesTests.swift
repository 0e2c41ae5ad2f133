import Support
import Testing

@testable import TidyKit

/// Whatever a user or a script writes is understood or refused, and never ends the program.
@Suite struct RandomValuesTests {
    private static let pieces: [[UInt8]] =
        [
            "*", "?", "[", "]", "{", "}", "\\", ",", "..", "-", "!", "(", ")", "\"", "and ", " or ", "not ", " in ",
            "size", "taken", "name", "==", "!=", "<", ">", "~", " ", "2023", "-05", "5MB", "9999999999999999999",
            "T10:11",
            "30d", "99999y", "true", "jpeg", "a", "\u{E9}", "0", ".", "1e9", "nan",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80], [0], [0xF4, 0x90, 0x80, 0x80], [0xED, 0xA0, 0x80]]

    @Test func parsersNeverTrap() {
        var generator = SeededRandom.byChance()
        let subject = PredicateTests.photo("a/\u{E9}[x]{y}.JPG")
        for _ in 0..<3000 {
            var value: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                value += Self.pieces.randomElement(using: &generator) ?? []
            }
            for option in ["where", "name", "taken", "size", "last", "near", "type", "megapixels", "rating", "camera"] {
                guard let predicate = try? Predicate(option: option, value: value, now: PredicateTests.now) else {
                    continue
                }
                _ = predicate.matches(subject)
            }
            _ = SidecarName(value + Array(".json".utf8))?.takeoutNames
            _ = Companions([value, value + Array(".xmp".utf8), value + Array("(1).jpg".utf8)])
        }
    }
}

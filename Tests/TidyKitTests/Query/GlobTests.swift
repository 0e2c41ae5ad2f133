import Testing

@testable import TidyKit

@Suite struct GlobTests {
    @Test(arguments: [
        ("*.jpg", "a.jpg", true), ("*.jpg", "A.JPG", true), ("*.jpg", "a.jpeg", false), ("a?c", "abc", true),
        ("a?c", "ac", false), ("*", "", true), ("?", "", false), ("[a-c]x", "Bx", true), ("[!a-c]x", "bx", false),
        ("[!a-c]x", "dx", true), ("*.{jpg,png}", "x.PNG", true), ("*.{jpg,png}", "x.gif", false),
        ("{a,b{c,d}}", "bd", true), ("a\\*b", "a*b", true), ("a\\*b", "axb", false), ("[", "[", true),
        ("*/cameras/*", "/lib/x/cameras/y/a.jpg", true), ("2024/*", "2024/a/b.jpg", true), ("a*b*c", "aXbXbXc", true),
        ("a*b*c", "aXbXbX", false), ("{solo}", "{solo}", true), ("{a,b", "{a,b", true), ("[]]", "]", true),
        ("\u{C9}T\u{C9}*", "\u{E9}t\u{E9}.jpg", true), ("caf\u{E9}", "cafe\u{301}", false),
    ])
    func matchesAsShellsDo(pattern: String, text: String, expected: Bool) {
        #expect(Glob(pattern.utf8).matches(text.utf8) == expected)
    }

    @Test func namesThatAreNoTextMatchByTheirBytes() {
        #expect(Glob([0x2A, 0xE9, 0x2E, 0x2A]).matches([0x61, 0xE9, 0x2E, 0x62]))
        #expect(!Glob([0x2A, 0xE9, 0x2E, 0x2A]).matches([0x61, 0xE8, 0x2E, 0x62]))
        #expect(Glob("a?b".utf8).matches([0x61, 0xFF, 0x62]))
    }

    @Test func aHostilePatternEndsSoon() {
        let stars = String(repeating: "*a", count: 200) + "b"
        #expect(!Glob(stars.utf8).matches(Array(repeating: UInt8(ascii: "a"), count: 4000)))
        let braces = String(repeating: "{a,b}", count: 40)
        #expect(!Glob(braces.utf8).matches("x".utf8))
    }
}

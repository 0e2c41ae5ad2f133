import Testing

@testable import TidyKit

@Suite struct TrashNameTests {
    private func name(_ text: String, _ number: Int = 1, limit: Int = 245) -> String {
        TrashName.make(Array(text.utf8)[...], number: number, limit: limit).displayText
    }

    @Test(arguments: [
        ("a.jpg", 1, "a.jpg"), ("a.jpg", 2, "a.2.jpg"), ("a", 3, "a.3"), (".hidden", 2, ".hidden.2"),
        ("a.tar.gz", 2, "a.tar.2.gz"), ("a.", 2, "a.2."),
    ])
    func theNumberStandsInFrontOfTheExtension(_ given: String, _ number: Int, _ expected: String) {
        #expect(name(given, number) == expected)
    }

    @Test func aLongNameIsCutAndKeepsItsExtension() {
        let long = String(repeating: "y", count: 251) + ".jpg"
        #expect(name(long) == String(repeating: "y", count: 241) + ".jpg")
        #expect(name(long, 12) == String(repeating: "y", count: 238) + ".12.jpg")
    }

    @Test func noCharacterIsCutInTwo() {
        for shift in 0..<4 {
            let long = String(repeating: "x", count: shift) + String(repeating: "é", count: 124) + ".jpg"
            let cut = TrashName.make(Array(long.utf8)[...], number: 1, limit: 245)
            #expect(cut.utf8Text != nil)
            #expect(cut.bytes.count <= 245 && cut.bytes.count > 240)
            #expect(cut.displayText.hasSuffix("é.jpg"))
        }
    }

    @Test func shortensANameThatIsAllExtension() {
        let long = "." + String(repeating: "x", count: 254)
        #expect(name(long).utf8.count == 245)
    }
}

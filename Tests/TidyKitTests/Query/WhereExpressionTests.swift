import Testing
import TidyKit

@Suite struct WhereExpressionTests {
    static func subject() -> Subject {
        var subject = PredicateTests.photo("2024/caf\u{E9} 1.JPG", bytes: 6_000_000)
        (subject.photo.width, subject.photo.height) = (4000, 3000)
        (subject.photo.make, subject.photo.model) = ("Apple", "iPhone 15")
        subject.photo.companions = [FilePath("2024/caf\u{E9} 1.MOV")]
        return subject
    }

    /// nil is unknown: here the rating, location and lens.
    @Test(
        arguments: [
            ("size > 5MB", true), ("bytes >= 6000000 and bytes <= 6MB", true), ("size == 6MB", true),
            ("size != 6MB", false),
            ("width > 4000", false), ("width >= 4000", true), ("megapixels == 12", true), ("longEdge < 4001", true),
            ("make == \"Apple\"", true), ("make == apple", false), ("make ~ app", true),
            ("camera ~ \"apple iphone\"", true),
            ("model ~ \"iphone *\"", true), ("model ~ \"phone *\"", false), ("name == \"caf\u{E9} 1.JPG\"", true),
            ("name == \"cafe\u{301} 1.JPG\"", false), ("path ~ \"2024/*\"", true), ("format in (png, jpg)", true),
            ("format in (png, webp)", false), ("kind == photo", true), ("favorite", false), ("not favorite", true),
            ("favorite == false", true), ("offline", false), ("taken > 2022", true), ("taken > 2023", false),
            ("taken >= 2023", true), ("taken < 2023-05-15", true), ("taken <= 2023-05-14", true),
            ("taken == 2023-05", true),
            ("taken != 2023-05", false), ("taken < 6w", true), ("taken > 1y", true), ("taken > \"2023-05-13\"", true),
            ("companions", true), ("companions ~ .mov", true), ("problems", false), ("takenSource ~ exif", true),
            ("takenSource == exif.DateTimeOriginal", true), ("latitude > -90 or width > 0", true),
            ("width in (1, 4000, 7)", true),
            ("rating >= 3", nil), ("not (rating >= 3)", nil), ("rating != 3", nil), ("rating in (1,2)", nil),
            ("rating > 1 and width > 0", nil), ("rating > 1 and width > 5000", false),
            ("rating > 1 or width > 0", true),
            ("rating > 1 or width > 5000", nil), ("not (rating > 1 and width > 5000)", true), ("lens", nil),
            ("not lens", nil), ("not not width > 0", nil),
        ] as [(String, Bool?)])
    func answers(expression: String, expected: Bool?) throws {
        guard expression != "not not width > 0" else {
            // The grammar has one `not` in front of a test.
            #expect(throws: QueryError.self) { try PredicateTests.answer("where", expression, Self.subject()) }
            return
        }
        #expect(try PredicateTests.answer("where", expression, Self.subject()) == expected)
    }

    @Test(arguments: [
        ("size >", 6, ">"), ("nosuch == 1", 0, "nosuch"), ("width ~ 3", 6, "~"), ("(width > 1", 0, "("),
        ("taken > \"yesterdayish\"", 8, "yesterdayish"), ("width > 1)", 9, "1"), ("width = 3", 6, "=="),
        ("make == \"x", 8, "end"), ("width > 5MB", 8, "5MB"), ("size > 5XB", 7, "5XB"), ("format == jpgg", 10, "jpgg"),
        ("kind in photo", 8, "("), ("width in (1 2)", 12, ","), ("favorite > true", 9, ">"), ("favorite == 3", 12, "3"),
        ("and", 0, "and"), ("width > 1 width", 10, "1"), ("make == \"\"", 8, "empty"), ("width ! 3", 6, "!"),
    ])
    func mistakesAreFoundWhereTheyStand(expression: String, position: Int, word: String) {
        do {
            _ = try Predicate(option: "where", value: Array(expression.utf8), now: PredicateTests.now)
            Issue.record("no error for \(expression)")
        } catch {
            #expect(error.position == position, "\(error)")
            #expect(error.description.contains(word), "\(error)")
        }
    }

    @Test func nestingIsBounded() {
        let deep = String(repeating: "(", count: 5000) + "width > 1" + String(repeating: ")", count: 5000)
        #expect(throws: QueryError.self) { try PredicateTests.answer("where", deep, Self.subject()) }
    }

    /// A "no" before the file was opened must still be a "no" afterwards; anything else stays open.
    @Test(arguments: ["size < 1MB", "size < 1MB and rating > 3", "name ~ png and latitude > 0"])
    func whatAStatDecidesIsDecidedEarly(expression: String) throws {
        var early = Self.subject()
        early.isRead = false
        early.photo.format = nil
        early.photo.width = nil
        #expect(try PredicateTests.answer("where", expression, early) == false)
        #expect(try PredicateTests.answer("where", "width > 1 or size > 1MB", early) == true)
        #expect(try PredicateTests.answer("where", "width > 1 and size > 1MB", early) == nil)
    }
}

import Testing
import TidyKit

@Suite struct SortOrderTests {
    private func photo(_ path: String, second: Int64?, subseconds: String? = nil, bytes: Int64 = 1) -> Photo {
        var photo = PredicateTests.photo(path, bytes: bytes).photo
        photo.taken = second.map {
            CaptureDate(wall: WallClock(seconds: $0), subseconds: subseconds, source: .dateTimeOriginal)
        }
        return photo
    }

    private func sorted(_ order: String, _ photos: [Photo]) throws -> [String] {
        photos.sorted(by: try SortOrder(parsing: Array(order.utf8)).areInOrder).map { $0.path.displayText }
    }

    @Test func tiesGoByPathInBothDirections() throws {
        let photos = [photo("b", second: 1), photo("c", second: 2), photo("a", second: 1)]
        #expect(try sorted("taken", photos) == ["a", "b", "c"])
        #expect(try sorted("-taken", photos) == ["c", "a", "b"])
        #expect(try sorted("-path", photos) == ["c", "b", "a"])
    }

    @Test func unknownStandsLastInBothDirections() throws {
        let photos = [photo("a", second: nil), photo("b", second: 1), photo("c", second: 2)]
        #expect(try sorted("taken", photos) == ["b", "c", "a"])
        #expect(try sorted("-taken", photos) == ["c", "b", "a"])
    }

    @Test func subsecondsAreAFraction() throws {
        let photos = [
            photo("a", second: 1, subseconds: "3"), photo("b", second: 1, subseconds: "25"),
            photo("c", second: 1, subseconds: "250"), photo("d", second: 1),
        ]
        #expect(try sorted("taken", photos) == ["d", "b", "c", "a"])
    }

    @Test(arguments: ["", "beauty", "--size", "Taken"])
    func anUnknownOrderIsAMistake(order: String) {
        #expect(throws: QueryError.self) { try SortOrder(parsing: Array(order.utf8)) }
    }
}

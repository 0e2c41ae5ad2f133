import Support
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

    /// Sorting goes by short keys; where they are equal, and only there, the whole order is asked.
    @Test(arguments: SortOrder.Key.allCases.flatMap { [SortOrder($0), SortOrder($0, reversed: true)] })
    func sortingObeysTheOrder(order: SortOrder) {
        var random = SeededRandom(seed: 7)
        let digits = [nil, "", "0", "2", "20", "25", "3", "250000001", "25000000100", "250000002", "07"]
        let photos: [Photo] = (0..<400).map { number in
            var photo = photo(
                "\(random.next() % 300)/\(number % 3)",
                second: random.next() % 5 == 0 ? nil : Int64(random.next() % 5) - 2,
                subseconds: digits[Int(random.next() % UInt64(digits.count))], bytes: Int64(random.next() % 7))
            photo.identity.id.inode = UInt64(number)
            photo.identity.modifiedNs = Int128(random.next() % 9) - 4
            photo.width = random.next() % 4 == 0 ? nil : Int(random.next() % 4)
            photo.height = 3
            photo.rating = random.next() % 4 == 0 ? nil : Int(random.next() % 7) - 1
            return photo
        }
        var sorted = photos
        order.sort(&sorted)
        #expect(Set(sorted.map(\.identity.inode)).count == photos.count)
        if order.key == .none { #expect(sorted == photos) }
        for (left, right) in zip(sorted, sorted.dropFirst()) { #expect(!order.areInOrder(right, left)) }
    }

    @Test(arguments: ["", "beauty", "--size", "Taken"])
    func anUnknownOrderIsAMistake(order: String) {
        #expect(throws: QueryError.self) { try SortOrder(parsing: Array(order.utf8)) }
    }
}

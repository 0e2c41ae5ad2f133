import Testing

@testable import TidyKit

/// Items that claim the same bytes of a file.
@Suite struct HEIFItemTableTests {
    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// A directory of `count` pictures, each of which claims `length` bytes from the start of the file.
    private static func directory(_ count: Int, length: Int) -> [UInt8] {
        var (entries, places) = ([UInt8](), [UInt8]())
        for item in 1...count {
            entries += box("infe", [2, 0, 0, 0] + big(item, 2) + [0, 0] + Array("hvc1".utf8) + [0])
            places += big(item, 2) + [0, 0, 0, 1] + big(0, 4) + big(length, 4)
        }
        return box("pitm", [0, 0, 0, 0, 0, 1])
            + box("iinf", [0, 0, 0, 0] + big(count, 2) + entries)
            + box("iloc", [0, 0, 0, 0, 0x44, 0] + big(count, 2) + places)
    }

    /// To visit thousands of items that each claim the whole file takes hours.
    @Test(arguments: [(1, true), (2, true), (3, false), (20_000, false)])
    func pictureItemsMayClaimTwiceTheFileTogether(_ count: Int, _ isVisited: Bool) {
        let file = [UInt8](repeating: 7, count: 1000)
        let meta = Self.directory(count, length: file.count)
        var visited = 0
        let (fits, isWhole) = meta.withView { view in
            let items = HEIFItemTable(view, fileBytes: file.count)
            return (items.fitsFile, file.withView { items.visitPictures(in: $0) { visited += $0.count } })
        }
        #expect(fits)
        #expect(isWhole == isVisited)
        #expect(isVisited ? visited > 1000 * count : visited == 0)
    }
}

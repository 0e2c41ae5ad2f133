import Support
import Testing

@testable import TidyKit

@Suite struct MissingScansTests {
    /// SOI, a frame of three components, scans of no data, EOI.
    private static func file(frame: UInt8, scans: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += JPEGFile.segment(frame, [8, 0, 8, 0, 8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
        for scan in scans {
            var payload = [UInt8(scan.count - 3)]
            for component in scan.dropLast(3) { payload += [component, 0] }
            bytes += JPEGFile.segment(JPEGFile.startOfScan, payload + scan.suffix(3))
        }
        return bytes + [0xFF, 0xD9]
    }

    /// Components, first and last coefficient, high and low bit.
    static let sequential: [([[UInt8]], Bool)] = [
        ([[1, 2, 3, 0, 63, 0]], false),
        ([[1, 0, 63, 0], [2, 0, 63, 0], [3, 0, 63, 0]], false),
        ([[1, 0, 63, 0], [2, 3, 0, 63, 0]], false),
        ([[2, 0, 63, 0], [3, 0, 63, 0]], true),
        ([[1, 0, 63, 0]], true),
        ([], true),
    ]

    static let progressive: [([[UInt8]], Bool)] = [
        ([[1, 2, 3, 0, 0, 0x01]], true),
        ([[1, 2, 3, 0, 0, 0x01], [1, 2, 3, 0, 0, 0x10]], false),
        // No AC at all: zero all of it.
        ([[1, 2, 3, 0, 0, 0x00]], false),
        ([[1, 2, 3, 0, 0, 0x00], [1, 1, 63, 0x02]], true),
        ([[1, 2, 3, 0, 0, 0x00], [1, 1, 63, 0x02], [1, 1, 63, 0x21]], true),
        ([[1, 2, 3, 0, 0, 0x00], [1, 1, 63, 0x02], [1, 1, 63, 0x21], [1, 1, 62, 0x10]], true),
        ([[1, 2, 3, 0, 0, 0x00], [1, 1, 63, 0x02], [1, 1, 63, 0x21], [1, 1, 63, 0x10]], false),
        ([[1, 0, 0, 0x00], [2, 0, 0, 0x00], [1, 1, 63, 0x00]], true),
    ]

    @Test(arguments: sequential) func everyComponentMustHaveBeenSent(scans: [[UInt8]], lacks: Bool) throws {
        for frame: UInt8 in [0xC0, 0xC1, 0xC9] {
            let bytes = Self.file(frame: frame, scans: scans)
            #expect(try #require(JPEGFile(bytes)).lacksScans(in: bytes) == lacks)
        }
    }

    @Test(arguments: progressive) func everyCoefficientMustHaveBeenRefined(scans: [[UInt8]], lacks: Bool) throws {
        for frame: UInt8 in [0xC2, 0xCA] {
            let bytes = Self.file(frame: frame, scans: scans)
            #expect(try #require(JPEGFile(bytes)).lacksScans(in: bytes) == lacks)
        }
    }

    @Test func aPictureWithScansLeftOutIsDamaged() throws {
        let whole = DrawnPicture(width: 300, height: 200).jpeg(isProgressive: true)
        let scans = try #require(JPEGFile(whole)).segments.filter { $0.marker == JPEGFile.startOfScan }
        #expect(scans.count == 10)
        let bench = try CompressionRunTests.Bench(target: 1_000_000)
        for kept in [1, 5, 9] {
            try bench.add("\(kept).jpg", Array(whole[..<scans[kept].range.lowerBound]) + [0xFF, 0xD9])
        }
        try bench.add("whole.jpg", whole)
        let items = try bench.run()
        #expect(items.map(\.action) == [.failed, .failed, .failed, .copied])
        #expect(items[0].reason == "damaged: scans are missing; --allow-damaged takes what can be read")
        bench.settings.decoding.allowsDamaged = true
        bench.overwrites = true
        #expect(try bench.run().allSatisfy { $0.action != .failed })
    }
}

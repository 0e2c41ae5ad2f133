import Support
import Testing

@testable import TidyKit

/// A new file holds no value of a type that readers reject.
@Suite struct EXIFTypesTests {
    private static func block() -> EXIFDirectories {
        var block = EXIFDirectories(isBigEndian: false)
        func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: [UInt8]) -> EXIFDirectories.Entry {
            EXIFDirectories.Entry(tag: tag, type: type, count: count, value: value)
        }
        block.directories[.main] = [
            entry(0x010F, 7, 4, Array("Acme".utf8)), entry(0x0112, 4, 1, [6, 0, 0, 0]),
            entry(0x011A, 2, 3, Array("72\0".utf8)), entry(0x011B, 10, 1, [72, 0, 0, 0, 1, 0, 0, 0]),
            entry(0x0132, 2, 20, Array("2024:05:01 12:00:00\0".utf8)),
        ]
        block.directories[.exif] = [
            entry(0x829A, 5, 1, [1, 0, 0, 0, 100, 0, 0, 0]), entry(0x8827, 9, 1, [100, 0, 0, 0]),
            entry(0x9204, 5, 1, [1, 0, 0, 0, 3, 0, 0, 0]), entry(0x920A, 3, 1, [50, 0]),
            entry(0x9209, 12, 1, [0, 0, 0, 0, 0, 0, 0, 0]), entry(0xA002, 9, 1, [0, 2, 0, 0]),
        ]
        return block
    }

    private static let allowed: [UInt16: UInt16] = [
        0x010F: 2, 0x0112: 3, 0x011A: 5, 0x011B: 5, 0x0132: 2, 0x829A: 5, 0x8827: 3, 0x9204: 10, 0x920A: 5, 0x9209: 3,
        0xA002: 4,
    ]

    private func check(_ policy: MetadataPolicy, missing: Set<UInt16>) throws {
        var fixture = JPEGFixture(width: 640, height: 480, grain: 20)
        fixture.segments = [(0xE1, Array("Exif\0\0".utf8) + Self.block().serialized())] + fixture.segments
        let made = try CompressedFixture(fixture.bytes, policy, edge: 320)
        let exif = try #require(made.exif)
        let entries = (exif.directories[.main] ?? []) + (exif.directories[.exif] ?? [])
        for entry in entries where Self.allowed[entry.tag] != nil {
            #expect(entry.type == Self.allowed[entry.tag], "\(entry)")
        }
        let tags = Set(entries.map(\.tag))
        #expect(tags.isDisjoint(with: missing) && tags.contains(0x829A) && tags.contains(0x0132))
        #expect(made.found.captureDate?.text.hasPrefix("2024-05-01T12:00:00") == true)
    }

    @Test func safeWritesValuesInTheirTypes() throws { try check(.safe, missing: [0x011A, 0x9209]) }

    /// In place, where maker notes hold offsets: what would need other bytes goes.
    @Test func allLeavesNoOtherTypes() throws { try check(.all, missing: [0x011A, 0x9209, 0x8827, 0x920A]) }
}

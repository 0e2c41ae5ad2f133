import Support
import Testing

@testable import TidyKit

@Suite struct EXIFPolicyTests {
    /// A block with something of every kind: what is kept, what tells where, what tells whose.
    static func block(orientation: UInt16 = 6) -> [UInt8] {
        var exif = ExifFixture()
        exif.camera(make: "Maker", model: "Model X")
        exif.orientation(orientation)
        exif.taken("2024:05:01 12:00:00", offset: "+02:00", subseconds: "25")
        exif.location(latitude: 48.1, longitude: 11.5)
        exif.set(.image, 0x8298, .ascii("(c) Somebody"))
        exif.set(.image, 0x010E, .ascii("my house"))
        exif.set(.exif, 0x829D, .rational([(28, 10)]))
        exif.set(.exif, 0xA434, .ascii("Lens 50mm"))
        exif.set(.exif, 0xA431, .ascii("BODY123"))
        exif.set(.exif, 0xA435, .ascii("LENS456"))
        exif.set(.exif, 0xA430, .ascii("Owner"))
        exif.set(.exif, 0x927C, .undefined(Array("MakerNoteBytes".utf8)))
        exif.set(.exif, 0x9286, .undefined(Array("ASCII\0\0\0hello".utf8)))
        exif.set(.exif, 0xA002, .long([4032]))
        exif.set(.exif, 0xA003, .long([3024]))
        return Array(exif.block().dropFirst(6))
    }

    static func text(_ block: EXIFDirectories, _ tag: UInt16, _ directory: EXIFDirectories.Directory) -> String? {
        block.entry(tag, in: directory).map { String(decoding: $0.value.prefix { $0 != 0 }, as: UTF8.self) }
    }

    @Test func entriesThatShareTheirBytesDoNotMultiplyThem() throws {
        let (count, length) = (5000, 65_000)
        var block = Array("MM\0*".utf8) + bigEndian(UInt32(8)) + bigEndian(UInt16(count))
        for tag in 0..<count {
            block +=
                bigEndian(UInt16(0x8000 + tag)) + bigEndian(UInt16(7)) + bigEndian(UInt32(length - 8))
                + bigEndian(UInt32(8))
        }
        block += [UInt8](repeating: 1, count: length - block.count)
        let entries = try #require(EXIFDirectories(block)?.directories[.main])
        #expect(!entries.isEmpty && entries.reduce(0) { $0 + $1.value.count } <= 4 * length)
        // Each tag counts once, the first time.
        let twice =
            Array("MM\0*\0\0\0\u{8}\0\u{2}".utf8) + [1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
            + [1, 18, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0]
        let first = try #require(EXIFDirectories(twice))
        #expect(first.directories[.main]?.count == 1 && first.entry(0x0112, in: .main).flatMap(first.number) == 6)
    }

    @Test func safeKeepsWhatAPhotoIsAndDropsWhereAndWhose() throws {
        let source = try #require(EXIFDirectories(Self.block()))
        let written = try #require(EXIFPolicy(newSize: nil).safe(source))
        let kept = try #require(EXIFDirectories(written))
        let wanted: [(UInt16, EXIFDirectories.Directory)] = [
            (0x010F, .main), (0x0110, .main), (0x0112, .main), (0x8298, .main), (0x829D, .exif), (0x9003, .exif),
            (0x9011, .exif), (0x9291, .exif), (0xA434, .exif), (0xA002, .exif),
        ]
        for (tag, directory) in wanted {
            #expect(kept.entry(tag, in: directory) == source.entry(tag, in: directory), "tag \(tag)")
            #expect(kept.entry(tag, in: directory) != nil, "tag \(tag)")
        }
        for tag in [0x010E, 0x8825, 0xA431, 0xA435, 0xA430, 0x927C, 0x9286] as [UInt16] {
            #expect(kept.entry(tag, in: .main) == nil && kept.entry(tag, in: .exif) == nil, "tag \(tag)")
        }
        #expect(kept.directories[.gps] == nil)
    }

    @Test func newPixelsAreUprightAndOfTheNewSize() throws {
        let source = try #require(EXIFDirectories(Self.block()))
        let written = try #require(EXIFPolicy(newSize: (960, 1280)).safe(source))
        let kept = try #require(EXIFDirectories(written))
        #expect(kept.entry(0x0112, in: .main).flatMap(kept.number) == 1)
        #expect(kept.entry(0xA002, in: .exif).flatMap(kept.number) == 960)
        #expect(kept.entry(0xA003, in: .exif).flatMap(kept.number) == 1280)
    }

    @Test func writingAgainChangesNothing() throws {
        let source = try #require(EXIFDirectories(Self.block()))
        let once = try #require(EXIFPolicy(newSize: nil).safe(source))
        let again = try #require(EXIFDirectories(once))
        let twice = try #require(EXIFPolicy(newSize: nil).safe(again))
        #expect(once == twice)
    }

    @Test func aBlockThatSaysNothingIsDropped() throws {
        var exif = ExifFixture()
        exif.orientation(1)
        exif.location(latitude: 1, longitude: 2)
        let source = try #require(EXIFDirectories(Array(exif.block().dropFirst(6))))
        #expect(EXIFPolicy(newSize: nil).safe(source) == nil)
        var turned = ExifFixture()
        turned.orientation(3)
        let other = try #require(EXIFDirectories(Array(turned.block().dropFirst(6))))
        #expect(EXIFPolicy(newSize: nil).safe(other) != nil)
        #expect(EXIFPolicy(newSize: (10, 10)).safe(other) == nil)
    }

    @Test func allKeepsEveryByteExceptOutdatedProperties() throws {
        let source = Self.block()
        let edited = EXIFPolicy(newSize: (960, 1280)).all(source)
        let block = try #require(EXIFDirectories(edited))
        #expect(block.entry(0x0112, in: .main).flatMap(block.number) == 1)
        #expect(block.entry(0xA002, in: .exif).flatMap(block.number) == 960)
        #expect(Self.text(block, 0xA431, .exif) == "BODY123")
        #expect(block.directories[.gps] == EXIFDirectories(source)?.directories[.gps])
        #expect(edited.count == source.count)
    }

    @Test func theThumbnailOfOldPixelsIsCutOff() throws {
        // IFD0 with nothing but Orientation, then an IFD1 at the end.
        var block: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
        block += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let kept = block.count
        block += [0, 0, 0, 26]
        block += [0, 1, 0x02, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5]
        let edited = EXIFPolicy(newSize: (8, 8)).all(block)
        var expected = Array(block[..<kept]) + [0, 0, 0, 0]
        expected[19] = 1
        #expect(edited == expected)
    }

    @Test(arguments: 0..<200) func damageIsNoCrash(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var bytes = Self.block()
        for _ in 0..<4 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
        bytes.removeLast(Int(random.next() % UInt64(bytes.count / 2)))
        if let block = EXIFDirectories(bytes) {
            _ = EXIFPolicy(newSize: (1, 1)).safe(block)
            _ = EXIFPolicy(newSize: (1, 1)).all(bytes)
        }
    }
}

import Support
import Testing

@testable import TidyKit

/// What makers' notes say of bursts, brackets and stacks; each note is laid out as its maker does.
@Suite struct MakerNoteTests {
    private struct Entry {
        let tag: UInt16
        let type: UInt16
        let count: UInt32
        /// At most four bytes, or those that the entry points to.
        let data: [UInt8]

        static func shorts(_ tag: UInt16, _ values: [UInt16], _ order: ByteOrder = .little) -> Entry {
            Entry(tag: tag, type: 3, count: UInt32(values.count), data: values.flatMap { bytes($0, order) })
        }
    }

    private static func bytes(_ value: some FixedWidthInteger, _ order: ByteOrder) -> [UInt8] {
        withUnsafeBytes(of: order == .little ? value.littleEndian : value.bigEndian) { Array($0) }
    }

    /// A directory with its values behind it.
    /// - Parameter start: of the directory, from where its offsets count.
    private static func directory(_ entries: [Entry], at start: Int, _ order: ByteOrder = .little) -> [UInt8] {
        var table = bytes(UInt16(entries.count), order)
        var values: [UInt8] = []
        let end = start + 2 + 12 * entries.count + 4
        for entry in entries {
            table += bytes(entry.tag, order) + bytes(entry.type, order) + bytes(entry.count, order)
            if entry.data.count <= 4 {
                table += entry.data + Array(repeating: 0, count: 4 - entry.data.count)
            } else {
                table += bytes(UInt32(end + values.count), order)
                values += entry.data
            }
        }
        return table + [0, 0, 0, 0] + values
    }

    /// A block in which the note stands at byte 64.
    private static func read(_ note: [UInt8]) -> MakerNote {
        let block = [UInt8](repeating: 0, count: 64) + note + Array(repeating: 0, count: 16)
        return block.withView { MakerNote($0, at: 64, note.count + 16, TIFFCoding(order: .little)) }
    }

    @Test func appleNamesBurstAndLivePhoto() {
        let burst = Entry(tag: 0x000B, type: 2, count: 5, data: Array("b-1\0\0".utf8))
        let group = Entry(tag: 0x0011, type: 2, count: 6, data: Array("live1\0".utf8))
        let note = Self.read(
            Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + Self.directory([burst, group], at: 14, .big))
        #expect(note.burst == "b-1")
        #expect(note.contentIdentifier == "live1")
        #expect(!note.isBracketed)
    }

    @Test func canonSaysBracketStackAndPanorama() {
        func canon(_ entries: Entry...) -> MakerNote { Self.read(Self.directory(entries, at: 64)) }
        var shot = [UInt16](repeating: 0, count: 33)
        #expect(!canon(.shorts(0x0004, shot)).isBracketed)
        shot[15] = 0xFFC0
        #expect(canon(.shorts(0x0004, shot)).isBracketed)
        #expect(canon(.shorts(0x0093, [18, 0, 0, 1, 0])).isBracketed)
        #expect(canon(.shorts(0x0093, [18, 0, 0, 2, 0])).isFocusBracketed)
        #expect(!canon(.shorts(0x0093, [18, 0, 0, 0, 0])).isFocusBracketed)
        #expect(canon(.shorts(0x0005, [0, 0, 1, 0, 0, 0])).isPanoramaPart)
    }

    @Test func nikonSonyPanasonicFujifilmAndOlympusSayBracket() {
        func nikon(_ mode: UInt16) -> MakerNote {
            Self.read(
                Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("II".utf8) + [42, 0, 8, 0, 0, 0]
                    + Self.directory([.shorts(0x0089, [mode])], at: 8))
        }
        #expect(nikon(0x10).isBracketed && !nikon(0x21).isBracketed)
        func sony(_ mode: UInt16) -> MakerNote {
            Self.read(Array("SONY DSC \0\0\0".utf8) + Self.directory([.shorts(0xB049, [mode])], at: 76))
        }
        #expect(sony(5).isBracketed && !sony(2).isBracketed)
        func panasonic(_ mode: UInt16) -> MakerNote {
            Self.read(Array("Panasonic\0\0\0".utf8) + Self.directory([.shorts(0x002A, [mode])], at: 76))
        }
        #expect(panasonic(2).isBracketed && !panasonic(1).isBracketed && panasonic(3).isFocusBracketed)
        func fujifilm(_ mode: UInt16) -> MakerNote {
            Self.read(Array("FUJIFILM".utf8) + [12, 0, 0, 0] + Self.directory([.shorts(0x1100, [mode])], at: 12))
        }
        #expect(fujifilm(1).isBracketed && !fujifilm(0).isBracketed)
        func olympus(_ mode: UInt16) -> MakerNote {
            let settings = Self.directory([.shorts(0x0600, [mode, 1, 0])], at: 30)
            let link = Entry(tag: 0x2020, type: 4, count: 1, data: Self.bytes(UInt32(30), .little))
            return Self.read(
                Array("OLYMPUS\0II".utf8) + [3, 0] + Self.directory([link], at: 12) + settings)
        }
        #expect(olympus(2).isBracketed && !olympus(1).isBracketed)
    }

    /// Offsets and counts that lead nowhere, at every length.
    @Test func hostileNotesSayNothing() {
        for head in ["Apple iOS\0", "Nikon\0", "SONY DSC", "OLYMPUS\0II", "Panasonic\0", "FUJIFILM", "\u{1}\0"] {
            for length in [0, 1, 16, 17, 40] {
                let note = Array(head.utf8) + [UInt8](repeating: 0xFF, count: length)
                let read = Self.read(note)
                #expect(read.burst == nil && !read.isBracketed && !read.isPanoramaPart)
            }
        }
    }

    @Test func theTagsOfExifReachTheMetadata() throws {
        var exif = ExifFixture()
        exif.set(.image, 0x0131, .ascii("GIMP 2.10"))
        exif.set(.exif, 0xA431, .ascii("12345"))
        exif.set(.exif, 0x9204, .signedRational([(-2, 3)]))
        exif.set(.exif, 0x9206, .rational([(15, 10)]))
        exif.set(.exif, 0xA402, .short([2]))
        let shot = try #require(try metadata(of: JPEGFixture().with(exif))).shot
        #expect(shot.serial == "12345" && shot.exposureBias == -667 && shot.subjectDistance == 1500)
        #expect(shot.isBracketed && shot.isEdited)
        var infinite = ExifFixture()
        infinite.set(.exif, 0x9206, .rational([(0xFFFF_FFFF, 1)]))
        #expect(try metadata(of: JPEGFixture().with(infinite))?.shot == ShotTraits())
    }
}

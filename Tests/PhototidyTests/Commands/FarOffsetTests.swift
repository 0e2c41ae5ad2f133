import Glibc
import Support
import Testing
import TidyKit

/// Data at the far end of files of the largest possible size, and lengths that lead there: sparse files on a tmpfs.
@Suite(.enabled(if: TemporaryFolder.holdsLongestFiles, "no file can be that long here"))
struct FarOffsetTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram(in: TemporaryFolder.memory)
    }

    /// A sparse file below `photos`.
    @discardableResult
    private func write(
        _ name: String, _ pieces: [(at: Int64, bytes: [UInt8])], length: Int64 = .max
    ) throws -> FilePath {
        let path = try program.home.write("photos/" + name, [])
        let file = open(path.displayText, O_RDWR)
        defer { close(file) }
        for (at, bytes) in pieces { try #require(pwrite(file, bytes, bytes.count, off_t(at)) == bytes.count) }
        try #require(ftruncate(file, off_t(length)) == 0)
        return path
    }

    private func check(_ arguments: String...) throws {
        let result = try program.run(arguments.map { FilePath($0) })
        #expect([0, 1, 3].contains(result.exitCode), "\(arguments): \(result.exitCode) \(result.errorText)")
    }

    private static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64(count - 1 - $0))) }
    }

    private static func box(_ type: String, length: Int64) -> [UInt8] {
        big(1, 4) + Array(type.utf8) + big(UInt64(length), 8)
    }

    private static func head(_ brand: String) -> [UInt8] {
        big(20, 4) + Array("ftyp\(brand)".utf8) + big(0, 4) + Array(brand.utf8)
    }

    /// The last eight bytes of a file are a box that says that it has no content.
    @Test(arguments: [
        ("a.jxl", ["jxlc", "jxlp", "Exif", "xml "]), ("b.jp2", ["jp2h", "uuid"]), ("c.heic", ["meta"]),
        ("d.mov", ["moov", "uuid"]), ("e.cr3", ["moov", "uuid"]),
    ])
    func aBoxAtTheLastByte(name: String, types: [String]) throws {
        let heads = [
            "a.jxl": Self.big(12, 4) + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A],
            "b.jp2": Self.big(12, 4) + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], "c.heic": Self.head("heic"),
            "d.mov": Self.head("qt  "), "e.cr3": Self.head("crx "),
        ]
        let head = try #require(heads[name])
        let last = Int64.max - 8
        for type in types {
            let filling = Self.box("free", length: last - Int64(head.count))
            try write(name, [(0, head + filling), (last, Self.big(8, 4) + Array(type.utf8))])
            try check("list", "photos", "--json", "--no-index")
            try check("filter", "photos", "--broken", "--stats", "--no-index")
        }
    }

    /// The sum of where a box begins and how long it says it is.
    @Test func lengthsThatLeadPastAllFiles() throws {
        let half = Int64.max / 2
        for (name, brand) in [("a.mov", "qt  "), ("b.mp4", "isom"), ("c.heic", "heic"), ("d.cr3", "crx ")] {
            let filling = Self.box("mdat", length: half)
            try write(name, [(0, Self.head(brand) + filling), (20 + half, filling)])
        }
        try check("filter", "photos", "--broken", "--stats")
    }

    /// Reading the hole would take hours: the limit ends what would never end.
    @Test(.timeLimit(.minutes(15))) func aHoleInAPNGIsNoRowOfChunks() throws {
        try write("a.png", [(0, PNGFixture(DrawnPicture(width: 40, height: 30)).bytes.dropLast(12))], length: 1 << 45)
        let result = try program.run("filter", "photos", "--broken")
        #expect(result.exitCode == 0 && result.lines == ["photos/a.png"])
    }

    /// Each is as long as can be, and they are one photo.
    @Test func aPhotoOfSeveralFilesComesBack() throws {
        try write("a.jpg", [(0, DrawnPicture(width: 40, height: 30).jpeg())])
        try write("a.xmp", [])
        try check("delete", "photos", "--all", "--yes")
        let result = try program.run("undo", "--yes")
        #expect(result.exitCode == 0, "\(result.exitCode) \(result.errorText)")
        #expect(TemporaryFolder.names(in: home.path.appending("photos")).count == 2)
    }

    @Test func filesOfTheIndexAreAddedUp() throws {
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-journal"] {
            let path = try program.home.write(".cache/phototidy/" + name, [])
            try path.truncate(to: .max)
        }
        try check("index", "--info")
        try check("index", "--clear")
    }

    /// Pixels that can be counted, and whose bytes cannot.
    @Test(arguments: [UInt8(0), 1]) func aPictureOfAllPixelsThereAre(isInterlaced: UInt8) throws {
        let size = Self.big(0x7FFF_FFFF, 4)
        let header = Array("IHDR".utf8) + size + size + [8, 6, 0, 0, isInterlaced]
        var bytes: [UInt8] = [0x89] + Array("PNG".utf8) + [0x0D, 0x0A, 0x1A, 0x0A]
        for chunk in [header, Array("IDAT".utf8) + [1], Array("IEND".utf8)] {
            bytes += Self.big(UInt64(chunk.count - 4), 4) + chunk + Self.big(UInt64(Self.checksum(chunk)), 4)
        }
        try program.home.write("a.png", bytes)
        let result = try program.run("compress", "a.png", "-o", "out", "--max-pixels", "\(Int.max)")
        #expect(result.exitCode == 3 && result.errorText.contains("of memory"), "\(result.errorText)")
    }

    /// PNG (third edition), annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        return ~sum
    }
}

import Support
import Testing

@testable import TidyKit

/// `--duplicate=pixels` of formats other than JPEG: by coded data or decoded samples, whatever the metadata.
@Suite struct DecodedSamplesTests {
    private let folder: TemporaryFolder
    private static let drawn = DrawnPicture(width: 64, height: 48)
    private static let other = DrawnPicture(width: 64, height: 48, seed: 2)

    init() throws { folder = try TemporaryFolder() }

    private func areEqual(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
        var reader = DigestReader()
        return try reader.areEqual(
            ComparedFile(try folder.write("left", left)), ComparedFile(try folder.write("right", right)))
    }

    /// Nil where the bytes of the file must be compared instead.
    private func digest(_ bytes: [UInt8], _ format: MediaFormat) throws -> [UInt8]? {
        try DecodedSamples.digest(of: bytes, format, DecodingOptions())
    }

    @Test(
        .enabled(if: EncodedHEIF.canBeMade, "this libheif has no encoders"),
        arguments: [
            EncodedHEIF.Coding.hevc, .av1,
        ])
    func aHEIFIsTheSameUnderOtherMetadata(coding: EncodedHEIF.Coding) throws {
        var plain = EncodedHEIF(Self.drawn)
        plain.coding = coding
        let bytes = try #require(plain.bytes)
        func changed(_ change: (inout EncodedHEIF) -> Void) throws -> [UInt8] {
            var copy = plain
            change(&copy)
            return try #require(copy.bytes)
        }
        var exif = ExifFixture()
        exif.camera(make: "Acme", model: "One")
        let tagged = try changed { $0.exif = Array(exif.block().dropFirst(6)) }
        #expect(tagged != bytes)
        #expect(try areEqual(bytes, tagged))
        #expect(try !areEqual(bytes, changed { $0.orientation = .rotatedRight }))
        #expect(try !areEqual(bytes, changed { $0.chroma = .full }))
        #expect(try !areEqual(bytes, changed { $0.profile = ICCProfile.rgb(.sRGB, .gamma(2.6)) }))
        var other = EncodedHEIF(Self.other)
        other.coding = coding
        #expect(try !areEqual(bytes, #require(other.bytes)))
        let transparent = EncodedHEIF(width: 64, height: 48) { x, y in
            let place = 3 * (64 * y + x)
            return Self.drawn.rgb[place..<place + 3].map { Double($0) / 255 } + [x < 32 ? 1 : 0.5]
        }
        var clear = transparent
        clear.coding = coding
        #expect(try !areEqual(bytes, #require(clear.bytes)))
    }

    @Test func aLosslessWebPIsTheSameHoweverItIsCoded() throws {
        var rgba: [UInt8] = []
        for place in stride(from: 0, to: Self.drawn.rgb.count, by: 3) {
            rgba += Self.drawn.rgb[place..<place + 3] + [255]
        }
        let plain = WebPFixture(width: 64, height: 48, rgba: rgba, .lossless).bytes
        var clear = rgba
        clear[3] = 254
        #expect(try areEqual(plain, plain + []))
        #expect(try !areEqual(plain, WebPFixture(width: 64, height: 48, rgba: clear, .lossless).bytes))
        #expect(try !areEqual(plain, WebPFixture(Self.drawn, .lossy(quality: 100)).bytes))
    }

    @Test(.enabled(if: PictureReducer.obstacle(.gif) == nil, "libgif7 is not installed"))
    func framesOfAGIFCountAndItsCommentsDoNot() throws {
        let plain = Self.drawn.gif()
        #expect(try areEqual(plain, Self.drawn.gif(isInterlaced: true)))
        let start = 13 + 768
        func inserting(_ block: [UInt8]) -> [UInt8] { Array(plain[..<start] + block + plain[start...]) }
        #expect(try areEqual(plain, inserting([0x21, 0xFE, 2, 0x68, 0x69, 0])))
        #expect(try areEqual(plain, inserting([0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [1, 0x3C, 0])))
        #expect(try !areEqual(plain, inserting([0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0])))
        // Transparent where it was coloured, and a second frame.
        #expect(try !areEqual(plain, inserting([0x21, 0xF9, 4, 1, 0, 0, plain[start], 0])))
        #expect(try !areEqual(plain, Array(plain.dropLast() + plain[start...])))
        #expect(try !areEqual(plain, Self.other.gif()))
        #expect(try !areEqual(plain, Array(plain.dropLast())))
        // The second frame counts with its place, its time and its pixels.
        func twice(_ control: [UInt8], _ second: [UInt8]) -> [UInt8] { plain.dropLast() + control + second[start...] }
        let animation = twice([0x21, 0xF9, 4, 0, 5, 0, 0, 0], plain)
        #expect(try areEqual(animation, twice([0x21, 0xF9, 4, 0, 5, 0, 9, 0], plain)))
        #expect(try !areEqual(animation, twice([0x21, 0xF9, 4, 0, 6, 0, 0, 0], plain)))
        #expect(try !areEqual(animation, twice([0x21, 0xF9, 4, 8, 5, 0, 0, 0], plain)))
        #expect(try !areEqual(animation, twice([0x21, 0xF9, 4, 0, 5, 0, 0, 0], Self.other.gif())))
    }

    /// Of a frame that is larger than the canvas, for which no memory was reserved, and of one whose data end early.
    @Test(.enabled(if: PictureReducer.obstacle(.gif) == nil, "libgif7 is not installed"))
    func damagedFramesOfAGIFHaveNoDigest() throws {
        let plain = Self.drawn.gif()
        #expect(try digest(plain, .gif) != nil)
        var larger = plain
        larger[13 + 768 + 5] += 1
        #expect(try digest(larger, .gif) == nil)
        var smaller = plain
        smaller[8] -= 1
        #expect(try digest(smaller, .gif) == nil)
        #expect(try digest(Array(plain[..<(plain.count / 2)]), .gif) == nil)
        // An index without a colour.
        let palette = [UInt8](plain[..<10] + [0xF0] + plain[11..<19] + plain[(13 + 768)...])
        #expect(try digest(palette, .gif) == nil)
    }

    /// On a canvas of one pixel, for which little memory is reserved.
    @Test func aFrameThatIsLargerThanItsCanvasAllowsIsNotDecoded() throws {
        func changed(_ gif: [UInt8]) -> [UInt8] { gif[..<6] + [1, 0, 1, 0] + gif[10...] }
        let (plain, interlaced) = (changed(Self.drawn.gif()), changed(Self.drawn.gif(isInterlaced: true)))
        #expect(try areEqual(plain, plain))
        #expect(try !areEqual(plain, interlaced))
    }

    /// Written by hand: tags in their order, then the strips.
    private static func tiff(
        _ picture: DrawnPicture, rows: Int = 48, extra: [(tag: Int, value: Int)] = [], next: UInt8 = 0
    ) -> [UInt8] {
        func le16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        func le32(_ value: Int) -> [UInt8] { le16(value & 0xFFFF) + le16(value >> 16) }
        let (row, strips) = (3 * picture.width, picture.height / rows)
        let data = 8 + picture.rgb.count
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, picture.width), (257, 4, 1, picture.height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 2),
            (273, 4, strips, strips == 1 ? 8 : data), (277, 3, 1, 3), (278, 4, 1, rows),
            (279, 4, strips, strips == 1 ? picture.rgb.count : data + 4 * strips),
        ]
        entries += extra.map { ($0.tag, 4, 1, $0.value) }
        entries.sort { $0.tag < $1.tag }
        let tables =
            strips == 1
            ? []
            : (0..<strips).flatMap { le32(8 + $0 * rows * row) }
                + (0..<strips).flatMap { _ in le32(rows * row) }
        var bytes = Array("II".utf8) + le16(42) + le32(data + tables.count) + picture.rgb + tables + le16(entries.count)
        for entry in entries { bytes += le16(entry.tag) + le16(entry.type) + le32(entry.count) + le32(entry.value) }
        return bytes + [next, 0, 0, 0]
    }

    @Test(.enabled(if: PictureReducer.obstacle(.tiff) == nil, "libtiff6 is not installed"))
    func samplesOfATIFFCountHoweverTheyArePacked() throws {
        let plain = Self.tiff(Self.drawn)
        #expect(try areEqual(plain, Self.tiff(Self.drawn, rows: 16)))
        #expect(try areEqual(plain, Self.tiff(Self.drawn, rows: 8, extra: [(296, 2), (297, 0)])))
        #expect(try !areEqual(plain, Self.tiff(Self.other)))
        // How the samples are read: photometric interpretation, alpha, tables of their own.
        #expect(try !areEqual(plain, Self.tiff(Self.drawn, extra: [(338, 0)])))
        #expect(try !areEqual(plain, Self.tiff(Self.drawn, extra: [(274, 6)])))
        // A second page, which a copy would lose.
        #expect(try !areEqual(plain, Self.tiff(Self.drawn, rows: 16, next: 8)))
        #expect(try !areEqual(plain, Self.tiff(Self.drawn, rows: 16, extra: [(330, 8)])))
    }

    /// A tile is decoded in one piece.
    @Test(.enabled(if: PictureReducer.obstacle(.tiff) == nil, "libtiff6 is not installed"))
    func aTIFFKeepsWithinTheMemoryThatIsReserved() throws {
        var drawn = DrawnTIFF(Self.drawn)
        drawn.tileEdge = 64
        let file = drawn.bytes
        var options = DecodingOptions()
        options.memory = 64 * 64 * 3
        #expect(try DecodedSamples.digest(of: file, .tiff, options) != nil)
        options.memory -= 1
        #expect(try DecodedSamples.digest(of: file, .tiff, options) == nil)
        // The decoder is given what is reserved, and no less than a directory needs.
        #expect(DecodedSamples.memory(.tiff, pixels: 1) == 16 << 20)
        #expect(DecodedSamples.memory(.tiff, pixels: 100 << 20) == 800 << 20)
    }

    @Test func onlyWhatMayBeLosslessIsDecoded() {
        #expect(DecodedSamples.mayRepeat(.png, bytes: 100, pixels: 12_000_000))
        #expect(!DecodedSamples.mayRepeat(.heic, bytes: 2_000_000, pixels: 12_000_000))
        #expect(DecodedSamples.mayRepeat(.avif, bytes: 9_000_000, pixels: 12_000_000))
        #expect(DecodedSamples.memory(.heic, pixels: .max) == .max)
    }
}

internal import Support
import Testing

@testable import TidyKit

/// The size of a coded picture counts as its stream tells it, before anything is decoded.
@Suite struct CodedFrameTests {
    /// A file whose `ispe` says 16 by 16 of a picture of 256 by 192.
    private static func lying(_ coding: EncodedHEIF.Coding, alpha: Bool = false) throws -> [UInt8] {
        var fixture = EncodedHEIF(width: 256, height: 192) { x, y in
            [Double(x) / 255, Double(y) / 191, 0.5] + (alpha ? [Double(x) / 255] : [])
        }
        fixture.coding = coding
        var bytes = try #require(fixture.bytes)
        var rest = bytes.startIndex..<bytes.endIndex
        while let place = bytes[rest].firstRange(of: "ispe".utf8) {
            let size = place.upperBound + 4
            bytes.replaceSubrange(size..<size + 8, with: [0, 0, 0, 16, 0, 0, 0, 16])
            rest = size..<bytes.endIndex
        }
        return bytes
    }

    @Test(
        .enabled(if: EncodedHEIF.canBeMade, "this libheif has no encoders"),
        arguments: [EncodedHEIF.Coding.av1, .hevc], [false, true])
    func memoryIsCountedByTheStream(coding: EncodedHEIF.Coding, alpha: Bool) throws {
        let bytes = try Self.lying(coding, alpha: alpha)
        let picture = try DecodedPicture(bytes)
        #expect(picture.planes.width == 16 && picture.source.decoderBytes >= 256 * 192 * 6)
        let folder = try TemporaryFolder()
        let file = try folder.write("a.avif", bytes)
        var settings = CompressionSettings()
        settings.decoding.memory = 200_000
        let input = CompressionPlan.Input(path: file, relative: FilePath("a.avif"), bytes: Int64(bytes.count))
        let plan = try CompressionPlan([input], to: .folder(folder.path.appending("out")))
        #expect(CompressionRun(plan: plan, settings: settings).run().items.first?.reason?.hasPrefix("needs ") == true)
    }

    @Test(
        .enabled(if: EncodedHEIF.canBeMade, "this libheif has no encoders"),
        arguments: [EncodedHEIF.Coding.av1, .hevc])
    func moreThanTheAllowedPixelsAreRefused(coding: EncodedHEIF.Coding) throws {
        var settings = CompressionSettings()
        settings.decoding.maximumPixels = 40_000
        #expect(throws: PictureError.tooManyPixels(256 * 192, limit: 40_000)) {
            try DecodedPicture(try Self.lying(coding), settings)
        }
    }

    // MARK: - Headers by hand

    private static func bytes(_ bits: [(value: Int, count: Int)]) -> [UInt8] {
        var all = bits.flatMap { value, count in (0..<count).map { UInt8(value >> (count - 1 - $0) & 1) } }
        all.append(1)
        while all.count % 8 != 0 { all.append(0) }
        return stride(from: 0, to: all.count, by: 8).map { all[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
    }

    /// A unit with the sequence header of a still picture.
    private static func still(_ width: Int, _ height: Int) -> [UInt8] {
        let header = bytes([(0, 3), (1, 1), (1, 1), (0, 5), (15, 4), (15, 4), (width - 1, 16), (height - 1, 16)])
        return [0x0A, UInt8(header.count)] + header
    }

    /// The same with all that may stand in front of the size.
    private static func film(_ width: Int, _ height: Int) -> [UInt8] {
        let timing = [(0, 3), (0, 1), (0, 1), (1, 1), (1, 32), (60, 32), (1, 1), (5, 5), (1, 1)]
        let model = [(9, 5), (1, 32), (9, 5), (9, 5)]
        let point = [(0, 12), (9, 5), (0, 1), (1, 1), (0, 10), (0, 10), (0, 1), (1, 1), (3, 4)]
        let header = bytes(
            timing + model + [(1, 1), (1, 5)] + point + point
                + [(11, 4), (11, 4), (width - 1, 12), (height - 1, 12)])
        return [0x0A, UInt8(header.count)] + header
    }

    private static func frame(_ units: [UInt8], isWhole: Bool = false, trusts: Bool = true) throws -> CodedFrame? {
        var budget = UnitBudget()
        return try units.withView { (view) throws(UnreadableFrame) in
            try AV1Sequence.largestFrame(view, isWhole: isWhole, trustsFrames: trusts, &budget)
        }
    }

    @Test func sequenceHeadersOfAV1AreRead() throws {
        let delimiter: [UInt8] = [0x12, 0]
        #expect(try Self.frame(delimiter + Self.still(4000, 3000)) == CodedFrame(width: 4000, height: 3000))
        #expect(try Self.frame(Self.film(2500, 1200)) == CodedFrame(width: 2500, height: 1200))
        // Its frames may have sizes of their own, up to the width of the fields.
        #expect(try Self.frame(Self.film(2500, 1200), trusts: false) == CodedFrame(width: 4096, height: 4096))
        #expect(try Self.frame(Self.still(9, 8), trusts: false) == CodedFrame(width: 9, height: 8))
        let both = Self.still(100, 20) + [0, 0] + Self.film(30, 200)
        #expect(try Self.frame(both) == CodedFrame(width: 100, height: 200))
        // A length may take more bytes than it needs, and be left out of the last unit.
        let header = Array(Self.still(7, 5).dropFirst(2))
        #expect(
            try Self.frame([0x0E, 0, UInt8(header.count) | 0x80, 0x80, 0] + header) == CodedFrame(width: 7, height: 5))
        #expect(try Self.frame([0x08] + header) == CodedFrame(width: 7, height: 5))
        #expect(throws: UnreadableFrame.self) { try Self.frame([0x08] + header, isWhole: true) }
        #expect(throws: UnreadableFrame.self) { try Self.frame([0x0A, 2, 0, 0]) }
        #expect(try Self.frame([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]) == nil)
        #expect(try Self.frame([]) == nil)
    }

    /// `ue(v)` of H.265.
    private static func exponential(_ value: Int) -> (Int, Int) {
        let width = (Int.bitWidth - (value + 1).leadingZeroBitCount) * 2 - 1
        return (value + 1, width)
    }

    @Test func parameterSetsOfHEVCAreRead() throws {
        let levels = [(0, 96), (3, 2), (1, 2), (0, 12), (0, 96), (0, 8)]
        let header = Self.bytes(
            [(0, 4), (2, 3), (1, 1)] + levels.prefix(1).map { ($0.0, $0.1) } + levels.dropFirst()
                + [exponential(0), exponential(3), (0, 1), exponential(4000), exponential(3000)].map { ($0.0, $0.1) })
        var escaped: [UInt8] = []
        for byte in header {
            if escaped.suffix(2) == [0, 0], byte <= 3 { escaped.append(3) }
            escaped.append(byte)
        }
        let unit: [UInt8] = [0x42, 1] + escaped
        func frame(_ units: [UInt8]) throws -> CodedFrame? {
            var budget = UnitBudget()
            return try units.withView { (view) throws(UnreadableFrame) in try HEVCSequence.largestFrame(view, &budget) }
        }
        let length: [UInt8] = [0, 0, 0, UInt8(unit.count)]
        #expect(try frame(length + unit) == CodedFrame(width: 4000, height: 3000))
        #expect(try frame([0, 0, 0, 1, 9] + length + unit) == CodedFrame(width: 4000, height: 3000))
        // A layer above the first is not decoded.
        #expect(try frame(length + [0x42, 9] + unit.dropFirst(2)) == nil)
        #expect(throws: UnreadableFrame.self) { try frame([0, 0, 0, 10] + unit) }
        #expect(try frame([0xFF, 0xFF, 0xFF, 0xFF] + unit) == nil)
    }

    private func exponential(_ value: Int) -> (Int, Int) { Self.exponential(value) }

    // MARK: - Items by hand

    /// An item of a kind, its data, and the items that it refers to.
    private typealias Item = (type: String, data: [UInt8], reference: String, to: [UInt16])

    /// Items are numbered from 1, and the first is the main picture.
    private static func file(_ items: [Item], repeats: Int = 1, offsetSize: Int = 4) -> [UInt8] {
        let full: [UInt8] = [0, 0, 0, 0]
        func build(_ start: Int) -> [UInt8] {
            var (entries, places, references, data): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
            for (index, item) in items.enumerated() {
                let number = bigEndian(UInt16(index + 1))
                entries += box("infe", [2, 0, 0, 0] + number + [0, 0] + Array(item.type.utf8) + [0])
                let offset = bigEndian(UInt32(start + data.count)).suffix(offsetSize)
                let extent = offset + bigEndian(UInt32(item.data.count))
                let extents = item.data.isEmpty ? 0 : repeats
                places += number + [0, 0] + bigEndian(UInt16(extents))
                for _ in 0..<extents { places += extent }
                data += item.data
                if !item.to.isEmpty {
                    references += box(
                        item.reference, number + bigEndian(UInt16(item.to.count)) + item.to.flatMap { bigEndian($0) })
                }
            }
            let count = bigEndian(UInt16(items.count))
            let meta = box(
                "meta",
                full + box("pitm", full + [0, 1]) + box("iinf", full + count + entries) + box("iref", full + references)
                    + box("iloc", full + [UInt8(offsetSize << 4 | 4), 0] + count + places))
            return meta + box("mdat", data)
        }
        let end = items.reduce(0) { $0 + $1.data.count }
        return build(build(0).count - end)
    }

    private static func coded(_ items: [Item], repeats: Int = 1) throws -> HEIFCodedPictures {
        try coded(file(items, repeats: repeats))
    }

    private static func coded(_ file: [UInt8]) throws -> HEIFCodedPictures {
        try file.withView { (view) throws(PictureError) in try HEIFCodedPictures(view, trustsFrames: true) }
    }

    @Test func tilesAndAlphaCount() throws {
        let tile = ("av01", Self.still(100, 50), "", []) as Item
        let three = try Self.coded([("grid", [], "dimg", [2, 3, 4]), tile, tile, tile])
        #expect(three.pixels == 15_000 && three.largest == CodedFrame(width: 100, height: 50))
        let six = try Self.coded([("grid", [], "dimg", [2, 3, 4, 2, 3, 4]), tile, tile, tile])
        #expect(six.pixels == 20_000)
        let alpha = ("av01", Self.still(900, 800), "auxl", [1]) as Item
        #expect(try Self.coded([tile, alpha]).pixels == 720_000)
        // What does not belong to the main picture is not decoded.
        #expect(try Self.coded([tile, ("av01", Self.still(900, 800), "thmb", [1])]).pixels == 5000)
        #expect(try Self.coded([("grid", [], "dimg", [1, 2]), ("iden", [], "dimg", [1])]).pixels == 0)
    }

    @Test func whatCannotBeKnownIsRefused() throws {
        let whole = ("av01", Self.still(100, 50), "", []) as Item
        let file = Self.file([whole])
        #expect(try Self.coded(file).pixels == 5000)
        // Without the box that says how it is coded, its name is the reason.
        let unreadable = PictureError.damaged("a coded picture has no av1C box")
        #expect(throws: unreadable) { try Self.coded([("av01", [0x12, 0], "", [])]) }
        #expect(throws: PictureError.damaged("a coded picture has no hvcC box")) {
            try Self.coded([("hvc1", [0, 0, 0, 1, 9], "", [])])
        }
        #expect(throws: unreadable) { try Self.coded([("av01", [], "", [])]) }
        #expect(throws: unreadable) { try Self.coded(Array(file.dropLast())) }
        let meta = file[..<(try #require(file.firstRange(of: "mdat".utf8)).lowerBound - 4)]
        #expect(throws: PictureError.unsupported("cannot be read: the file has two directories of items")) {
            try Self.coded(meta + file)
        }
        // Offsets of two bytes, which libheif would pass over.
        #expect(throws: unreadable) { try Self.coded(Self.file([whole], offsetSize: 2)) }
        let data = ("Exif", [UInt8](repeating: 1, count: 400), "cdsc", [1]) as Item
        #expect(throws: PictureError.damaged("an item is longer than the file")) {
            try Self.coded([whole, data], repeats: 9)
        }
    }
}

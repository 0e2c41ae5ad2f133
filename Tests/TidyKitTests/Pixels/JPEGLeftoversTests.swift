import Support
import Testing

@testable import TidyKit

/// Bytes that harm no pixel, and bytes that look like them.
@Suite struct JPEGLeftoversTests {
    static let whole = DrawnPicture(width: 320, height: 240, grain: 12).jpeg()

    static func item(_ bytes: [UInt8], _ policy: MetadataPolicy = .safe) throws -> (CompressionItem, output: [UInt8]?) {
        let bench = try CompressionRunTests.Bench(target: 1_000_000)
        bench.settings.metadata = policy
        try bench.add("a.jpg", bytes)
        return (try #require(try bench.run().first), try? bench.output("a.jpg"))
    }

    /// The verdict of `--broken`.
    static func isBroken(_ bytes: [UInt8]) throws -> Bool? {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor.openForReading(try folder.write("a.jpg", bytes))
        return try DecodingCheck(memory: 1 << 30, now: .now()).isDamaged(file, byteCount: Int64(bytes.count))
    }

    static func planes(_ bytes: [UInt8]) throws -> [UInt8] {
        let planes = try SourcePicture.decodeJPEG(
            bytes, SourcePicture.Reduction(), profile: nil, options: DecodingOptions())
        let luma = planes.components[0].plane
        return (0..<luma.height).flatMap { y in (0..<luma.width).map { luma.row(y)[$0] } }
    }

    /// Behind SOI and JFIF, and in front of EOI.
    private static func changed(stray: [UInt8] = [], fill: [UInt8] = [], hasEnd: Bool = true) throws -> [UInt8] {
        let file = try #require(JPEGFile(whole))
        let place = file.segments[0].range.upperBound
        return whole[..<place] + stray + whole[place..<(whole.count - 2)] + fill + (hasEnd ? [0xFF, 0xD9] : [])
    }

    static let harmless: [(stray: [UInt8], fill: [UInt8], hasEnd: Bool, words: String)] = [
        ([1, 2, 3], [], true, "3 stray bytes"), ([], [UInt8](repeating: 0, count: 90), true, "fill"),
        ([], [UInt8](repeating: 255, count: 90), true, "fill"), ([], [], false, "no end marker"),
        ([9], [UInt8](repeating: 0, count: 5000), false, "1 stray byte"),
    ]

    @Test(arguments: harmless, [MetadataPolicy.safe, .all])
    func whatHarmsNoPixelIsToldAndLeftOut(
        source: (stray: [UInt8], fill: [UInt8], hasEnd: Bool, words: String), policy: MetadataPolicy
    ) throws {
        let bytes = try Self.changed(stray: source.stray, fill: source.fill, hasEnd: source.hasEnd)
        let (item, output) = try Self.item(bytes, policy)
        #expect(item.action == .rewritten, "\(item)")
        #expect(item.reason?.contains(source.words) == true, "\(item)")
        let made = try #require(output)
        #expect(made.count <= bytes.count && made.suffix(2) == [0xFF, 0xD9])
        #expect(try Self.planes(made) == Self.planes(Self.whole))
        // What was made is sound, and is left alone.
        #expect(try Self.item(made, policy).0.action == .copied)
        #expect(try Self.isBroken(bytes) == false)
    }

    /// How many bytes a decoder reads ahead of the last block depends on where in a byte that ends.
    @Test(arguments: [false, true]) func zerosAreFillWhateverWasReadAhead(isProgressive: Bool) throws {
        for width in stride(from: 64, through: 160, by: 8) {
            let picture = DrawnPicture(width: width, height: 48, grain: 12).jpeg(isProgressive: isProgressive)
            let bytes = Array(picture.prefix(picture.count - 2) + [UInt8](repeating: 0, count: 300) + [0xFF, 0xD9])
            let (item, _) = try Self.item(bytes)
            #expect(item.action == .rewritten && item.reason?.contains("bytes of fill") == true, "\(item)")
            // Two bytes of the last blocks have become zeros too.
            let cut = Array(picture.prefix(picture.count - 4) + [UInt8](repeating: 0, count: 302) + [0xFF, 0xD9])
            #expect(try Self.item(cut).0.action == .failed)
        }
    }

    /// Of a file that holds nothing that could go, the end marker would make the copy longer: no reason for new pixels.
    @Test func anEndMarkerCostsNoPixel() throws {
        let (item, output) = try Self.item(
            Array(DrawnPicture(width: 320, height: 240, grain: 12).jpeg(quality: 90).dropLast(2)))
        #expect(item.action == .rewritten && output?.suffix(2) == [0xFF, 0xD9], "\(item)")
    }

    @Test func whatIsNoFillIsDamage() throws {
        let zeros = [UInt8](repeating: 0, count: 4000)
        let progressive = DrawnPicture(width: 320, height: 240, grain: 12).jpeg(isProgressive: true)
        let scans = try #require(JPEGFile(progressive)).segments.filter { $0.marker == JPEGFile.startOfScan }
        let damaged: [[UInt8]] = [
            // Up to eight bytes stand in the decoder's bit buffer, which counts none of them.
            try Self.changed(fill: Array(zeros[..<20] + [7] + zeros[..<20])),
            try Self.changed(fill: [UInt8](repeating: 0x55, count: 9)),
            // Cut, and the rest of the disk block zeros.
            whole(cutTo: 0.6) + zeros + [0xFF, 0xD9], whole(cutTo: 0.6) + zeros, whole(cutTo: 0.9),
            // Whole scans are missing at the end.
            Array(progressive[..<scans[5].range.lowerBound]), Array(progressive[..<scans[1].range.lowerBound]),
            // Between two scans.
            Array(
                progressive[..<scans[3].range.upperBound] + zeros[..<12] + progressive[scans[3].range.upperBound...]),
        ]
        for (index, bytes) in damaged.enumerated() {
            let (item, output) = try Self.item(bytes)
            #expect(item.action == .failed && output == nil, "\(index) \(item)")
            #expect(item.reason?.hasPrefix("damaged") == true, "\(index) \(item)")
            #expect(try Self.isBroken(bytes) == true, "\(index)")
        }
    }

    private func whole(cutTo share: Double) -> [UInt8] {
        Array(Self.whole.prefix(Int(Double(Self.whole.count) * share)))
    }

    @Test(arguments: [false, true]) func compressAndBrokenAgreeOnFlippedBits(isProgressive: Bool) throws {
        let source = DrawnPicture(width: 200, height: 150, grain: 20).jpeg(quality: 80, isProgressive: isProgressive)
        var random = SeededRandom(seed: 5)
        var damaged = 0
        for _ in 0..<120 {
            var bytes = source
            bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
            let (item, output) = try Self.item(bytes)
            let isBroken = try Self.isBroken(bytes)
            #expect((item.action == .failed) == (isBroken != false), "\(item) \(String(describing: isBroken))")
            if isBroken == true { damaged += 1 }
            guard let output else { continue }
            // Nothing is mended silently into other pixels.
            #expect(try Self.planes(output) == Self.planes(bytes))
        }
        #expect(damaged > 10)
    }

    // MARK: - Baseline

    @Test(arguments: [MetadataPolicy.none, .safe, .all]) func baselineHoldsForWhatFits(policy: MetadataPolicy) throws {
        let source = DrawnPicture(width: 317, height: 211, grain: 12).jpeg(isProgressive: true)
        let bench = try CompressionRunTests.Bench(target: 1_000_000)
        bench.settings.metadata = policy
        bench.settings.isProgressive = false
        try bench.add("a.jpg", source)
        let item = try #require(try bench.run().first)
        #expect(item.action == .rewritten && item.quality == nil)
        let made = try bench.output("a.jpg")
        #expect(JPEGFile(made)?.segments.contains { $0.marker == 0xC0 } == true)
        #expect(try Self.planes(made) == Self.planes(source))
        bench.overwrites = true
        bench.settings.maximumBytes = Int64(min(made.count, source.count) - 1)
        let smaller = try #require(try bench.run().first)
        #expect(smaller.action == .recompressed && (smaller.bytes ?? .max) < made.count)
    }
}

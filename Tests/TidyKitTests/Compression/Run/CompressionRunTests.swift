import Support
import Testing

@testable import TidyKit

@Suite struct CompressionRunTests {
    /// Files, a target, and what comes of them in `out`.
    final class Bench {
        let folder: TemporaryFolder
        var settings = CompressionSettings()
        var jobs = 2
        var overwrites = false
        var isDryRun = false
        private var inputs = CompressionInputs()

        init(target: Int64 = 20_000) throws {
            folder = try TemporaryFolder()
            settings.maximumBytes = target
        }

        func add(_ name: String, _ bytes: [UInt8]) throws {
            let path = try folder.write("in/" + name, bytes)
            inputs.add(file: path, bytes: Int64(bytes.count))
        }

        func run() throws -> [CompressionItem] {
            let plan = try CompressionPlan(inputs.inputs, to: .folder(folder.path.appending("out")))
            var run = CompressionRun(plan: plan, settings: settings)
            run.jobs = jobs
            run.overwrites = overwrites
            run.isDryRun = isDryRun
            return run.run().items
        }

        func output(_ name: String) throws -> [UInt8] {
            try FileSystem.contents(of: folder.path.appending("out/" + name))
        }
    }

    /// Mean luma of each cell of a 4 x 4 grid, as a viewer shows the picture.
    static func look(_ bytes: [UInt8]) throws -> [Double] {
        let file = try #require(JPEGFile(bytes))
        let orientation = SourceMetadata(file, in: bytes, density: nil).orientation
        let planes = try SourcePicture.decodeJPEG(
            bytes, SourcePicture.Reduction(), profile: nil, options: DecodingOptions()
        )
        .upright(from: orientation)
        let luma = planes.components[0].plane
        return (0..<16).map { cell in
            let (left, top) = (cell % 4 * luma.width / 4, cell / 4 * luma.height / 4)
            var sum = 0
            for y in top..<top + luma.height / 4 {
                for x in left..<left + luma.width / 4 { sum += Int(luma.row(y)[x]) }
            }
            return Double(sum) / Double(luma.width / 4 * (luma.height / 4))
        }
    }

    static func difference(_ a: [Double], _ b: [Double]) -> Double {
        zip(a, b).map { abs($0 - $1) }.max() ?? 0
    }

    static func size(_ bytes: [UInt8]) throws -> (Int, Int) {
        let header = try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            try JPEGDecoder.open(raw, memory: 0).header
        }
        return (header.width, header.height)
    }

    @Test func fillsTheTargetAndReportsTheTruth() throws {
        let bench = try Bench()
        try bench.add("a.jpg", DrawnPicture(width: 900, height: 600, grain: 24).jpeg(quality: 95))
        let item = try #require(try bench.run().first)
        let bytes = try bench.output("a.jpg")
        #expect(item.action == .recompressed)
        #expect(item.bytes == Int64(bytes.count))
        #expect(bytes.count <= 20_000 && bytes.count >= 19_000)
        #expect(try Self.size(bytes) == (item.width, item.height))
        #expect((item.sourceWidth, item.sourceHeight) == (900, 600))
    }

    /// A target says nothing of the picture: no memory is asked for by it.
    @Test(arguments: [100_000_000_000, Int64.max]) func aTargetMayBeLargerThanAnyMemory(target: Int64) throws {
        let bench = try Bench(target: target)
        try bench.add("a.png", PNGFixture(DrawnPicture(width: 37, height: 29, grain: 24)).bytes)
        let item = try #require(try bench.run().first)
        #expect(item.action == .recompressed && item.quality == bench.settings.topQuality)
    }

    @Test(arguments: Orientation.allCases)
    func everyOrientationLooksTheSame(orientation: Orientation) throws {
        let picture = DrawnPicture(width: 480, height: 300, grain: 20)
        var exif = ExifFixture()
        exif.orientation(UInt16(orientation.rawValue))
        let bench = try Bench(target: 9_000)
        let stored = picture.stored(for: orientation).jpeg(quality: 95)
        try bench.add("a.jpg", JPEGFixture(picture: stored).with(exif).bytes)
        let item = try #require(try bench.run().first)
        #expect((item.sourceWidth, item.sourceHeight) == (480, 300))
        let bytes = try bench.output("a.jpg")
        #expect(Self.difference(try Self.look(bytes), try Self.look(picture.jpeg(quality: 95))) < 4)
        #expect(try Self.size(bytes) == (item.width, item.height))
    }

    @Test func photoThatFitsKeepsItsPixels() throws {
        let bench = try Bench()
        try bench.add("a.jpg", JPEGFileTests.rich.with(0xFE, [1, 2, 3]).bytes)
        bench.settings.maximumBytes = 200_000
        #expect(try bench.run().map(\.action) == [.rewritten])
        let once = try bench.output("a.jpg")
        let again = try Bench(target: 200_000)
        try again.add("a.jpg", once)
        let item = try #require(try again.run().first)
        #expect(item.action == .copied)
        #expect(item.quality == nil)
        #expect(try again.output("a.jpg") == once)
    }

    @Test func recompressedOutputIsLeftAloneTheSecondTime() throws {
        let bench = try Bench()
        try bench.add("a.jpg", DrawnPicture(width: 900, height: 600, grain: 24).jpeg(quality: 95))
        _ = try bench.run()
        let again = try Bench()
        try again.add("a.jpg", try bench.output("a.jpg"))
        #expect(try again.run().map(\.action) == [.copied])
    }

    @Test func withoutMetadataPixelsAreTurned() throws {
        // What comes to the left is cut through a block: it cannot be turned without loss.
        let picture = DrawnPicture(width: 150, height: 100)
        var exif = ExifFixture()
        exif.orientation(6)
        let bench = try Bench()
        bench.settings.metadata = .none
        try bench.add("a.jpg", JPEGFixture(picture: picture.stored(for: .rotatedRight).jpeg()).with(exif).bytes)
        #expect(try bench.run().map(\.action) == [.recompressed])
        let bytes = try bench.output("a.jpg")
        #expect(try Self.size(bytes) == (150, 100))
        #expect(!bytes.contains(subsequence: Array("Exif".utf8)))
    }

    @Test(arguments: [0.3, 0.6, 0.95])
    func aPictureCutShortFailsAlone(share: Double) throws {
        let whole = DrawnPicture(width: 900, height: 600, grain: 24).jpeg(quality: 95)
        let bench = try Bench()
        try bench.add("cut.jpg", Array(whole[..<Int(Double(whole.count) * share)]))
        try bench.add("whole.jpg", whole)
        let items = try bench.run()
        #expect(items.map(\.action) == [.failed, .recompressed])
        #expect(items[0].reason?.contains("damaged") == true)
        #expect(TemporaryFolder.names(in: bench.folder.path.appending("out")) == [Array("whole.jpg".utf8)])
        bench.settings.decoding.allowsDamaged = true
        bench.overwrites = true
        #expect(try bench.run().map(\.action) == [.recompressed, .copied])
    }

    @Test func aDamagedPictureThatFitsIsNotCopiedSilently() throws {
        let whole = DrawnPicture(width: 300, height: 200).jpeg()
        let bench = try Bench(target: 1_000_000)
        try bench.add("cut.jpg", Array(whole[..<(whole.count / 2)]) + [0xFF, 0xD9])
        #expect(try bench.run().map(\.action) == [.failed])
    }

    @Test func reportsDroppedTrailingData() throws {
        var fixture = JPEGFileTests.rich
        fixture.trailer = [UInt8](repeating: 9, count: 5000)
        let bench = try Bench(target: 1_000_000)
        try bench.add("a.jpg", fixture.bytes)
        let item = try #require(try bench.run().first)
        #expect(item.action == .rewritten)
        #expect(item.reason?.contains("left out: 5.00 kB behind the picture") == true)
        bench.settings.metadata = .all
        bench.overwrites = true
        #expect(try bench.run().map(\.action) == [.copied])
        #expect(try bench.output("a.jpg") == fixture.bytes)
    }

    @Test func truncatedPictureLeaksNoMetadata() throws {
        let bench = try Bench(target: 1_000_000)
        bench.settings.decoding.allowsDamaged = true
        try bench.add("a.jpg", Array(JPEGFileTests.rich.bytes.dropLast(40)))
        _ = try bench.run()
        #expect(!(try bench.output("a.jpg")).contains(subsequence: Array("BODY123".utf8)))
    }

    @Test func unreachableTargetNamesTheSmallestSize() throws {
        let bench = try Bench(target: 300)
        try bench.add("a.jpg", DrawnPicture(width: 900, height: 600, grain: 24).jpeg())
        let item = try #require(try bench.run().first)
        #expect(item.action == .failed)
        #expect(item.reason?.hasPrefix("unreachable: 300 bytes; the smallest size reached is ") == true)
        #expect(TemporaryFolder.names(in: bench.folder.path) == [Array("in".utf8)])
    }

    @Test func reportsASourceThatCannotBecomeSmaller() throws {
        // Flat and gray: the scans of a progressive file take more than there is to save.
        let planes = try JPEGEncoderTests.planes(width: 9, height: 9, chroma: .half, isGray: true, grain: 0)
        let encoder = try JPEGEncoder(planes, chroma: .half, isProgressive: false, effort: .fast)
        let stream = try #require(try encoder.encode(quality: 10, capacity: 1 << 16))
        let orientation: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let exif = Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8) + [0, 1] + orientation + [0, 0, 0, 0]
        let source = JPEGFixture(picture: stream).with(0xE1, exif).bytes
        let bench = try Bench(target: 5_000_000)
        bench.settings.metadata = .none
        try bench.add("a.jpg", source)
        let item = try #require(try bench.run().first)
        let told = "unreachable: \(source.count) bytes, the size of the source, which no output exceeds; the smallest "
        #expect(item.reason?.hasPrefix(told) == true)
    }

    @Test func refusesFilesLargerThanTheBudget() throws {
        let bench = try Bench()
        bench.settings.decoding.memory = 100_000
        try bench.add("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 200_000))
        try bench.add("b.mov", [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [UInt8](repeating: 0, count: 200_000))
        let reasons = try bench.run().map(\.reason)
        #expect(reasons[0] == "needs 200 kB of memory, more than the 100 kB allowed; raise --memory")
        #expect(reasons[1] == "not a picture: a video (MOV)")
    }

    @Test func tightBudgetChangesNoOutput() throws {
        var outputs: [[[UInt8]]] = []
        for (jobs, memory) in [(1, 1_000_000_000), (4, 3_000_000)] {
            let bench = try Bench()
            bench.jobs = jobs
            bench.settings.decoding.memory = Int64(memory)
            let names = (1...6).map { "\($0).jpg" }
            for (seed, name) in names.enumerated() {
                try bench.add(name, DrawnPicture(width: 400, height: 300, seed: UInt64(seed), grain: 30).jpeg())
            }
            #expect(try bench.run().map(\.action) == names.map { _ in .recompressed })
            outputs.append(try names.map { try bench.output($0) })
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test(arguments: [false, true]) func neverReplacesAnOutputThatIsNoFile(isDryRun: Bool) throws {
        let bench = try Bench()
        bench.isDryRun = isDryRun
        bench.overwrites = true
        try bench.folder.write("out/old.txt", "")
        try bench.folder.path.appending("out/a.jpg").makePipe()
        try bench.add("a.jpg", DrawnPicture(width: 300, height: 200).jpeg())
        let item = try #require(try bench.run().first)
        #expect(item.action == .failed)
        #expect(item.reason?.contains("out/a.jpg is not a regular file: nothing replaces it") == true)
        #expect(try FileStatus.of(bench.folder.path.appending("out/a.jpg")).kind == .other)
    }

    @Test(arguments: [false, true]) func refusesAnOutputFolderThatIsNoFolder(isPipe: Bool) throws {
        let bench = try Bench()
        bench.overwrites = true
        let out = bench.folder.path.appending("out")
        if isPipe { try out.makePipe() } else { try bench.folder.write("out", "a file") }
        try bench.add("a.jpg", DrawnPicture(width: 300, height: 200).jpeg())
        let item = try #require(try bench.run().first)
        #expect(item.reason == "nothing can be written below \(out.displayText): it is not a folder")
    }

    @Test func resultsDoNotDependOnTheNumberOfJobs() throws {
        var outputs: [[[UInt8]]] = []
        for jobs in [1, 4] {
            let bench = try Bench()
            bench.jobs = jobs
            for seed in 1...5 {
                try bench.add(
                    "\(seed).jpg", DrawnPicture(width: 400, height: 300, seed: UInt64(seed), grain: 30).jpeg())
            }
            _ = try bench.run()
            outputs.append(try (1...5).map { try bench.output("\($0).jpg") })
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test func anExistingOutputIsKept() throws {
        let bench = try Bench()
        try bench.add("a.jpg", DrawnPicture(width: 900, height: 600, grain: 24).jpeg())
        try bench.folder.write("out/a.jpg", "mine")
        #expect(try bench.run().map(\.action) == [.failed])
        #expect(try bench.output("a.jpg") == Array("mine".utf8))
        bench.overwrites = true
        #expect(try bench.run().map(\.action) == [.recompressed])
        bench.overwrites = false
        #expect(try bench.run().map(\.action) == [.copied])
    }

    @Test func aDryRunSaysTheSameAndWritesNothing() throws {
        let bench = try Bench()
        try bench.add("a.jpg", DrawnPicture(width: 900, height: 600, grain: 24).jpeg())
        bench.isDryRun = true
        let dry = try bench.run()
        #expect(TemporaryFolder.names(in: bench.folder.path) == [Array("in".utf8)])
        bench.isDryRun = false
        #expect(try bench.run().map(\.bytes) == dry.map(\.bytes))
    }

    @Test func modeAndTimesAreThoseOfTheSource() throws {
        let bench = try Bench()
        try bench.add("a.jpg", DrawnPicture(width: 900, height: 600, grain: 24).jpeg())
        let source = bench.folder.path.appending("in/a.jpg")
        let file = try FileDescriptor.open(source, .readWrite)
        try file.setPermissions(0o640)
        try file.setTimes(accessedNs: 5, modifiedNs: 1_000_000_000_123)
        _ = try bench.run()
        let status = try FileStatus.of(bench.folder.path.appending("out/a.jpg"))
        #expect(status.permissions == 0o640)
        #expect(status.identity.modifiedNs == 1_000_000_000_123)
    }

    @Test func tooManyPixelsAreRefused() throws {
        let bench = try Bench()
        bench.settings.decoding.maximumPixels = 10_000
        try bench.add("a.jpg", DrawnPicture(width: 200, height: 100).jpeg())
        #expect(try bench.run().first?.reason?.contains("--max-pixels") == true)
    }

    @Test(arguments: [DrawnPicture.Subsampling.s420, .s422, .s444, .gray])
    func everySamplingComesOutRight(sampling: DrawnPicture.Subsampling) throws {
        let source = DrawnPicture(width: 301, height: 203, grain: 20).jpeg(quality: 95, subsampling: sampling)
        let bench = try Bench(target: 6_000)
        try bench.add("a.jpg", source)
        #expect(try bench.run().map(\.action) == [.recompressed])
        let bytes = try bench.output("a.jpg")
        #expect(Self.difference(try Self.look(bytes), try Self.look(source)) < 4)
        if case .gray = sampling {
            let components = try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
                try JPEGDecoder.open(raw, memory: 0).header.components
            }
            #expect(components == 1)
        }
    }

    @Test(arguments: 0..<60) func damageIsAFailureOrAPicture(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var bytes = JPEGFileTests.rich.bytes
        for _ in 0..<3 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
        let bench = try Bench(target: 3_000)
        try bench.add("a.jpg", bytes)
        let item = try #require(try bench.run().first)
        #expect(item.action == .failed || (item.bytes ?? .max) <= 3_000)
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence other: [UInt8]) -> Bool { firstRange(of: other) != nil }
}

import Support
import Testing

@testable import TidyKit

/// A second run over unchanged files decodes nothing, and never says what is not so.
@Suite struct CompressionRecordTests {
    let folder: TemporaryFolder
    let environment: Environment
    let source: FilePath
    private static let picture = DrawnPicture(width: 400, height: 300, grain: 20)

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path
        environment = Environment(
            home: path, data: path.appending("data"), state: path.appending("state"), cache: path.appending("cache"))
        source = try folder.write("in/a.jpg", Self.picture.jpeg(quality: 95))
    }

    private func run(
        target: Int64 = 20_000, version: String = "1", record: CompressionRecord? = nil, isDryRun: Bool = false
    ) throws -> CompressionItem {
        var settings = CompressionSettings()
        settings.maximumBytes = target
        let bytes = try FileStatus.of(source).identity.bytes
        let input = CompressionPlan.Input(path: source, relative: FilePath("a.jpg"), bytes: bytes)
        var run = CompressionRun(
            plan: try CompressionPlan([input], to: .folder(folder.path.appending("out"))), settings: settings)
        run.record = record ?? CompressionRecord(environment, version: version)
        run.isDryRun = isDryRun
        let item = try #require(run.run().items.first)
        if !isDryRun { run.record?.save() }
        return item
    }

    private var isKnown: Bool {
        get throws {
            var settings = CompressionSettings()
            settings.maximumBytes = 20_000
            let job = CompressionPlan.Job(source: source, output: folder.path.appending("out/a.jpg"), bytes: 1)
            return CompressionRecord(environment, version: "1").item(for: job, settings, isInPlace: false, nil) != nil
        }
    }

    @Test func whatWasMadeIsThereAlready() throws {
        let first = try run()
        #expect(first.action == .recompressed)
        #expect(try isKnown)
        for isDryRun in [true, false] {
            let second = try run(isDryRun: isDryRun)
            #expect(second.action == .copied && second.wasThere && second.quality == nil)
            #expect(second.reason == CompressionRecord.reason)
            #expect(second.bytes == first.bytes && second.width == first.width && second.output == first.output)
            #expect(second.sourceWidth == first.sourceWidth && second.sourceBytes == first.sourceBytes)
        }
    }

    @Test func anythingThatChangedIsDecodedAnew() throws {
        _ = try run()
        #expect(try run(target: 19_000).reason != CompressionRecord.reason)
        #expect(try isKnown)
        var other = CompressionSettings()
        other.maximumBytes = 20_000
        other.metadata = .all
        let job = CompressionPlan.Job(source: source, output: folder.path.appending("out/a.jpg"), bytes: 1)
        #expect(CompressionRecord(environment, version: "1").item(for: job, other, isInPlace: false, nil) == nil)
        other.metadata = .safe
        #expect(CompressionRecord(environment, version: "2").item(for: job, other, isInPlace: false, nil) == nil)
        let output = folder.path.appending("out/a.jpg")
        let made = try FileSystem.contents(of: output)
        try AtomicFile.write(made.reversed(), to: output, replacing: true)
        #expect(try !isKnown)
        #expect(try run().action == .failed)
        try AtomicFile.write(made, to: output, replacing: true)
        #expect(try run().action == .copied)
        #expect(try isKnown)
        try folder.write("in/a.jpg", DrawnPicture(width: 400, height: 300, seed: 4, grain: 20).jpeg(quality: 95))
        #expect(try !isKnown)
    }

    @Test func aDamagedRecordCostsOnlyTime() throws {
        _ = try run()
        let path = environment.state.appending("compressed")
        let text = try FileSystem.contents(of: path)
        for place in stride(from: 0, to: text.count - 1, by: 7) {
            var bytes = text
            bytes[place] ^= 1
            try AtomicFile.write(bytes, to: path, replacing: true)
            #expect(try !isKnown, "\(place)")
        }
        try AtomicFile.write([UInt8](repeating: 0xFF, count: 100_000), to: path, replacing: true)
        #expect(try run().action == .copied)
        #expect(try isKnown)
    }
}

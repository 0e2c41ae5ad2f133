import Support
import Testing

@testable import TidyKit

/// One file, compressed, and what our own reader finds in the output.
struct CompressedFixture {
    let item: CompressionItem
    let bytes: [UInt8]
    let found: MediaMetadata

    init(_ source: [UInt8], name: String = "a.jpg", _ policy: MetadataPolicy, edge: Int? = nil) throws {
        let bench = try CompressionRunTests.Bench(target: 10_000_000)
        bench.settings.metadata = policy
        bench.settings.maximumEdge = edge
        try bench.add(name, source)
        item = try #require(try bench.run().first)
        let output = CompressionPlan.outputName(FilePath(Array(name.utf8)), suffix: [])
        bytes = try bench.output(String(decoding: output.bytes, as: UTF8.self))
        found = try #require(try metadata(of: bytes))
    }

    var exif: EXIFDirectories? {
        JPEGFile(bytes)?.exifBlock(in: bytes).flatMap { EXIFDirectories($0.bytes) }
    }

    var contents: [JPEGFile.Segment.Content] {
        JPEGFile(bytes)?.segments.compactMap { $0.content(in: bytes) } ?? []
    }
}

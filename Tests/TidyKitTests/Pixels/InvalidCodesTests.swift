import Support
import Testing

@testable import TidyKit

@Suite struct InvalidCodesTests {
    /// No Huffman code of JPEG is all ones, so a stretch of them cannot be read, wherever it lies.
    @Test(arguments: [false, true]) func aStretchOfOnesIsDamage(isProgressive: Bool) throws {
        let whole = DrawnPicture(width: 1600, height: 1200).jpeg(isProgressive: isProgressive)
        let bench = try CompressionRunTests.Bench(target: 1_000_000_000)
        try bench.add("whole.jpg", whole)
        let scan = try #require(
            JPEGFile(whole)?.segments.filter { $0.marker == JPEGFile.startOfScan }
                .max { $0.range.count < $1.range.count })
        let length = 200
        try #require(scan.range.count > 8000)
        for part in 1...8 {
            var bytes = whole
            var start = scan.payload.upperBound + (scan.range.upperBound - scan.payload.upperBound) * part / 10
            // Not amid an escaped byte.
            while bytes[start - 1] == 0xFF || bytes[start + length - 1] == 0xFF { start += 1 }
            for index in stride(from: start, to: start + length, by: 2) {
                (bytes[index], bytes[index + 1]) = (0xFF, 0)
            }
            try bench.add("part\(part).jpg", bytes)
        }
        let items = try bench.run()
        #expect(items.count == 9)
        #expect(items.count { $0.action == .failed } == 8)
        #expect(items.count { $0.reason?.hasPrefix("damaged: Corrupt JPEG data") == true } == 8)
    }
}

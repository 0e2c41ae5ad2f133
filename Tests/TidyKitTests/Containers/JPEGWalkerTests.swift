import Support
import Testing

@testable import TidyKit

/// Two earlier implementations of the walk are kept here, to which the results of `JPEGWalker` are compared.
@Suite struct JPEGWalkerTests {
    /// Bytes as hostile as random ones, but with markers, lengths, fill and stuffed zeros among them.
    private func bytes(_ random: inout SeededRandom) -> [UInt8] {
        let pieces: [[UInt8]] = [
            [0xFF], [0], [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xD0], [0xFF, 0x01], [0xFF, 0xD8], [0xFF, 0xD9], [0x12, 0x34],
            [0xFF, 0xE1, 0, 4], [0xFF, 0xE0, 0, 0], [0xFF, 0xC0, 0, 1], [0xFF, 0xDA, 0, 3], [0xFF, 0xFE, 0, 2],
            [0xFF, 0xE2, 0xFF, 0xFF],
        ]
        return (0..<Int.random(in: 1...40, using: &random)).reduce(into: [0xFF, 0xD8]) { bytes, _ in
            bytes += pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }
    }

    private struct Found: Equatable {
        var segments: [[Int]] = []
        var end = 0
        var hasEnd = false
    }

    /// As whole files were walked: any garbage is passed over, and scans end at the next marker.
    private func wholeFile(_ bytes: [UInt8]) -> Found? {
        func nextMarker(from start: Int) -> Int? {
            var at = start
            while at + 1 < bytes.count {
                if bytes[at] != 0xFF {
                    at += 1
                    continue
                }
                switch bytes[at + 1] {
                case 0xFF: at += 1
                case 0, 1, 0xD0...0xD8: at += 2
                default: return at
                }
            }
            return nil
        }
        guard bytes.count >= 4 else { return nil }
        var found = Found(end: bytes.count)
        var at = 2
        while let start = nextMarker(from: at) {
            let marker = bytes[start + 1]
            if marker == 0xD9 { return Found(segments: found.segments, end: start + 2, hasEnd: true) }
            guard start + 4 <= bytes.count else { break }
            let payloadEnd = start + 2 + max(Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]), 2)
            guard payloadEnd <= bytes.count else { break }
            at = marker == 0xDA ? nextMarker(from: payloadEnd) ?? bytes.count : payloadEnd
            found.segments.append([Int(marker), start, at, start + 4, payloadEnd])
        }
        return found
    }

    @Test func wholeFilesAreWalkedAsEver() {
        var random = SeededRandom.byChance()
        for _ in 0..<20_000 {
            let bytes = bytes(&random)
            let file = JPEGFile(bytes).map { file in
                Found(
                    segments: file.segments.map {
                        [
                            Int($0.marker), $0.range.lowerBound, $0.range.upperBound, $0.payload.lowerBound,
                            $0.payload.upperBound,
                        ]
                    }, end: file.end, hasEnd: file.hasEnd)
            }
            #expect(file == wholeFile(bytes))
        }
    }

    private enum End: Equatable { case image, scan, file, garbage }

    /// As metadata walked a file: a length that makes no sense is garbage, of which there may be so much.
    private func head(_ bytes: [UInt8], _ most: Int) -> (segments: [[Int]], garbage: Int, end: End) {
        var (at, garbage) = (2, 0)
        var segments: [[Int]] = []
        func byte(_ at: Int) -> UInt8? { at < bytes.count ? bytes[at] : nil }
        while garbage < most {
            guard byte(at) == 0xFF, let marker = byte(at + 1), marker != 0 else {
                let limit = min(bytes.count, at + most - garbage)
                guard at < bytes.count,
                    let next = (at..<limit).first(where: {
                        $0 > at && bytes[$0] == 0xFF && $0 + 1 < limit && bytes[$0 + 1] != 0 && bytes[$0 + 1] != 0xFF
                    })
                else { return (segments, garbage, .file) }
                garbage += next - at
                at = next
                continue
            }
            var skip = 0
            switch marker {
            case 0xFF: skip = 1
            case 0x01, 0xD0...0xD8: skip = 2
            case 0xD9: return (segments, garbage, .image)
            default:
                let length = byte(at + 2).flatMap { high in byte(at + 3).map { Int(high) << 8 | Int($0) } }
                guard let length, length >= 2 else {
                    skip = 2
                    break
                }
                if marker == 0xDA { return (segments, garbage, .scan) }
                segments.append([Int(marker), at, length])
                at += 2 + length
            }
            garbage += skip
            at += skip
        }
        return (segments, garbage, .garbage)
    }

    @Test func headsAreWalkedAsEver() {
        var random = SeededRandom.byChance()
        for _ in 0..<20_000 {
            let bytes = bytes(&random)
            let most = Int.random(in: 1...60, using: &random)
            let expected = head(bytes, most)
            var segments: [[Int]] = []
            var end: End?
            var walker = JPEGWalker(from: 2, maximumPassedOver: most)
            bytes.withView { view in
                var source = MemorySource(bytes: view)
                while end == nil {
                    switch walker.next(in: &source) {
                    case .end: end = .file
                    case .tooMuchGarbage: end = .garbage
                    case .marker(let marker):
                        if marker.code == JPEGMarker.endOfImage {
                            end = .image
                        } else if let length = marker.length, length >= 2 {
                            if marker.code == JPEGMarker.startOfScan {
                                end = .scan
                            } else {
                                segments.append([Int(marker.code), Int(marker.offset), length])
                            }
                        } else {
                            walker.reject(marker)
                        }
                    }
                }
            }
            #expect(segments == expected.segments && end == expected.end)
            #expect(walker.passedOver == expected.garbage)
        }
    }
}

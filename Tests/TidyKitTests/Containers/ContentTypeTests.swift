import Testing
import TidyKit

@Suite struct ContentTypeTests {
    private func format(_ head: [UInt8]) -> MediaFormat? { head.withUnsafeBytes { ContentType.format(of: $0) } }
    private func format(_ text: String) -> MediaFormat? { format(Array(text.utf8)) }

    @Test(arguments: [
        ("heic", "mif1", MediaFormat.heic), ("mif1", "heic", .heic), ("mif1", "avif", .avif), ("avis", "msf1", .avif),
        ("mif1", "miaf", .heic), ("qt  ", "qt  ", .mov), ("isom", "mp41", .mp4), ("mp42", "isom", .mp4),
        ("3gp5", "isom", .threeGP), ("crx ", "isom", .cr3), ("heix", "mif1", .heic),
        ("1pic", "mif1", .heic), ("vvic", "mif1", .heic), ("msf1", "iso8", .heic), ("unif", "mif2", .heic),
        ("3gs7", "isom", .threeGP), ("3ge6", "isom", .threeGP), ("3g2a", "isom", .threeGP), ("3dvi", "isom", .mp4),
    ])
    func brands(major: String, compatible: String, expected: MediaFormat) {
        #expect(
            format([0, 0, 0, 24] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0] + Array(compatible.utf8)) == expected)
    }

    @Test func soundIsNoPicture() {
        #expect(format([0, 0, 0, 24] + Array("ftypM4A ".utf8) + [0, 0, 0, 0] + Array("isom".utf8)) == nil)
        #expect(format("RIFF\u{24}\0\0\0WAVEfmt ") == nil)
    }

    @Test func textIsNoMovie() {
        #expect(format("the free encyclopedia") == nil)
        #expect(format("let skip = 4") == nil)
        #expect(format([0, 0, 0, 8] + Array("wide".utf8)) == .mov)
        #expect(format([0x20, 0, 0, 8] + Array("mdat".utf8)) == .mov)
    }

    @Test func recognisesTransportStreamsByPacketStarts() {
        let packet: [UInt8] = [0x47] + [UInt8](repeating: 0xFF, count: 187)
        func stream(_ packet: [UInt8], _ count: Int) -> [UInt8] { Array(repeatElement(packet, count: count).joined()) }
        #expect(format(Array(stream(packet, 30).prefix(4096))) == .mts)
        #expect(format(stream(packet, 4)) == .mts)
        #expect(format(stream(packet, 3)) == nil)
        let timed: [UInt8] = [0, 0, 1, 2] + packet
        #expect(format(Array(stream(timed, 30).prefix(4096))) == .mts)
        var broken = stream(packet, 10)
        broken[188 * 5] = 0
        #expect(format(broken) == nil)
        #expect(format([UInt8](repeating: 0x47, count: 188) + [UInt8](repeating: 0, count: 4000)) == nil)
    }

    @Test func theFirstBytesDecide() {
        #expect(format([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(format([0xFF, 0xD8, 0x00]) == nil)
        #expect(format([0x89] + Array("PNG\r\n\u{1A}\n".utf8)) == .png)
        #expect(format("GIF89a") == .gif)
        #expect(format("II*\0\u{8}\0\0\0") == .tiff)
        #expect(format("MM\0*\0\0\0\u{8}") == .tiff)
        #expect(format("II*\0\u{10}\0\0\0CR") == .cr2)
        #expect(format("FUJIFILMCCD-RAW") == .raf)
        #expect(format("II and MM are byte orders") == nil)
        #expect(format("") == nil)
        #expect(format([0]) == nil)
    }
}

import Support
import Testing

@testable import TidyKit

@Suite struct RIFFMetadataTests {
    private func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        Array(type.utf8) + littleEndian(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
    }

    private func words(_ values: [UInt32]) -> [UInt8] { values.flatMap { littleEndian($0) } }

    private func avi(
        frames: UInt32 = 30, stream: [UInt32]? = nil, idit: String? = nil, icrd: String? = nil, isInfoLast: Bool = false
    ) -> [UInt8] {
        var header = chunk("avih", words([66_666, 0, 0, 0, frames, 0, 1, 0, 320, 240, 0, 0, 0, 0]))
        if let stream {
            header += chunk("LIST", Array("strl".utf8) + chunk("strh", Array("vidsMJPG".utf8) + words(stream)))
        }
        if let idit { header += chunk("IDIT", Array(idit.utf8)) }
        let info = icrd.map { chunk("LIST", Array("INFO".utf8) + chunk("ICRD", Array($0.utf8))) } ?? []
        let movie = chunk("LIST", Array("movi".utf8) + chunk("00dc", [UInt8](repeating: 7, count: 65)))
        let lists = isInfoLast ? movie + info : info + movie
        return chunk("RIFF", Array("AVI ".utf8) + chunk("LIST", Array("hdrl".utf8) + header) + lists)
    }

    @Test(
        arguments: [
            ("MON SEP 10 20:52:00 2012\n\0", "2012-09-10T20:52:00", .second),
            ("Mon Mar  3 05:04:43 2003", "2003-03-03T05:04:43", .second),
            ("2005-11-28 10:11:12", "2005-11-28T10:11:12", .second),
            ("2005:08:17 11:42:43\0", "2005-08-17T11:42:43", .second),
            ("2005/11/28/ 09:19", "2005-11-28T09:19:00", .minute),
            ("2001/ 1/27  1:42PM", "2001-01-27T13:42:00", .minute),
            ("2020-08-28\0\0", "2020-08-28T00:00:00", .day),
            ("MON SEP 31 20:52:00 2012", nil, .second), ("2001/ 1/27 13:42PM", nil, .second), ("0000:00:00", nil, .day),
            ("2012", nil, .second), ("THU JAN 01 00:00:00 1970 UTC", nil, .second),
        ] as [(String, String?, CaptureDate.Precision)])
    func datesOfCameras(text: String, expected: String?, precision: CaptureDate.Precision) throws {
        for file in [avi(idit: text), avi(icrd: text), avi(icrd: text, isInfoLast: true)] {
            let date = try metadata(of: file)?.captureDate
            #expect(date?.text == expected)
            if let date { #expect(date.source == .quickTime && date.precision == precision && !date.isInstant) }
        }
    }

    @Test func theDateOfDigitisationCountsFirst() throws {
        let both = try metadata(of: avi(idit: "2005-11-28 10:11:12", icrd: "2020-08-28"))
        #expect(both?.captureDate?.text == "2005-11-28T10:11:12")
        #expect(try metadata(of: avi(idit: "nonsense", icrd: "2020-08-28"))?.captureDate?.precision == .day)
    }

    @Test func sizeAndDuration() throws {
        let found = try metadata(of: avi())
        #expect(found?.width == 320 && found?.height == 240 && found?.problems == [])
        #expect(abs((found?.duration ?? 0) - 2) < 0.001)
        // The stream counts all frames: scale 1, rate 25, 500 of them.
        let long = try metadata(of: avi(frames: 30, stream: [0, 0, 0, 1, 25, 0, 500, 0]))
        #expect(long?.duration == 20)
    }

    @Test func damageEndsNothing() throws {
        let whole = avi(stream: [0, 0, 0, 1, 25, 0, 500, 0], idit: "2005-11-28 10:11:12", icrd: "2020-08-28")
        for length in stride(from: 12, to: whole.count, by: 3) { _ = try metadata(of: Array(whole[..<length])) }
        for at in stride(from: 12, to: whole.count - 4, by: 2) {
            var damaged = whole
            damaged.replaceSubrange(at..<at + 4, with: [255, 255, 255, 255])
            _ = try metadata(of: damaged)
        }
    }

    /// Lists that hold lists to the end of the file are not followed to the end of the stack.
    @Test func listsWithinListsHaveAnEnd() throws {
        let depth = 100_000
        var file = Array("RIFF".utf8) + littleEndian(UInt32(4 + 12 * depth)) + Array("AVI ".utf8)
        for level in 0..<depth {
            file += Array("LIST".utf8) + littleEndian(UInt32(12 * (depth - level) - 8)) + Array("hdrl".utf8)
        }
        #expect(try metadata(of: file)?.problems.isEmpty == false)
    }
}

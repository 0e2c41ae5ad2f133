import Support
import Testing

@testable import TidyKit

@Suite struct IPTCRecordTests {
    private func date(_ day: String, _ time: String?) throws -> String? {
        try metadata(of: JPEGFixture().with(0xED, JPEGFixture.iptc(date: day, time: time)))?.captureDate
            .map { "\($0.source.rawValue) \($0.text) \($0.precision.rawValue)" }
    }

    @Test(
        arguments: [
            ("19620514", "101112+0100", "iptc 1962-05-14T10:11:12+01:00 second"),
            ("19620514", "101112", "iptc 1962-05-14T10:11:12 second"),
            ("19620514", nil, "iptc 1962-05-14T00:00:00 day"), ("19620514", "      ", "iptc 1962-05-14T00:00:00 day"),
            ("19620514", "996699", "iptc 1962-05-14T00:00:00 day"),
            ("1962:05:14", "10:11:12-05:00", "iptc 1962-05-14T10:11:12-05:00 second"),
            ("00000000", "101112", nil), ("1962", nil, nil), ("19621399", nil, nil), ("99991231", nil, nil),
        ] as [(String, String?, String?)])
    func dateAndTimeCreated(day: String, time: String?, expected: String?) throws {
        #expect(try date(day, time) == expected)
    }

    @Test func hour24IsAProblem() throws {
        let found = try metadata(of: JPEGFixture().with(0xED, JPEGFixture.iptc(date: "19620514", time: "240500")))
        #expect(found?.captureDate?.text == "1962-05-14T00:05:00")
        #expect(found?.problems.map(\.description) == ["hour 24 in iptc read as 00 of that day"])
    }

    @Test func aRecordThatGoesOnInTheNextSegmentIsRead() throws {
        let body = JPEGFixture.iptc(date: "19620514")
        let header = Array("Photoshop 3.0\0".utf8)
        let jpeg = JPEGFixture().with(0xED, Array(body[..<40])).with(0xED, header + body[40...])
        #expect(try metadata(of: jpeg)?.captureDate?.text == "1962-05-14T00:00:00")
    }

    @Test func damagedRecordsTellNothing() throws {
        let body = JPEGFixture.iptc(date: "19620514", time: "101112")
        for length in 0..<body.count { _ = try metadata(of: JPEGFixture().with(0xED, Array(body[..<length]))) }
        // A length that leads outside, and an extended length.
        let datasets: [UInt8] = [0x1C, 2, 5, 0x80, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0x1C, 2, 55, 0, 8] + "19620514".utf8
        #expect(datasets.withUnsafeBytes { IPTCRecord(ByteView($0)).created(now: testNow) } == nil)
    }

    @Test func tiffFilesHaveItInATagOfTheirOwn() throws {
        var record: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("19620514".utf8)
        while record.count % 4 != 0 { record.append(0) }
        // One directory with ImageWidth and IPTC-NAA as LONGs.
        let directory: [UInt8] =
            littleEndian(UInt16(2)) + littleEndian(UInt16(0x0100)) + littleEndian(UInt16(3)) + littleEndian(UInt32(1))
            + littleEndian(UInt32(64)) + littleEndian(UInt16(0x83BB)) + littleEndian(UInt16(4))
            + littleEndian(UInt32(record.count / 4)) + littleEndian(UInt32(38)) + littleEndian(UInt32(0))
        let file = Array("II*\0".utf8) + littleEndian(UInt32(8)) + directory + record
        #expect(try metadata(of: file)?.captureDate?.text == "1962-05-14T00:00:00")
        #expect(try metadata(of: file)?.captureDate?.source == .iptc)
    }
}

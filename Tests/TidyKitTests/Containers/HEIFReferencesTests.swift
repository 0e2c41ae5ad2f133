import Testing

@testable import TidyKit

/// The type of a reference comes before a 64-bit size field, not directly before the payload.
@Suite struct HEIFReferencesTests {
    private let reference: [UInt8] = [0, 2, 0, 1, 0, 1]

    private func longBox(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let size = UInt64(body.count + 16)
        return bigEndian(UInt32(1)) + Array(type.utf8) + bigEndian(size) + body
    }

    /// A HEIF file with a reference of type `cdsc` among others; `long` names the boxes with a 64-bit size.
    private func file(long: Set<String>) -> [UInt8] {
        func made(_ type: String, _ body: [UInt8]) -> [UInt8] {
            long.contains(type) ? longBox(type, body) : box(type, body)
        }
        let versionAndFlags: [UInt8] = [0, 0, 0, 0]
        let references = made("thmb", reference) + made("cdsc", reference) + made("dimg", reference)
        let meta = made("meta", versionAndFlags + made("iref", versionAndFlags + references))
        return box("ftyp", Array("heic".utf8)) + meta
    }

    @Test(arguments: [[], ["cdsc"], ["iref", "cdsc"], ["meta", "iref", "thmb", "cdsc", "dimg"]] as [Set<String>])
    func onlyTheTypeIsReplaced(long: Set<String>) throws {
        let bytes = file(long: long)
        let hidden = try #require(HEIFReferences.hidden(["cdsc"], in: bytes))
        let type = try #require(bytes.indices.first { bytes[$0...].starts(with: "cdsc".utf8) })
        var expected = bytes
        expected.replaceSubrange(type..<type + 4, with: "hide".utf8)
        #expect(hidden == expected)
        #expect(HEIFReferences.hidden(["auxl"], in: bytes) == nil)
    }

    @Test func aTruncatedReferenceIsNotTouched() {
        let bytes = file(long: ["cdsc", "dimg"])
        #expect(HEIFReferences.hidden(["dimg"], in: Array(bytes.dropLast(1))) == nil)
    }
}

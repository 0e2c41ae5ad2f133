internal import Support
import Testing

@testable import TidyKit

@Suite struct OtherFormatsTests {
    @Test(arguments: [
        ([UInt8]("GIF89a\u{1}\0\u{1}\0\0\0\0".utf8), "GIF"), ([UInt8]("II*\0\u{8}\0\0\0\0\0".utf8), "TIFF"),
        ([0, 0, 0, 24] + [UInt8]("ftypcrx isomcrx isom".utf8), "CR3"),
        ([0, 0, 0, 24] + [UInt8]("ftypqt  isomqt  isom".utf8), "video"), ([UInt8]("FUJIFILMCCD-RAW ".utf8), "RAF"),
        ([], "empty"), ([UInt8]("hello".utf8), "not a picture"),
    ]) func whatCannotBeCompressedIsNamed(bytes: [UInt8], name: String) throws {
        let reason = try #require(failure(bytes)).reason
        #expect(reason.contains(name), "\(reason)")
    }

    /// What cannot be done here can be done in two steps.
    @Test func whatCannotBeCompressedHasAWayOn() throws {
        let tiff = try #require(failure([UInt8]("II*\0\u{8}\0\0\0\0\0".utf8))).reason
        #expect(tiff.contains("convert it to PNG first"), "\(tiff)")
        let raw = try #require(failure([UInt8]("FUJIFILMCCD-RAW ".utf8))).reason
        #expect(raw.contains("develop it to JPEG"), "\(raw)")
        #expect(raw.contains("RAW photo") && tiff.contains("TIFF picture"))
    }

    @Test func aRAWPhotoIsToldFromATIFFPicture() throws {
        // DNGVersion (0xC612) in IFD0.
        let entry: [UInt8] = [0x12, 0xC6, 1, 0, 4, 0, 0, 0, 1, 4, 0, 0]
        let bytes = [UInt8]("II*\0\u{8}\0\0\0\u{1}\0".utf8) + entry + [0, 0, 0, 0]
        #expect(try #require(failure(bytes)).reason.contains("DNG"))
    }

    @Test func whatAPacketSaysOfItsFormatIsUpdated() {
        for packet in ["<x dc:format=\"image/png\"/>", "<dc:format>image/png</dc:format>"] {
            let updated = String(
                decoding: XMPEdit.updated(Array(packet.utf8), OutdatedXMP(width: 1, height: 1)), as: UTF8.self)
            #expect(updated == packet.split(separator: "png").joined(separator: "jpeg"))
        }
    }

    @Test func profilesAreOfTheKindOfTheirPixels() throws {
        let profile = try #require(ICCProfile.rgb(.sRGB, .sRGB))
        #expect(ICCProfile.checked(profile, isGray: false) == profile)
        #expect(ICCProfile.checked(profile, isGray: true) == nil)
        #expect(ICCProfile.checked([UInt8](repeating: 0, count: 200), isGray: false) == nil)
    }

    @Test func whatSRGBMeansNeedsNoProfile() {
        #expect(CodedColor(primaries: 1, transfer: 13).profile == nil)
        #expect(CodedColor(primaries: 2, transfer: 2).profile == nil)
        #expect(CodedColor(primaries: 9, transfer: 14).profile != nil)
        #expect(CodedColor(primaries: 1, transfer: 8).profile != nil)
    }

    @Test func brightnessOfHighDynamicRangeOnlyGrows() {
        for curve in [HighDynamicRange.perceptualQuantizer, HighDynamicRange.hybridLogGamma] {
            #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(curve.first == 0 && curve.last! > 64000)
        }
    }
}

import Testing
import TidyKit

@Suite struct TakeoutMetadataTests {
    private func read(_ json: String) -> TakeoutMetadata? { TakeoutMetadata.read(Array(json.utf8), now: testNow) }

    @Test func timeAndPlace() {
        let found = read(
            #"{"title":"a.jpg","photoTakenTime":{"timestamp":"1300000000"},"geoData":{"latitude":48.1,"longitude":11.5}}"#
        )
        #expect(found?.captureDate?.text == "2011-03-13T07:06:40Z")
        #expect(found?.captureDate?.source == .takeout)
        #expect(found?.location == Coordinate(latitude: 48.1, longitude: 11.5))
        #expect(read(#"{"photoTakenTime":{"timestamp":1300000000}}"#)?.captureDate?.text == "2011-03-13T07:06:40Z")
        #expect(read(#"{"photoTakenTime":{"timestamp":"-100000000"}}"#)?.captureDate?.text == "1966-10-31T14:13:20Z")
        #expect(read("\u{FEFF}" + #"{"photoTakenTime":{"timestamp":"1300000000"}}"#)?.captureDate != nil)
    }

    @Test(arguments: [
        "0", "-9000000000", "99999999999", "9223372036854775807", "-9223372036854775808", "1e9", "",
        "2011-03-13", "123456789012345678901234567890",
    ])
    func timesThatAreNone(timestamp: String) {
        let found = read(#"{"photoTakenTime":{"timestamp":"\#(timestamp)"}}"#)
        #expect(found != nil && found?.captureDate == nil)
    }

    @Test(arguments: ["0.0,0.0", "91,10", "10,181", "1e999,10", "-0.0,0"])
    func placesThatAreNone(place: String) {
        let parts = place.split(separator: ",")
        let found = read(
            #"{"photoTakenTime":{},"geoData":{"latitude":\#(parts[0]),"longitude":\#(parts[1])}}"#)
        #expect(found != nil && found?.location == nil)
    }

    @Test func otherJSONIsNotTakeouts() {
        let cut = #"{"photoTakenTime":{"timestamp":"1300000000"}"#
        for text in ["", "{", "[]", "null", #"{"title":"a"}"#, cut, "\u{0}"] {
            #expect(read(text) == nil)
        }
        // Deeper than anybody nests, and no end.
        #expect(read(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(read(String(repeating: #"{"photoTakenTime":"#, count: 100_000)) == nil)
    }
}

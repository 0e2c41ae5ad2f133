import Testing
import TidyKit

@Suite struct JSONReaderTests {
    private func value(_ text: String) -> JSONValue? { try? JSONReader.value(Array(text.utf8)[...]) }

    @Test func readsWhatTheWriterWrites() throws {
        var json = JSONWriter()
        json.object { json in
            json.key("text")
            json.value("a\"\\\n\u{1}é😀")
            json.key("number")
            json.value(-42)
            json.key("nothing")
            json.null()
            json.key("list")
            json.array { json in
                json.value(true)
                json.value(1.5)
            }
        }
        let value = try JSONReader.value(json.bytes[...])
        #expect(value["text"]?.text == "a\"\\\n\u{1}é😀")
        #expect(value["number"]?.integer == -42)
        #expect(value["nothing"]?.isNull == true)
        #expect(value["list"]?.array?.first?.bool == true)
        #expect(value["other"] == nil)
    }

    @Test func escapesOfAllKinds() {
        #expect(value(#""\u00e9\ud83d\ude00\/\b\f""#)?.text == "é😀/\u{8}\u{C}")
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":}", "{a:1}", "nul", "01", "1.", "-", "\"\u{1}\"", "\"abc", "\"\\x\"", "\"\\ud800\"",
        "[1] 2", "\"\\u12\"", "{\"a\":1,}",
    ])
    func refusesWhatIsNoJSON(_ text: String) { #expect(value(text) == nil) }

    @Test func depthIsBounded() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(value(deep) == nil)
        #expect(value(String(repeating: "[", count: 20) + String(repeating: "]", count: 20)) != nil)
    }

    @Test func integersThatDoNotFitAreNone() {
        #expect(value("9223372036854775808")?.integer == nil)
        #expect(value("18446744073709551615")?.unsigned == .max)
    }
}

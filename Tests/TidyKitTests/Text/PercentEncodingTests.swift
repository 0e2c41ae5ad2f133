import Testing
import TidyKit

@Suite struct PercentEncodingTests {
    @Test func everyByteComesBack() {
        let bytes = (0...255).map { UInt8($0) }
        let text = PercentEncoding.encode(bytes)
        #expect(PercentEncoding.decode(text) == bytes)
        #expect(text.allSatisfy { (0x21..<0x7F).contains($0) })
    }

    @Test(arguments: [
        ("a b.jpg", "a%20b.jpg"), ("50%.jpg", "50%25.jpg"), ("a/b-_.!~*'()", "a/b-_.!~*'()"), ("é", "%C3%A9"),
    ])
    func asRFC2396HasIt(_ name: String, _ text: String) {
        #expect(String(decoding: PercentEncoding.encode(Array(name.utf8)), as: UTF8.self) == text)
    }

    @Test func aStrayPercentStandsForItself() {
        #expect(PercentEncoding.decode(Array("100%".utf8)) == Array("100%".utf8))
        #expect(PercentEncoding.decode(Array("%zz%4".utf8)) == Array("%zz%4".utf8))
    }
}

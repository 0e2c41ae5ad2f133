import Testing

@testable import TidyKit

/// The examples of FIPS 180-4, and lengths around the size of a block.
@Suite struct ContentHashTests {
    private func hash(_ bytes: [UInt8], step: Int = .max) -> String {
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: min(step, max(1, bytes.count))) {
            Array(bytes[start..<min(bytes.count, start + min(step, bytes.count))]).withUnsafeBytes { hash.update($0) }
        }
        return hash.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func asThePaperHasIt(_ text: String, _ expected: String) { #expect(hash(Array(text.utf8)) == expected) }

    @Test func aMillionTimesA() {
        let bytes = [UInt8](repeating: 0x61, count: 1_000_000)
        #expect(hash(bytes) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func piecesMakeNoDifference() {
        for count in [55, 56, 63, 64, 65, 119, 120, 128, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let whole = hash(bytes)
            for step in [1, 3, 63, 64, 65] { #expect(hash(bytes, step: step) == whole) }
        }
    }
}

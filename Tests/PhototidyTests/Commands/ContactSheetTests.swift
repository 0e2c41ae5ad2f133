import Support
import Testing
import TidyKit

@testable import phototidy

@Suite struct ContactSheetTests {
    private func photo(_ path: String) -> Photo {
        Photo(
            path: FilePath(path),
            identity: FileIdentity(device: 1, inode: 2, bytes: 3, modifiedNs: 4, changedNs: 5), format: .jpeg)
    }

    @Test(arguments: [
        ("/a/b/c.jpg", "/a/b", "c.jpg"), ("/a/c.jpg", "/a/b", "../c.jpg"), ("/c.jpg", "/a/b", "../../c.jpg"),
        ("/a/b/c d#1?.jpg", "/a", "b/c%20d%231%3F.jpg"), ("/a/javascript:x.jpg", "/a", "javascript%3Ax.jpg"),
        ("/a/b", "/a/b", "../b"), ("/a/\"<&'.jpg", "/a", "%22%3C%26%27.jpg"),
    ])
    func linksAreRelativeAndEncoded(_ path: String, _ folder: String, _ link: String) {
        #expect(ContactSheet.link(to: FilePath(path), from: FilePath(folder)) == link)
    }

    @Test func bytesThatAreNoTextAreEncodedToo() {
        #expect(ContactSheet.link(to: FilePath([0x2F, 0xE9]), from: .root) == "%E9")
    }

    /// To Swift, `"` and a combining accent are one character that differs from a quote; to a browser they are two.
    @Test(arguments: ["\"", "'", "<", ">", "&"]) func aQuoteWithAnAccentIsAQuote(character: String) {
        #expect(!ContactSheet.escaped(character + "\u{301} onerror=x").contains(character + "\u{301}"))
        #expect(ContactSheet.escaped("e\u{301}\u{1F469}\u{200D}\u{1F680}") == "e\u{301}\u{1F469}\u{200D}\u{1F680}")
    }

    @Test func aSheetStandsForItself() throws {
        let program = try BuiltProgram()
        let library = try TemporaryFolder()
        try library.write("in/<b>&\".jpg", JPEGFixture().bytes)
        let result = try program.run("list", "in", "--html", "sheets.html", in: library.path)
        #expect(result.exitCode == 0)
        #expect(result.output.isEmpty)
        #expect(result.errorText == "Wrote 1 photo to sheets.html\n")
        let page = String(decoding: try FileSystem.contents(of: library.path.appending("sheets.html")), as: UTF8.self)
        #expect(page.contains("<img src=\"in/%3Cb%3E%26%22.jpg\" alt=\"&lt;b&gt;&amp;&quot;.jpg\""))
        #expect(!page.contains("http") && !page.contains("<script") && !page.contains("@import"))
        #expect(try program.run("list", "in", "--html", "-", in: library.path).text.contains("in/%3Cb%3E%26%22.jpg"))
    }

    @Test func onlyASheetIsReplacedByOne() throws {
        let program = try BuiltProgram()
        let library = try TemporaryFolder()
        let photo = JPEGFixture().bytes
        try library.write("a.jpg", photo)
        let refused = try program.run("list", "--html", "a.jpg", in: library.path)
        #expect(refused.exitCode == 4)
        #expect(refused.errorText.contains("a.jpg exists already and is not a contact sheet"))
        #expect(try FileSystem.contents(of: library.path.appending("a.jpg")) == photo)
        for _ in 1...2 { #expect(try program.run("list", "--html", "s.html", in: library.path).exitCode == 0) }
        #expect(TemporaryFolder.names(in: library.path).count == 2)
    }

    @Test func contactSheetInAMissingFolderExits5() throws {
        let program = try BuiltProgram()
        let result = try program.run("list", "--html", "no/where.html")
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("no"))
    }
}

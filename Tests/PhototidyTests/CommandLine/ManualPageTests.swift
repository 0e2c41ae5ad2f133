import Support
import Testing
import TidyKit

@testable import phototidy

@Suite struct ManualPageTests {
    private static let page = FilePath(#filePath).directory.directory.directory.directory.appending("Docs/phototidy.1")

    @Test func theKeptPageIsUpToDate() throws {
        let kept = String(decoding: try FileSystem.contents(of: Self.page), as: UTF8.self)
        #expect(kept == ManualPage.roff(), "phototidy manual > Docs/phototidy.1")
        #expect(try BuiltProgram().run("manual").text == kept)
    }

    @Test func noLineIsTakenForARequest() {
        let requests: Set = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".br", ".nf", ".fi", ".RS", ".RE", ".\\\""]
        for line in ManualPage.roff().split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
    }
}

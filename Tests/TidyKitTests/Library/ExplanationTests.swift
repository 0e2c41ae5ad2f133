internal import Support
import Testing
import TidyKit

@Suite struct ExplanationTests {
    @Test func aCompanionIsNoRowUnlessItIsNamed() throws {
        let folder = try TemporaryFolder()
        let main = try folder.write("IMG_1.JPG", JPEGFixture().bytes)
        let video = try folder.write("IMG_1.MOV", QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes)
        var query = LibraryQuery(operands: [folder.path], now: .now())
        query.useIndex = false
        func verdict(_ file: FilePath) throws -> Explanation.Verdict {
            try PhotoLibrary.explain(file, query, environment: .current()).verdict
        }
        #expect(try verdict(main) == .photo)
        #expect(try verdict(video) == .companion(of: main))
        query.units = false
        #expect(try verdict(video) == .photo)
        query.units = true
        query.operands = [video]
        #expect(try verdict(video) == .photo)
    }
}

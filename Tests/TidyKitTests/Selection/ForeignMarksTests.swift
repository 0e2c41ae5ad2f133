import Testing
import TidyKit

@Suite struct ForeignMarksTests {
    private func first(_ names: [String], there: Set<String>) -> ForeignMarks? {
        ForeignMarks.first(in: names.map { ListedPhoto(path: FilePath($0)) }) { there.contains($0.displayText) }
    }

    @Test func aNameThatIsThereOnlyWithoutItsMarksIsTold() {
        let found = first(["x.jpg", "a.jpg\r", "b.jpg\r"], there: ["x.jpg", "b.jpg"])
        #expect(found?.path == FilePath("b.jpg\r"))
        #expect(found?.hasCarriageReturn == true && found?.hasByteOrderMark == false)
        let both = first(["\u{FEFF}a.jpg\r"], there: ["a.jpg"])
        #expect(both?.hasCarriageReturn == true && both?.hasByteOrderMark == true)
    }

    @Test func namesAreTakenAsTheyAre() {
        #expect(first(["a.jpg", "gone.jpg"], there: ["a.jpg"]) == nil)
        // A name may end so.
        #expect(first(["a.jpg\r"], there: ["a.jpg\r", "a.jpg"]) == nil)
        #expect(first(["\r", ""], there: [""]) == nil)
        // The mark of a text stands at its beginning.
        #expect(first(["a.jpg", "\u{FEFF}b.jpg"], there: ["a.jpg", "b.jpg"]) == nil)
    }
}

import Testing
import TidyKit

@Suite struct SharedBudgetTests {
    @Test func aShareGrowsIntoWhatIsFreeAndNoFurther() {
        let budget = SharedBudget(100)
        var first = budget.share(30)
        var grew = Self.growsBeside(&first, budget)
        #expect(grew == [true, true, false])
        grew = [first.grow(to: 50)]
        #expect(grew == [true])
    }

    /// Of a second share, twice, and of `first` beside it.
    private static func growsBeside(_ first: inout SharedBudget.Share, _ budget: SharedBudget) -> [Bool] {
        var second = budget.share(40)
        let grew = [second.grow(to: 60), second.grow(to: 10), first.grow(to: 50)]
        let wanted = first.wanted
        #expect(wanted == 50)
        return grew
    }

    @Test func moreThanThereIsMeansAll() {
        let budget = SharedBudget(100)
        var share = budget.share(1000)
        let (wanted, grew) = (share.wanted, share.grow(to: 1000))
        #expect(wanted == 100)
        #expect(grew)
    }
}

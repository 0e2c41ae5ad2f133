import Testing

@testable import TidyKit

/// Below which operand a photo was found, for `--keep first`.
@Suite struct OperandOrderTests {
    /// By definition, in time that grows with the operands.
    private func first(_ operands: [FilePath], _ path: FilePath) -> Int {
        operands.firstIndex { path.isSameOrBelow($0) } ?? operands.firstIndex { $0 == .current } ?? operands.count
    }

    private static let lists: [[String]] = [
        ["a", "a/b", "."], ["a/b", "a"], [".", "a"], ["/", "/x"], ["/x", "/"], ["../p", ".."], ["./a", "a"],
        ["a/b/c.jpg", "a", "a"], ["a//b", "a"], [],
    ]

    @Test(arguments: lists) func theFirstOfThoseAboveIt(_ names: [String]) {
        let operands = names.map { FilePath($0) }
        let order = OperandOrder(operands)
        for name in [
            "a/b/c.jpg", "a/x.jpg", "a.jpg", "ab/c.jpg", "/x/y.jpg", "/y.jpg", "../p/q.jpg", "../q.jpg", "./a/b.jpg",
            "a//b/c.jpg",
        ] {
            let path = FilePath(name)
            #expect(order.place(of: path) == first(operands, path), "\(name) of \(names)")
        }
    }

    @Test func aSlashAtTheEndDoesNotMatter() {
        let order = OperandOrder([FilePath("b/"), FilePath("a/")])
        #expect(order.place(of: FilePath("a/x.jpg")) == 1)
        #expect(order.place(of: FilePath("b/x.jpg")) == 0)
        #expect(order.place(of: FilePath("c/x.jpg")) == 2)
    }
}

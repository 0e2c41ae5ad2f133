import Glibc
import Synchronization
import Testing

@testable import TidyKit

@Suite struct IdleWorkersTests {
    private struct Refusal: Error, Equatable { var index: Int }

    @Test(arguments: [0, 1, 3, 100])
    func resultsStandInTheOrderOfTheParts(threads: Int) {
        let workers = IdleWorkers(threads)
        for count in [0, 1, 2, 50] {
            #expect(workers.map(count) { 3 * $0 } == (0..<count).map { 3 * $0 })
        }
    }

    /// Two parts that wait for each other end only where each has a thread.
    @Test func threadsThatAreAddedHelp() {
        let workers = IdleWorkers()
        workers.add()
        for _ in 0..<3 {
            let present = Atomic<Int>(0)
            _ = workers.map(2) { _ in
                present.add(1, ordering: .relaxed)
                while present.load(ordering: .relaxed) < 2 { sched_yield() }
            }
        }
    }

    /// The limit ends a wait that would never end.
    @Test(.timeLimit(.minutes(15)), arguments: [0, 1, 7])
    func theFirstErrorIsThrown(threads: Int) {
        let workers = IdleWorkers(threads)
        #expect(throws: Refusal(index: 5)) {
            _ = try workers.map(100) { (index) throws(Refusal) in
                if index >= 5 { throw Refusal(index: index) }
            }
        }
        // Threads come back after it: as many parts wait for each other.
        let present = Atomic<Int>(0)
        _ = workers.map(threads + 1) { _ in
            present.add(1, ordering: .relaxed)
            while present.load(ordering: .relaxed) <= threads { sched_yield() }
        }
    }

    /// Whoever borrows from within a part finds what is left, and no thread is lent twice.
    @Test func noMoreThreadsRunThanThereAre() {
        let workers = IdleWorkers(2)
        let running = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        _ = workers.map(8) { _ in
            _ = workers.map(8) { _ in
                let now = running.add(1, ordering: .relaxed).newValue
                most.max(now, ordering: .relaxed)
                running.subtract(1, ordering: .relaxed)
            }
        }
        #expect(most.load(ordering: .relaxed) <= 3)
    }
}

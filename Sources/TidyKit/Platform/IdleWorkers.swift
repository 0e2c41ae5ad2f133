internal import Synchronization

/// How many threads of a run have nothing to do: who has work that falls in parts may borrow as many (see `Workers`). All
/// parts are done in any case, so what comes out is the same however many there are.
package final class IdleWorkers: Sendable {
    private let count: Atomic<Int>

    /// With none all parts are done by their caller, one after the other.
    package init(_ count: Int = 0) { self.count = Atomic(max(0, count)) }

    /// A thread that will not come for work of its own any more.
    package func add(_ more: Int = 1) { count.add(more, ordering: .relaxed) }

    /// What `part` makes of 0, 1 … `count` - 1, in this order; done by the caller and by threads that are idle now.
    ///
    /// Parts begin in their order; after one that fails no other begins, and of those that fail the first one's error is
    /// thrown: the same as without other threads.
    func map<Result, Failure: Error>(
        _ count: Int, _ part: @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        var results: [Result] = []
        results.reserveCapacity(count)
        let helpers = borrow(count - 1)
        guard helpers > 0 else {
            for index in 0..<max(count, 0) { results.append(try part(index)) }
            return results
        }
        let slots = UnsafeMutableBufferPointer<Swift.Result<Result, Failure>?>.allocate(capacity: count)
        slots.initialize(repeating: nil)
        defer {
            slots.deinitialize()
            slots.deallocate()
        }
        // Each is written by the one thread that drew its index, and read when all have been joined.
        nonisolated(unsafe) let shared = slots
        let next = Atomic<Int>(0)
        let hasFailed = Atomic<Bool>(false)
        Workers.run(helpers + 1) {
            while !hasFailed.load(ordering: .relaxed) {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                do throws(Failure) {
                    shared[index] = .success(try part(index))
                } catch {
                    shared[index] = .failure(error)
                    hasFailed.store(true, ordering: .relaxed)
                }
            }
        }
        add(helpers)
        for slot in slots {
            guard let slot else { break }
            results.append(try slot.get())
        }
        return results
    }

    /// Takes up to `wanted`; `add` returns them.
    private func borrow(_ wanted: Int) -> Int {
        var idle = count.load(ordering: .relaxed)
        while true {
            let taken = min(idle, wanted)
            guard taken > 0 else { return 0 }
            let (isDone, now) = count.weakCompareExchange(expected: idle, desired: idle - taken, ordering: .relaxed)
            if isDone { return taken }
            idle = now
        }
    }
}

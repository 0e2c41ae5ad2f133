internal import Synchronization

/// The number of threads of a run that have nothing to do: a thread whose work can be split may borrow them (see
/// `Workers`). The results do not depend on how many there are.
package final class IdleWorkers: Sendable {
    private let count: Atomic<Int>

    /// With 0, the caller does all parts itself, one after the other.
    package init(_ count: Int = 0) { self.count = Atomic(max(0, count)) }

    /// Adds a thread that has run out of work.
    package func add(_ more: Int = 1) { count.add(more, ordering: .relaxed) }

    /// The results of `part` for 0, 1 … `count` - 1, in this order. The caller and the threads that are idle now
    /// compute them.
    ///
    /// Parts begin in order. After one fails, no other begins, and the error of the first that failed is thrown, as on
    /// a single thread.
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
        // Each slot is written by the one thread that drew its index, and read after all threads have been joined.
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

    /// Borrows up to `wanted` threads; `add` gives them back. Returns how many.
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

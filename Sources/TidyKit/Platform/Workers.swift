internal import Glibc
internal import Synchronization

/// Threads for long computations, which must not occupy the thread pool of Swift concurrency. All threads of this
/// program start here.
///
/// - `map` is for many items; the results have their order. Cheap items are handed out in chunks: 20,000 items of 4 µs
///   take 41 ms in chunks, 84 ms one by one and 519 ms in a sliding window.
/// - `run` is for threads that fetch their own work: the photos of `compress`, one at a time, as memory allows.
/// - `IdleWorkers.map` is for the parts of one item, on threads that are out of items.
enum Workers {
    /// Calls `body` for each item. Each thread has one `worker` for all its items.
    /// - Parameter chunk: the number of items that are handed out at once; large for cheap items.
    static func map<Item: Sendable, Result: Sendable, Worker: ~Copyable>(
        _ items: [Item], threads: Int = ResourceLimits.processorCount, chunk: Int = 32,
        worker: @Sendable () -> Worker, _ body: @Sendable (inout Worker, Item) -> Result
    ) -> [Result] {
        let count = items.count
        let threads = min(threads, (count + chunk - 1) / chunk)
        guard threads > 1 else {
            var own = worker()
            return items.map { body(&own, $0) }
        }
        return [Result](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Each slot is written by the one thread that drew its index.
            nonisolated(unsafe) let slots = buffer
            let next = Atomic<Int>(0)
            run(threads) {
                var own = worker()
                while true {
                    let start = next.add(chunk, ordering: .relaxed).oldValue
                    guard start < count else { return }
                    for index in start..<min(start + chunk, count) {
                        (slots.baseAddress! + index).initialize(to: body(&own, items[index]))
                    }
                }
            }
            initialized = count
        }
    }

    /// Runs `body` on `count` threads, including the caller's, and returns when all have finished. Fewer run if the
    /// system has no more threads.
    static func run(_ count: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            var threads: [pthread_t] = []
            while threads.count < count - 1, let thread = start(body) { threads.append(thread) }
            body()
            for thread in threads { pthread_join(thread, nil) }
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// `pthread_create`; nil if the system has no more threads. The thread blocks the interrupting signals, which must
    /// arrive in the first thread to interrupt its calls.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var (ours, before) = (sigset_t(), sigset_t())
        sigemptyset(&ours)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&ours, signal) }
        pthread_sigmask(SIG_BLOCK, &ours, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return nil
        }
        return thread
    }
}

internal import Glibc
internal import Synchronization

/// Work on many small items at once, on plain threads: the results stand in the order of the items, whatever thread made
/// them.
enum ParallelMap {
    /// Cores that this process may use.
    static let cores = WorkerThreads.processorCount

    /// Every thread makes one `worker` and takes it from item to item.
    /// - Parameter chunk: items that are handed out at once; many where they are cheap.
    static func map<Item: Sendable, Result: Sendable, Worker: ~Copyable>(
        _ items: [Item], threads: Int = cores, chunk: Int = 32, worker: @escaping @Sendable () -> Worker,
        _ body: @escaping @Sendable (inout Worker, Item) -> Result
    ) -> [Result] {
        let count = items.count
        let threads = min(threads, (count + chunk - 1) / chunk)
        guard threads > 1 else {
            var own = worker()
            return items.map { body(&own, $0) }
        }
        return [Result](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Each index is written by the one thread that drew it.
            nonisolated(unsafe) let slots = buffer
            let next = SharedCounter()
            let work: @Sendable () -> Void = {
                var own = worker()
                while true {
                    let start = next.take(chunk)
                    guard start < count else { return }
                    for index in start..<min(start + chunk, count) {
                        (slots.baseAddress! + index).initialize(to: body(&own, items[index]))
                    }
                }
            }
            let started = (1..<threads).compactMap { _ in Thread(work) }
            work()
            for thread in started { thread.join() }
            initialized = count
        }
    }
}

private final class SharedCounter: Sendable {
    private let value = Atomic<Int>(0)
    func take(_ count: Int) -> Int { value.add(count, ordering: .relaxed).oldValue }
}

/// A POSIX thread; nil where the system has none to give, and the caller does the work alone.
private struct Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private var handle = pthread_t()

    init?(_ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run))
        let code = WorkerThreads.withoutSignals {
            pthread_create(
                &handle, nil,
                { argument in
                    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, body.toOpaque())
        }
        guard code == 0 else {
            body.release()
            return nil
        }
    }

    func join() { pthread_join(handle, nil) }
}

internal import Glibc

/// Threads of our own for work that computes for long: it must not occupy the pool of Swift's concurrency.
public enum WorkerThreads {
    /// Runs `body` on `count` threads, the caller's among them, and returns when all have returned. Where the system
    /// gives fewer threads, fewer run.
    public static func run(_ count: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { runEscaping(count, $0) }
    }

    private static func runEscaping(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        var threads: [pthread_t] = []
        for _ in 1..<max(count, 1) {
            var thread = pthread_t()
            let box = Unmanaged.passRetained(Box(body))
            let code = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, box.toOpaque())
            guard code == 0 else {
                box.release()
                break
            }
            threads.append(thread)
        }
        body()
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Processors that this process may use (`sched_getaffinity`, as `nproc` counts them).
    public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Bytes of memory in this machine.
    public static var physicalMemory: Int64 {
        Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

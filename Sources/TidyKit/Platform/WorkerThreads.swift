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
            let code = withoutSignals {
                pthread_create(
                    &thread, nil,
                    { argument in
                        guard let argument else { return nil }
                        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                        return nil
                    }, box.toOpaque())
            }
            guard code == 0 else {
                box.release()
                break
            }
            threads.append(thread)
        }
        body()
        for thread in threads { pthread_join(thread, nil) }
    }

    private static let limits = ResourceLimits()

    /// Processors that this process may use.
    public static let processorCount = limits.processors(of: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Bytes of memory that this process may use: those of the machine, or of its control group where that is less.
    public static let memory: Int64 = {
        let (pages, size) = (Int64(sysconf(Int32(_SC_PHYS_PAGES))), Int64(sysconf(Int32(_SC_PAGESIZE))))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: size)
        return limits.memory(of: overflow || bytes <= 0 ? .max : bytes)
    }()

    /// Runs `body`, which starts a thread, so that the thread takes no signal which asks for the end: it must come to the
    /// first one, whose calls it interrupts.
    static func withoutSignals<Result>(_ body: () -> Result) -> Result {
        var (ours, before) = (sigset_t(), sigset_t())
        sigemptyset(&ours)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&ours, signal) }
        pthread_sigmask(SIG_BLOCK, &ours, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }

    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

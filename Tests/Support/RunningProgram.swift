internal import Glibc
internal import TidyKit

/// A program at work, which a test may kill or wait for.
package final class RunningProgram {
    private let process: pid_t
    /// As shells count: 128 + the signal where one ended it. Nil while it is at work.
    private var exitCode: Int32?

    init(_ process: pid_t) { self.process = process }

    /// No process outlives the test that started it.
    deinit {
        if exitCode == nil {
            Glibc.kill(process, SIGKILL)
            _ = try? ChildProcess.wait(for: process)
        }
    }

    package var isAtWork: Bool {
        if exitCode != nil { return false }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return true }
        exitCode = ChildProcess.exitCode(status)
        return false
    }

    /// SIGKILL: it gets no chance to put anything right.
    package func kill() {
        if exitCode == nil { Glibc.kill(process, SIGKILL) }
    }

    package func interrupt() {
        if exitCode == nil { Glibc.kill(process, SIGINT) }
    }

    package func terminate() {
        if exitCode == nil { Glibc.kill(process, SIGTERM) }
    }

    /// True once it catches SIGTERM and sleeps in a call; false where it ends before, or never comes to it.
    package func waitUntilItWaits() -> Bool { waits { $0 && $1 } }

    /// True once it catches SIGTERM.
    package func waitUntilItCatches() -> Bool { waits { catches, _ in catches } }

    private func waits(_ isReached: (_ catches: Bool, _ sleeps: Bool) -> Bool) -> Bool {
        let deadline = time(nil) + Self.patience
        while isAtWork, time(nil) < deadline {
            let status = (try? FileSystem.contents(of: FilePath("/proc/\(process)/status"))) ?? []
            let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
            func value(_ key: String) -> Substring? {
                lines.first { $0.hasPrefix(key) }?.split(separator: "\t").last
            }
            let caught = value("SigCgt:").flatMap { UInt64($0, radix: 16) } ?? 0
            let sleeps = value("State:")?.hasPrefix("S") == true
            if isReached(caught >> UInt64(SIGTERM - 1) & 1 == 1, sleeps) { return true }
            sched_yield()
        }
        return false
    }

    /// The exit code; nil where it does not end, in which case it is killed.
    package func waitPatiently() throws -> Int32? {
        let deadline = time(nil) + Self.patience
        while isAtWork {
            if time(nil) > deadline {
                kill()
                try wait()
                return nil
            }
            sched_yield()
        }
        return try wait()
    }

    /// Seconds: longer than anything takes that ends at all.
    private static let patience = 900

    @discardableResult
    package func wait() throws -> Int32 {
        if let exitCode { return exitCode }
        let code = try ChildProcess.wait(for: process)
        exitCode = code
        return code
    }
}

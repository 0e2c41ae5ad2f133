internal import Glibc
internal import TidyKit

/// A program at work, which a test may kill or wait for.
public final class RunningProgram {
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

    public var isAtWork: Bool {
        if exitCode != nil { return false }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return true }
        exitCode = ChildProcess.exitCode(status)
        return false
    }

    /// SIGKILL: it gets no chance to put anything right.
    public func kill() {
        if exitCode == nil { Glibc.kill(process, SIGKILL) }
    }

    public func interrupt() {
        if exitCode == nil { Glibc.kill(process, SIGINT) }
    }

    @discardableResult
    public func wait() throws -> Int32 {
        if let exitCode { return exitCode }
        let code = try ChildProcess.wait(for: process)
        exitCode = code
        return code
    }
}

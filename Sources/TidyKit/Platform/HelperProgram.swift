internal import CPlatform
internal import Glibc

/// Another program, run without a shell, with limits on its time, its memory and its output. It has its own process
/// group, which ends with it.
struct HelperProgram {
    let path: FilePath
    let arguments: [String]
    /// The limit of its address space, in bytes.
    var memory = 4 << 30

    /// The program, by `PATH`; nil if it is not installed.
    static func find(_ name: String) -> FilePath? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = FilePath("\(folder)/\(name)")
            if path.withCString({ access($0, X_OK) }) == 0 { return path }
        }
        return nil
    }

    /// What the program writes to its standard output. Its standard error is dropped, its environment holds a locale
    /// only. Throws ETIME past `milliseconds`, EFBIG past `maximumBytes`, EINTR once `Interrupt.isRequested`, EIO where
    /// it reports a failure, and ECHILD where a signal ends it. Nothing that it started in its group is left.
    /// - Parameter input: its standard input, from the start of the file.
    func run(
        input: borrowing FileDescriptor, maximumBytes: Int, milliseconds: Int64
    ) throws(POSIXError) -> [UInt8] {
        var ends: [Int32] = [0, 0]
        _ = try systemCall("pipe2") { platform_pipe(&ends) }
        let output = FileDescriptor(rawValue: ends[0])
        let process: pid_t
        do throws(POSIXError) { process = try start(input.rawValue, ends[1]) } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        platform_limit_memory(process, memory)
        let end = SystemClock.nowNs() + milliseconds * 1_000_000
        let bytes: [UInt8]
        do throws(POSIXError) { bytes = try Self.read(output, maximumBytes: maximumBytes, until: end) } catch {
            _ = Self.finish(process)
            throw error
        }
        let (code, signal) = Self.finish(process)
        // A program that closes its output before it ends is killed by `finish`. Whether its output is
        // complete, the caller knows.
        if signal != 0, signal != SIGKILL || bytes.isEmpty { throw POSIXError(code: ECHILD, operation: "waitpid") }
        if code != 0 { throw POSIXError(code: EIO, operation: "waitpid", path: path) }
        return bytes
    }

    /// Ends the group, and waits for its leader, which has closed its output or is given up.
    private static func finish(_ process: pid_t) -> (code: Int32, signal: Int32) {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        _ = try? systemCall("waitpid") { waitpid(process, &status, 0) }
        // The lowest seven bits are the signal, the next eight the exit code (wait.h).
        return (status >> 8 & 0xFF, status & 0x7F)
    }

    private static func read(
        _ output: borrowing FileDescriptor, maximumBytes: Int, until end: Int64
    ) throws(POSIXError) -> [UInt8] {
        var bytes: [UInt8] = []
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let left = end - SystemClock.nowNs()
            guard left > 0 else { throw POSIXError(code: ETIME, operation: "read") }
            let state = platform_wait(output.rawValue, Int32(clamping: left / 1_000_000 + 1))
            if state < 0 { throw POSIXError(code: EINTR, operation: "read") }
            if state == 0 { continue }
            let count = try output.read(into: piece)
            if count == 0 { return bytes }
            guard bytes.count + count <= maximumBytes else { throw POSIXError(code: EFBIG, operation: "read") }
            bytes.append(contentsOf: piece[..<count])
        }
    }

    private func start(_ input: Int32, _ output: Int32) throws(POSIXError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        _ = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Our threads block signals, and ignored signals stay ignored after exec: the program must inherit neither.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        var process: pid_t = 0
        let program = path
        let code = ([path] + arguments.map { FilePath($0) }).withCStrings { words in
            [FilePath("LC_ALL=C.UTF-8")].withCStrings { variables in
                program.withCString { posix_spawn(&process, $0, &actions, &attributes, words, variables) }
            }
        }
        guard code == 0 else { throw POSIXError(code: code, operation: "posix_spawn", path: path) }
        return process
    }
}

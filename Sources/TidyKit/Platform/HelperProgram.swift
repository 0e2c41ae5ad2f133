internal import CPlatform
internal import Glibc

/// Another program, run without a shell: bounded in time and in what it may say.
struct HelperProgram {
    let path: FilePath
    let arguments: [String]

    /// Where `PATH` has the program; nil where it has none.
    static func find(_ name: String) -> FilePath? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = FilePath("\(folder)/\(name)")
            if path.withCString({ access($0, X_OK) }) == 0 { return path }
        }
        return nil
    }

    /// What the program writes to its standard output. Its standard error is dropped, its environment holds a locale
    /// only. Throws ETIME past `seconds`, EFBIG past `maximumBytes`, EINTR once `Interrupt.isRequested`; the program is
    /// then ended.
    /// - Parameter input: its standard input, from the start of the file.
    func run(input: borrowing FileDescriptor, maximumBytes: Int, seconds: Int) throws(POSIXError) -> [UInt8] {
        var ends: [Int32] = [0, 0]
        _ = try systemCall("pipe2") { platform_pipe(&ends) }
        let output = FileDescriptor(rawValue: ends[0])
        let process: pid_t
        do throws(POSIXError) { process = try start(input.rawValue, ends[1]) } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        var status: Int32 = 0
        defer { _ = try? systemCall("waitpid") { waitpid(process, &status, 0) } }
        do throws(POSIXError) {
            return try Self.read(
                output, maximumBytes: maximumBytes, until: SystemClock.nowNs() + Int64(seconds) * 1_000_000_000)
        } catch {
            kill(process, SIGKILL)
            throw error
        }
    }

    private static func read(
        _ output: borrowing FileDescriptor, maximumBytes: Int, until end: Int64
    ) throws(POSIXError) -> [UInt8] {
        var bytes: [UInt8] = []
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let state = platform_wait(output.rawValue, 200)
            if state < 0 { throw POSIXError(code: EINTR, operation: "read") }
            if SystemClock.nowNs() > end { throw POSIXError(code: ETIME, operation: "read") }
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
        // Our threads take no signals; the program must.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var process: pid_t = 0
        let program = path
        let code = Self.withCStrings([path] + arguments.map { FilePath($0) }) { words in
            Self.withCStrings([FilePath("LC_ALL=C.UTF-8")]) { variables in
                program.withCString { posix_spawn(&process, $0, &actions, &attributes, words, variables) }
            }
        }
        guard code == 0 else { throw POSIXError(code: code, operation: "posix_spawn", path: path) }
        return process
    }

    private static func withCStrings<Result>(
        _ strings: [FilePath], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { path in path.withCString { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

internal import Glibc
internal import TidyKit

/// `posix_spawn`, without Foundation.
struct ChildProcess {
    let program: FilePath
    let arguments: [FilePath]
    let environment: [String: String]
    let folder: FilePath

    /// What the child does with its descriptors before it runs.
    struct Actions {
        fileprivate var actions = posix_spawn_file_actions_t()
        fileprivate var pipes: [Int32] = []

        mutating func open(_ descriptor: Int32, _ path: FilePath, _ flags: Int32) {
            _ = path.withCString { posix_spawn_file_actions_addopen(&actions, descriptor, $0, flags, 0o600) }
        }

        mutating func close(_ descriptor: Int32) { _ = posix_spawn_file_actions_addclose(&actions, descriptor) }

        mutating func connect(_ descriptor: Int32, to other: Int32) {
            _ = posix_spawn_file_actions_adddup2(&actions, other, descriptor)
        }

        /// The writing end of a pipe that nobody reads.
        mutating func closedPipe(_ descriptor: Int32) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return }
            Glibc.close(ends[0])
            _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
            pipes.append(ends[1])
            _ = posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
        }
    }

    func start(_ prepare: (inout Actions) -> Void) throws(POSIXError) -> pid_t {
        var actions = Actions()
        posix_spawn_file_actions_init(&actions.actions)
        defer {
            posix_spawn_file_actions_destroy(&actions.actions)
            for descriptor in actions.pipes { close(descriptor) }
        }
        prepare(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, so that no test finds the terminal of whoever runs the tests, and POSIX_SPAWN_SETSIGMASK,
        // because the threads of a test run block most signals.
        posix_spawnattr_setflags(&attributes, 0x80 | 0x08)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // `env -C`, because the Glibc overlay lacks posix_spawn_file_actions_addchdir_np.
        let words = [FilePath("/usr/bin/env"), FilePath("-C"), folder, program] + arguments
        let variables = environment.map { FilePath("\($0.key)=\($0.value)") }
        var process: pid_t = 0
        let code = words.withCStrings { words in
            variables.withCStrings { variables in
                posix_spawn(&process, words[0]!, &actions.actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw POSIXError(code: code, operation: "posix_spawn", path: program) }
        return process
    }

    /// The exit code; 128 + the signal where one ended the process, as shells count.
    static func wait(for process: pid_t) throws(POSIXError) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { throw POSIXError(code: errno, operation: "waitpid") }
        }
        return exitCode(status)
    }

    /// Of a status that `waitpid` gave.
    static func exitCode(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}

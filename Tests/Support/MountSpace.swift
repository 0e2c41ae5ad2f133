internal import Glibc
package import TidyKit

/// A mount namespace of a test's own: what is mounted in it nobody else sees, and it is gone with the test, however that
/// ends.
package final class MountSpace {
    /// Why none can be had here; nil where one can.
    package static let obstacle: String? = {
        guard FileSystem.effectiveUser == 0 else { return "only the superuser may mount" }
        guard let space = try? MountSpace(), (try? space.shell("mount -t tmpfs tmpfs /mnt")) != nil else {
            return "this machine lets nobody mount, not even in a namespace"
        }
        return nil
    }()

    package static var isAvailable: Bool { obstacle == nil }

    private let holder: pid_t
    /// The holder lives until this is closed.
    private let leash: Int32

    package init() throws {
        var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&input) == 0, pipe(&output) == 0 else {
            throw POSIXError(code: errno, operation: "pipe")
        }
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = ChildProcess(
            program: FilePath("/usr/bin/unshare"),
            arguments: ["--mount", "--propagation", "private", "/bin/sh", "-c", "echo; read x"].map { FilePath($0) },
            environment: [:], folder: .root)
        holder = try child.start { actions in
            actions.connect(0, to: input[0])
            actions.connect(1, to: output[1])
            actions.open(2, FilePath("/dev/null"), O_WRONLY)
        }
        leash = input[1]
        close(input[0])
        close(output[1])
        defer { close(output[0]) }
        var byte: UInt8 = 0
        guard read(output[0], &byte, 1) == 1 else {
            close(leash)
            _ = try? ChildProcess.wait(for: holder)
            throw POSIXError(code: EPERM, operation: "unshare")
        }
    }

    deinit {
        close(leash)
        _ = try? ChildProcess.wait(for: holder)
    }

    /// What makes a program run in it, in `folder`; for `BuiltProgram.run`.
    package func entrance(_ folder: FilePath) -> [FilePath] {
        ["/usr/bin/nsenter", "--target=\(holder)", "--mount", "--", "/usr/bin/env", "-C"].map { FilePath($0) } + [
            folder
        ]
    }

    /// How `path` is reached from outside.
    package func path(_ path: FilePath) -> FilePath {
        FilePath("/proc/\(holder)/root").appending(path.bytes.dropFirst())
    }

    /// Runs a script in it; throws where it ends with anything but 0.
    package func shell(_ script: String) throws {
        let words = entrance(.root) + ["/bin/sh", "-euc", script].map { FilePath($0) }
        let child = ChildProcess(
            program: words[0], arguments: Array(words.dropFirst()),
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            folder: .root)
        let process = try child.start { _ in }
        guard try ChildProcess.wait(for: process) == 0 else { throw POSIXError(code: ECHILD, operation: script) }
    }
}

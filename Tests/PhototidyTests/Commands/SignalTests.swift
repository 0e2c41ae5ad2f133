import Glibc
import Support
import Testing
import TidyKit

/// The first signal ends every wait: with 130, and with everything as it was.
@Suite struct SignalTests: ProgramSuite {
    let program: BuiltProgram
    private let photo: FilePath

    init() throws {
        program = try BuiltProgram()
        photo = try program.home.write("a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
    }

    private func expectEnd(_ arguments: [String], input: FilePath = FilePath("/dev/null")) throws {
        let before = try TestLibrary.snapshot(home.path)
        let running = try program.start(arguments.map { FilePath($0) }, input: input)
        #expect(running.waitUntilItWaits(), "\(arguments)")
        running.terminate()
        #expect(try running.waitPatiently() == 130, "\(arguments)")
        #expect(try TestLibrary.snapshot(home.path).filter { before.keys.contains($0.key) } == before)
    }

    private func pipe(_ name: String) -> FilePath {
        let path = home.path.appending(name)
        _ = path.withCString { mkfifo($0, 0o600) }
        return path
    }

    @Test(arguments: [
        ["delete", "--from", "-", "--yes"], ["delete", "--from", "-", "-n"], ["select", "add", "--from", "-"],
        ["compress", "--from", "-", "-o", "out"],
    ])
    func aListThatNeverComes(arguments: [String]) throws { try expectEnd(arguments, input: pipe("idle")) }

    /// Opening it waits for somebody who writes.
    @Test func aListInAPipeWithoutAWriter() throws {
        _ = pipe("list")
        try expectEnd(["delete", "--from", "list", "--yes"])
    }

    /// The program says that it waits. A pipe of the shell (`<(…)`) has a writer, and needs no message.
    @Test func aListInANamedPipeIsToldOf() throws {
        _ = pipe("list")
        let named = try program.runShell("/bin/sh", "echo a.jpg > list & phototidy delete -n --from list")
        #expect(named.exitCode == 0 && named.errorText.contains("list is a named pipe"), "\(named.errorText)")
        let quiet = try program.runShell("/bin/sh", "echo a.jpg > list & phototidy delete -n -q --from list")
        #expect(quiet.exitCode == 0 && quiet.errorText.isEmpty, "\(quiet.errorText)")
        let ofShell = try program.runShell("/bin/bash", "phototidy delete -n --from <(echo a.jpg)")
        #expect(ofShell.exitCode == 0 && !ofShell.errorText.contains("pipe"), "\(ofShell.errorText)")
    }

    @Test func aLockThatIsHeld() throws {
        #expect(try run("select", "add", "a.jpg").exitCode == 0)
        let lock = home.path.appending(".local/state/phototidy/selections/.lock")
        let held = try FileLock(lock)
        try expectEnd(["select", "clear"])
        held.release()
    }

    /// A tebibyte that is not there: reading it takes minutes.
    @Test(.enabled(if: TemporaryFolder.memory != nil, "no tmpfs is here")) func aHashOfALargeFile() throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.memory)
        let path = try folder.write("large.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        try path.truncate(to: 1 << 40)
        let running = try program.start(
            [FilePath("delete"), path] + ["--verify=hash", "--yes"].map { FilePath($0) })
        #expect(running.waitUntilItCatches())
        running.terminate()
        #expect(try running.waitPatiently() == 130)
        #expect(path.exists)
    }
}

internal import Glibc
internal import Support
import Testing

@testable import TidyKit

/// Another program may do anything: what it does must end in time, and leave nothing behind.
@Suite struct HelperProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ script: String, maximumBytes: Int = 1 << 20, milliseconds: Int64 = 60_000
    ) throws -> [UInt8] {
        let input = try FileDescriptor.openForReading(try folder.write("input", Array("hello".utf8)))
        return try HelperProgram(path: FilePath("/bin/sh"), arguments: ["-c", script]).run(
            input: input, maximumBytes: maximumBytes, milliseconds: milliseconds)
    }

    private func code(_ body: () throws -> [UInt8]) -> Int32? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? POSIXError)?.code }
    }

    /// The process of which the script has written the number; the number is not used again while the test runs.
    private func isGone(_ name: String) throws -> Bool {
        let text = String(decoding: try FileSystem.contents(of: folder.path.appending(name)), as: UTF8.self)
        let process = try #require(pid_t(text.filter { $0.isNumber }))
        // Orphans are waited for by init, which takes its time: a zombie is as good as gone.
        // A signal arrives when the system pleases.
        for _ in 0..<1_000_000 {
            guard kill(process, 0) == 0,
                let status = try? FileSystem.contents(of: FilePath("/proc/\(process)/stat"))
            else { return true }
            if String(decoding: status, as: UTF8.self).contains(") Z ") { return true }
            sched_yield()
        }
        return false
    }

    private var place: String { folder.path.displayText }

    @Test func itsOutputIsReturned() throws {
        #expect(try run("cat; echo lost >&2") == Array("hello".utf8))
    }

    @Test func aProgramThatHangsIsEndedInTime() throws {
        #expect(code { try run("exec sleep 600", milliseconds: 1) } == ETIME)
        let script = "echo $$ >\(place)/self; mkfifo \(place)/pipe; echo ready; read line <\(place)/pipe"
        #expect(code { try run(script, milliseconds: 300) } == ETIME)
        #expect(try isGone("self"))
    }

    @Test func aProgramThatWritesWithoutEndIsEnded() throws {
        #expect(code { try run("echo $$ >\(place)/self; exec cat /dev/zero", maximumBytes: 100_000) } == EFBIG)
        #expect(try isGone("self"))
    }

    /// The program itself ends at once; the one that it started keeps the pipe open.
    @Test func whatItHasStartedEndsWithIt() throws {
        let script = "sleep 600 & echo $! >\(place)/child; echo done"
        #expect(code { try run(script, milliseconds: 300) } == ETIME)
        #expect(try isGone("child"))
    }

    @Test func aProgramThatClosesItsOutputAndStaysIsEnded() throws {
        #expect(try run("echo $$ >\(place)/self; echo done; exec sleep 600 >&-") == Array("done\n".utf8))
        #expect(try isGone("self"))
    }

    @Test func failuresAreReported() throws {
        #expect(code { try run("echo half; exit 3") } == EIO)
        #expect(code { try run("kill -SEGV $$") } == ECHILD)
        #expect(code { try run("kill -KILL $$") } == ECHILD)
        let input = try FileDescriptor.openForReading(try folder.write("input", []))
        let missing = HelperProgram(path: folder.path.appending("none"), arguments: [])
        #expect(code { try missing.run(input: input, maximumBytes: 1, milliseconds: 1000) } == ENOENT)
    }

    @Test func itsMemoryIsLimited() throws {
        let input = try FileDescriptor.openForReading(try folder.write("input", []))
        // The limit is set once it runs. Without one, it waits until its time is over.
        let script = #"while [ "$(ulimit -v)" = unlimited ]; do :; done; ulimit -v"#
        var program = HelperProgram(path: FilePath("/bin/sh"), arguments: ["-c", script])
        program.memory = 1 << 30
        let text = String(
            decoding: try program.run(input: input, maximumBytes: 100, milliseconds: 60_000), as: UTF8.self)
        #expect(text == "1048576\n")
    }
}

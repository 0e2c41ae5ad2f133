import Support
import Testing
import TidyKit

/// SIGKILL from outside, at moments chosen by chance: where the growing trash, the growing journal or the emptying trash
/// has come to a mark. `PHOTOTIDY_KILLS=500` makes that many rounds (12 without it), `PHOTOTIDY_SEED` repeats some.
@Suite struct RandomKillTests {
    private static let files = 200

    private let program: BuiltProgram
    private let library: FilePath
    private let before: [FilePath: TestLibrary.Content]
    private let contents: [[UInt8]]

    init() throws {
        program = try BuiltProgram()
        for number in 0..<Self.files {
            // Every fourth file is the sidecar of the one before.
            let name = number % 4 == 3 ? "p\(number - 1).jpg.xmp" : "p\(number).jpg"
            let path = try program.home.write("library/\(number / 50)/\(name)", "content of \(number)")
            try FileSystem.setModified(path, ns: 1_400_000_000_000_000_000 + Int64(number) * 86_400_000_000_007)
            try path.setPermissions([0o644, 0o600, 0o444, 0o755][number % 4])
        }
        library = program.home.path.appending("library")
        let photos = (0..<Self.files).filter { $0 % 4 != 3 }
        try program.home.write("names", photos.map { "library/\($0 / 50)/p\($0).jpg\n" }.joined())
        before = try TestLibrary.snapshot(library)
        contents = Self.sorted(Array(before.values))
    }

    private static func sorted(_ files: [TestLibrary.Content]) -> [[UInt8]] {
        files.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private var trash: FilePath { program.home.path.appending(".local/share/Trash") }

    /// The files of the library and of the trash: each content must be there once.
    private func all() throws -> [[UInt8]] {
        let files = trash.appending("files")
        let trashed = files.exists ? try TestLibrary.snapshot(files) : [:]
        return Self.sorted(Array(try TestLibrary.snapshot(library).values) + Array(trashed.values))
    }

    private func count(_ part: String) -> Int { TemporaryFolder.names(in: trash.appending(part)).count }

    private var journal: FilePath { program.home.path.appending(".local/state/phototidy/journal") }

    private func journalBytes() -> Int64 {
        TemporaryFolder.names(in: journal).reduce(0) {
            $0 + ((try? FileStatus.of(journal.appending($1)).identity.bytes) ?? 0)
        }
    }

    /// Kills it once `isReached`; returns whether it was still at work then.
    private func kill(_ running: RunningProgram, when isReached: () -> Bool) throws -> Bool {
        while running.isAtWork {
            if isReached() {
                running.kill()
                break
            }
        }
        return try running.wait() == 137
    }

    private func delete(_ generator: inout SeededRandom, _ arguments: [String]) throws -> Bool {
        let words = (["delete", "--yes"] + arguments).map { FilePath($0) }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let mark = journalBytes() + Int64.random(in: 0..<60_000, using: &generator)
            return try kill(program.start(words)) { journalBytes() >= mark }
        case 1:
            // About the calls of such a run that change something.
            let step = Int.random(in: 1...1000, using: &generator)
            return try program.run(words, environment: ["PHOTOTIDY_FAULT": "kill:\(step)"]).exitCode == 137
        default:
            let mark = Int.random(in: 0...Self.files, using: &generator)
            return try kill(program.start(words)) { count("info") >= mark }
        }
    }

    private func undo(_ generator: inout SeededRandom) throws -> Bool {
        let mark = Int.random(in: 0...count("files"), using: &generator)
        return try kill(program.start([FilePath("undo")])) { count("files") <= mark }
    }

    @Test func eachFileIsInOnePlaceAndComesBackAsItWas() throws {
        let rounds = Environment.value("PHOTOTIDY_KILLS").flatMap { Int($0.displayText) } ?? 12
        var generator = SeededRandom.byChance()
        var (kills, undoKills, completed) = (0, 0, 0)
        for round in 1...rounds {
            let mark: Comment = "PHOTOTIDY_SEED=\(generator.seed), round \(round)"
            let plan = program.home.path.appending("plan-\(round)").displayText
            let size = "\([1, 3, 20, 200].randomElement(using: &generator) ?? 20)"
            #expect(
                try program.run("delete", "--from", "names", "-n", "--save-plan", plan, "--batch-size", size)
                    .exitCode == 0, mark)
            if try delete(&generator, ["--plan", plan]) { kills += 1 }
            try #require(try all() == contents, mark)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                // The plan, run again, completes what the kill left.
                let again = try program.run("delete", "--plan", plan, "--yes")
                #expect(again.exitCode == 0, "\(mark): \(again.errorText)")
                #expect(try TestLibrary.snapshot(library).isEmpty, mark)
                try #require(try all() == contents, mark)
                completed += 1
            }
            if Bool.random(using: &generator) {
                if try undo(&generator) { undoKills += 1 }
                try #require(try all() == contents, mark)
            }
            let last = try program.run("undo")
            #expect([0, 1].contains(last.exitCode), "\(mark): \(last.errorText)")
            try #require(try TestLibrary.snapshot(library) == before, mark)
            #expect(count("files") == 0 && count("info") == 0, mark)
            // Hundreds of finished runs would only make each round slower than the one before.
            for name in TemporaryFolder.names(in: journal) { try FileSystem.remove(journal.appending(name)) }
        }
        print(
            "\(rounds) rounds of \(Self.files) files, \(kills) deletes and \(undoKills) undos killed, \(completed) plans completed"
        )
        // On a machine that is too busy to kill in time nothing was tested, and nothing is wrong.
        if kills <= rounds / 4 { try Test.cancel("the kills came too late, \(kills) of \(rounds) in time") }
    }
}

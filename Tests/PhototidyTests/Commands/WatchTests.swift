import Support
import Testing
import TidyKit

@Suite struct WatchTests {
    private let program: BuiltProgram
    private let library: TemporaryFolder

    init() throws {
        program = try BuiltProgram()
        library = try TemporaryFolder()
        try library.write("a.jpg", JPEGFixture(width: 64, height: 48).bytes)
    }

    /// Runs `steps` while the library is watched. `change` waits for a line and prints what changed and which path.
    private func watching(_ steps: String, operand: String = ".") throws -> BuiltProgram.Result {
        try program.runShell(
            "/bin/bash",
            """
            cd '\(library.path.displayText)'
            coproc phototidy list --watch --no-index '\(operand)' 2>&1
            change() {
                read -r line <&${COPROC[0]}
                [[ $line =~ '"change":"'([a-z]*) ]] && kind=${BASH_REMATCH[1]}
                [[ $line =~ '"path":"'([^\\"]*) ]] && echo "$kind ${BASH_REMATCH[1]}"
            }
            read -r line <&${COPROC[0]}
            echo "$line"
            \(steps)
            """)
    }

    @Test func photosThatComeChangeAndGoAreTold() throws {
        let result = try watching(
            """
            cp a.jpg b.jpg; change
            touch -d 2020-01-01 b.jpg; change
            mkdir -p new/deep; mv b.jpg new/deep/c.jpg; change; change
            echo text > note.txt; rm a.jpg; change
            kill -TERM $COPROC_PID; wait $COPROC_PID; echo "code $?"
            """)
        #expect(
            result.lines == [
                "Watching; Ctrl-C ends.", "added b.jpg", "changed b.jpg", "removed b.jpg",
                "added new/deep/c.jpg", "removed a.jpg", "code 130",
            ])
    }

    @Test func aLibraryThatVanishesIsNoEmptyOne() throws {
        let result = try watching(
            """
            pid=$COPROC_PID
            cd /; mv '\(library.path.displayText)' '\(library.path.displayText).gone'
            read -r line <&${COPROC[0]}; echo "$line"
            wait $pid; echo "code $?"
            mv '\(library.path.displayText).gone' '\(library.path.displayText)'
            """, operand: library.path.displayText)
        #expect(result.lines.count == 3)
        #expect(result.text.contains("no such file or folder") || result.text.contains("No such file"))
        #expect(result.lines.last == "code 5")
    }

    @Test(arguments: ["--json", "--csv", "--count", "--fields=path", "--limit=3", "--sort=path", "--explain=a.jpg"])
    func onlyLinesOfJSONCanBeWatched(_ option: String) throws {
        let result = try program.run("list", "--watch", option, in: library.path)
        #expect(result.exitCode == 64)
        #expect(result.errorText.contains("--watch writes NDJSON"))
    }
}

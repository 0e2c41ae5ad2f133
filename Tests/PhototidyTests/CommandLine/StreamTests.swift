import Support
import Testing
import TidyKit

/// Results on standard output, everything else on standard error, and what happens where either is not as it should be.
@Suite struct StreamTests {
    private let help = ["help", "filter"].map { FilePath($0) }

    @Test func aClosedPipeEndsQuietly() throws {
        let result = try BuiltProgram().run(help, output: .closedPipe)
        #expect(result.exitCode == 141)
        #expect(result.errors.isEmpty)
    }

    @Test func aFullDiskIsAnError() throws {
        let result = try BuiltProgram().run(help, output: .file(FilePath("/dev/full")))
        #expect(result.exitCode == 5)
        #expect(result.errorText == "phototidy: cannot write to standard output: No space left on device\n")
    }

    @Test func closedStandardOutputIsAnError() throws {
        let result = try BuiltProgram().run(help, output: .closed)
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("cannot write to standard output"))
    }

    @Test func theVersionIsOneLine() throws {
        let program = try BuiltProgram()
        let version = try program.run("--version")
        #expect(version.lines.count == 1)
        #expect(version.text.hasPrefix("phototidy ") && version.text.contains("."))
        #expect(try program.run("list", "--version").text == version.text)
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func colourIsForTerminalsWithoutNoColor() throws {
        let program = try BuiltProgram()
        let red = "\u{1B}[31mphototidy: \u{1B}[0m"
        #expect(try program.runAtTerminal(["lst"]).screen.contains(red))
        #expect(try program.runAtTerminal(["lst"], environment: ["NO_COLOR": ""]).screen.contains(red))
        #expect(!(try program.runAtTerminal(["lst"], environment: ["NO_COLOR": "1"]).screen.contains("\u{1B}")))
        #expect(!(try program.runAtTerminal(["lst"], environment: ["TERM": "dumb"]).screen.contains("\u{1B}")))
        #expect(!(try program.run("lst").errors.contains(0x1B)))
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func helpIsAsWideAsTheTerminal() throws {
        let program = try BuiltProgram()
        let wide = try program.runAtTerminal(["help", "list"], columns: 120).screen
        let narrow = try program.runAtTerminal(["help", "list"], columns: 60).screen
        #expect(wide.contains("files seen, files opened and bytes read, on standard error\r\n"))
        #expect(!narrow.contains("files seen, files opened and bytes read, on standard error\r\n"))
    }
}

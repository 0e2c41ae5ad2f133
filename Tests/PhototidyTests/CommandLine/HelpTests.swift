import Support
import Testing
import TidyKit

@testable import phototidy

@Suite struct HelpTests {
    private static let snapshots = FilePath(#filePath).directory.directory.appending("Snapshots")

    @Test(arguments: [
        "", "list", "filter", "select", "select add", "select show", "delete", "undo", "compress", "index", "help",
        "completions",
    ])
    func matchesItsSnapshot(_ command: String) throws {
        let words = ["help"] + command.split(separator: " ").map(String.init)
        let result = try BuiltProgram().run(words.map { FilePath($0) })
        #expect(result.exitCode == 0)
        #expect(result.errors.isEmpty)
        #expect(result.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("  phototidy ") })
        let name = (["help"] + words.dropFirst()).joined(separator: "-") + ".txt"
        let difference = try Snapshot.difference(result.text, from: Self.snapshots.appending(name))
        #expect(difference == nil)
    }

    @Test func everyWayToAskGivesTheSame() throws {
        let program = try BuiltProgram()
        let overview = try program.run("help").text
        for arguments in [[], ["--help"], ["-h"], ["help"]] {
            #expect(try program.run(arguments.map { FilePath($0) }).text == overview)
        }
        let list = try program.run("help", "list").text
        #expect(try program.run("list", "--help").text == list)
        #expect(try program.run("list", "-h").text == list)
        #expect(try program.run("--help", "list").text == list)
        // Help wins over whatever else is wrong.
        #expect(try program.run("list", "--nonsense", "--help").text == list)
        #expect(try program.run("select", "add", "--help").text == program.run("help", "select", "add").text)
        // Behind `--` it is an operand, of which `show` takes none.
        #expect(try program.run("select", "show", "--", "--help").exitCode == 64)
    }

    @Test func everyCommandHasAnExampleThatParses() throws {
        for spec in CommandSpec.displayed {
            #expect(!spec.examples.isEmpty, "\(spec.commandName)")
            for example in spec.examples {
                for command in ShellWords.commands(example.command) {
                    let words = ShellWords.split(command)
                    guard words.first == "phototidy" else { continue }
                    let command = try #require(CommandSpec.named(words[1]), "\(example.command)")
                    #expect(throws: Never.self, "\(example.command)") {
                        try ArgumentParser.parse(words.dropFirst(2).map { Array($0.utf8) }, for: command)
                    }
                }
            }
        }
    }

    @Test func optionsOfACommandHaveNamesOfTheirOwn() {
        for spec in CommandSpec.all.flatMap({ [$0] + $0.subcommands }) {
            let names = spec.options.map(\.long) + spec.options.compactMap(\.short).map { "-\($0)" }
            #expect(Set(names).count == names.count, "\(spec.commandName)")
            #expect(spec.options.allSatisfy { !$0.help.isEmpty })
        }
    }

    @Test func aWideTerminalHasLongerLines() {
        let narrow = HelpText.text(of: .filter, columns: 60)
        let wide = HelpText.text(of: .filter, columns: 120)
        #expect(narrow.split(separator: "\n").count > wide.split(separator: "\n").count)
        #expect(wide.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}

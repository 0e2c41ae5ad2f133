import Support
import Testing
import TidyKit

@testable import phototidy

@Suite struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func nameEveryOptionOfEveryCommand(_ shell: String) throws {
        let script = try BuiltProgram().run("completions", shell).text
        for spec in CommandSpec.displayed {
            #expect(script.contains(spec.commandName))
            for option in spec.parsedOptions where option.shouldDisplay {
                #expect(script.contains(shell == "fish" ? "-l \(option.name)" : option.long))
            }
        }
        #expect(!script.contains("manual"))
    }

    /// The word under the cursor is the last one.
    @Test(arguments: [
        (["phototidy", "li"], "list"),
        (["phototidy", "list", "--fo"], "--format"),
        (["phototidy", "list", "--format", ""], "table tsv csv json ndjson paths"),
        (["phototidy", "list", "--format", "=", "js"], "json"),
        (["phototidy", "list", "--type", "jpeg,he"], "jpeg,heic"),
        (["phototidy", "select", "t"], "toggle"),
        (["phototidy", "select", "-s", "trip", "sh"], "show"),
        (["phototidy", "select", "add", "--l"], "--limit"),
        (["phototidy", "compress", "--metadata", ""], "none safe all"),
        (["phototidy", "completions", ""], "bash zsh fish"),
        (["phototidy", "help", "de"], "delete"),
        (["phototidy", "delete", "--taken", ""], ""),
    ])
    func bashCompletes(_ words: [String], _ expected: String) throws {
        let program = try BuiltProgram()
        let script = try program.home.write("completion", BashCompletion.script())
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let probe = """
            . '\(script.displayText)' && COMP_WORDS=(\(line)) COMP_CWORD=\(words.count - 1)
            _phototidy && printf '%s' "${COMPREPLY[*]}"
            """
        #expect(try program.runShell("/bin/bash", probe).text == expected)
    }

    @Test(arguments: [
        ("phototidy sel", "select"), ("phototidy list --fo", "--format"),
        ("phototidy list --type jpeg,hei", "jpeg,heic"),
        ("phototidy select show --js", "--json"), ("phototidy compress --metadata n", "none"),
    ])
    func fishCompletes(_ line: String, _ expected: String) throws {
        let fish = FilePath("/usr/bin/fish")
        guard (try? FileStatus.of(fish, followLinks: true)) != nil else { return }
        let program = try BuiltProgram()
        let script = try program.home.write("completion", FishCompletion.script())
        let result = try program.runShell(
            fish.displayText, "source \(script.displayText); complete -C '\(line)' | string replace -r '\\t.*' ''")
        #expect(result.lines == [expected])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func areSyntacticallySound(_ shell: String) throws {
        let program = try BuiltProgram()
        let path = FilePath("/usr/bin/" + shell)
        guard (try? FileStatus.of(path, followLinks: true)) != nil else { return }
        let script = try program.home.write("completion", program.run("completions", shell).output)
        let result = try program.runShell(path.displayText, "exit 0", arguments: ["-n", script.displayText])
        #expect(result.exitCode == 0)
        #expect(result.errors.isEmpty)
    }
}

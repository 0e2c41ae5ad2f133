import Support
import Testing
import TidyKit

@testable import phototidy

@Suite struct CompletionTests {
    private static func has(_ shell: String) -> Bool { FilePath("/usr/bin/" + shell).exists }

    @Test(arguments: CompletionShell.names)
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

    /// The cursor is at the end of the line.
    private func bash(
        _ line: String, then probe: String, in program: BuiltProgram
    ) throws -> BuiltProgram.Result {
        let script = try program.home.write("completion", BashCompletion.script())
        let text = try program.home.write("line", line)
        return try program.runShell(
            "/bin/bash",
            """
            . '\(script.displayText)'
            compopt() { :; }
            COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
            IFS= read -r -d '' COMP_LINE < '\(text.displayText)'
            COMP_POINT=${#COMP_LINE}
            _phototidy
            \(probe)
            """)
    }

    @Test(arguments: [
        ("phototidy li", "list"), ("phototidy list --form", "--format"),
        ("phototidy list --format ", "table tsv csv json ndjson paths"), ("phototidy list --format=js", "json"),
        ("phototidy list --type jpeg,he", "jpeg,heic"), ("phototidy select t", "toggle"),
        ("phototidy delete --keep sharpest,la", "sharpest,largest"), ("phototidy list --keep rated,b", "rated,best"),
        ("phototidy filter --duplicate=p", "pixels"), ("phototidy filter --duplicate p", ""),
        ("phototidy select -s trip sh", "show"), ("phototidy select add --l", "--limit"),
        ("phototidy compress --metadata ", "none safe all"),
        ("phototidy completions ", CompletionShell.names.joined(separator: " ")),
        ("phototidy help de", "delete"), ("phototidy delete --taken ", ""),
        ("phototidy select -s 'two words' sh", "show"), ("phototidy list --type '$(x),he", ""),
    ])
    func bashCompletes(_ line: String, _ expected: String) throws {
        let probe = #"printf '%s' "${COMPREPLY[*]}""#
        #expect(try bash(line, then: probe, in: BuiltProgram()).text == expected)
    }

    // MARK: Names

    /// What a shell would evaluate, split or expand, if it were let.
    private static let names = [
        "plain", "two words", "two ways", "$(touch pwned)", "`touch pwned`", "$HOME", "it's", "say \"no\"", "*",
        "a?[b]", "back\\slash", "line\nbreak", "!!", "a;b|c&d", "x:y=z", "~", "#", "été", "-dash", "{a,b}", "tab\there",
    ]

    private func withSelections() throws -> BuiltProgram {
        let program = try BuiltProgram()
        try program.home.write("a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        for name in Self.names {
            let words = ["select", "add", "--selection=" + name, "a.jpg"].map { FilePath($0) }
            #expect(try program.run(words).exitCode == 0, "\(name)")
        }
        return program
    }

    private func expectAll(_ result: BuiltProgram.Result, _ program: BuiltProgram, _ names: [String] = names) {
        let offered = result.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #expect(Set(offered) == Set(names), "\(offered) \(result.errorText)")
        #expect(!program.home.path.appending("pwned").exists)
    }

    /// What is offered after the opening quote evaluates to the name and to nothing else.
    @Test(arguments: ["", "'", "\""]) func bashOffersEachNameWhole(quote: String) throws {
        let program = try withSelections()
        for line in ["phototidy select show -s ", "phototidy delete --selection ", "phototidy delete --selection="] {
            let probe = """
                q=$(printf '\\\(String(quote.utf8.first ?? 0x20, radix: 8))')
                [[ $q == ' ' ]] && q=
                for reply in "${COMPREPLY[@]}"; do eval "name=$q$reply$q"; printf '%s\\0' "$name"; done
                """
            expectAll(try bash(line + quote, then: probe, in: program), program)
        }
    }

    @Test(arguments: [
        ("phototidy select show -s pl", "plain"), ("phototidy select show -s two\\ wo", "'two words'"),
        ("phototidy select show -s 'two wo", "two words"), ("phototidy select show -s \"two wo", "two words"),
        ("phototidy select show -s \\$\\(", "'$(touch pwned)'"), ("phototidy select show -s '$(to", "$(touch pwned)"),
        ("phototidy select show -s \"\\$(to", "\\$(touch pwned)"), ("phototidy select show -s x:", "'y=z'"),
        ("phototidy select show -s 'x:y", "x:y=z"), ("phototidy select show --selection=pl", "plain"),
        ("phototidy select show -s $(touch pwned) -s pl", "plain"), ("phototidy select show -s no-such", ""),
    ])
    func bashCompletesQuotedWords(_ line: String, _ expected: String) throws {
        let program = try withSelections()
        let result = try bash(line, then: #"printf '%s' "${COMPREPLY[*]}""#, in: program)
        #expect(result.text == expected, "\(result.errorText)")
        #expect(!program.home.path.appending("pwned").exists)
    }

    @Test(.enabled(if: has("zsh"), "zsh is not installed")) func zshOffersEachNameWhole() throws {
        let program = try withSelections()
        let script = try program.home.write("completion", ZshCompletion.script())
        let result = try program.runShell(
            "/usr/bin/zsh",
            """
            compdef() { : }
            . '\(script.displayText)'
            compadd() { printf '%s\\0' "${(@P)2}" }
            _phototidy_selections
            """)
        expectAll(result, program)
    }

    /// Fish takes text after a tab as a description, so such a name is not offered.
    @Test(.enabled(if: has("fish"), "fish is not installed")) func fishOffersEachNameWhole() throws {
        let program = try withSelections()
        let script = try program.home.write("completion", FishCompletion.script())
        let result = try program.runShell(
            "/usr/bin/fish",
            """
            source '\(script.displayText)'
            for name in (command phototidy complete selections-without-tab | string split0)
                printf '%s\\0' $name
            end
            """)
        expectAll(result, program, Self.names.filter { !$0.contains("\t") })
        let line = try program.runShell(
            "/usr/bin/fish", "source '\(script.displayText)'; complete -C 'phototidy select show -s two\\ wo'")
        // After a tab comes the meaning of the option.
        #expect(line.lines.map { $0.split(separator: "\t").first ?? "" } == ["two words"], "\(line.text)")
    }

    @Test func runsOfUndoAreOffered() throws {
        let program = try BuiltProgram()
        for name in ["a.jpg", "b.jpg"] {
            try program.home.write(name, DrawnPicture(width: 40, height: 30).jpeg())
            #expect(try program.run("delete", name, "--yes").exitCode == 0)
        }
        let list = try JSONReader.value(program.run("undo", "--list", "--json").output[...])
        let runs = (list.array ?? list["runs"]?.array ?? []).compactMap { $0["id"]?.text }
        #expect(runs.count == 2)
        let probe = #"printf '%s\n' "${COMPREPLY[@]}""#
        #expect(try Set(bash("phototidy undo ", then: probe, in: program).lines) == Set(runs))
        #expect(try bash("phototidy undo \(runs[0]) ", then: probe, in: program).lines.isEmpty)
        #expect(try program.run("undo").exitCode == 0)
        #expect(try bash("phototidy undo ", then: probe, in: program).lines.count == 1)
    }

    @Test(.enabled(if: has("fish"), "fish is not installed")) func fishOffersRunsOfUndo() throws {
        let program = try BuiltProgram()
        try program.home.write("a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        #expect(try program.run("delete", "a.jpg", "--yes").exitCode == 0)
        let list = try program.run("undo", "--list").text
        let script = try program.home.write("fish", FishCompletion.script())
        let result = try program.runShell(
            "/usr/bin/fish", "source '\(script.displayText)'; complete -C 'phototidy undo '")
        let offered = result.lines.compactMap { $0.split(separator: "\t").first }
        #expect(offered.contains { list.contains($0) }, "\(result.text)")
    }

    @Test(
        .enabled(if: has("fish"), "fish is not installed"),
        arguments: [
            ("phototidy sel", "select"), ("phototidy list --form", "--format"),
            ("phototidy list --type jpeg,hei", "jpeg,heic"),
            ("phototidy list --keep sharpest,lar", "sharpest,largest"),
            ("phototidy select show --js", "--json"), ("phototidy compress --metadata n", "none"),
        ])
    func fishCompletes(_ line: String, _ expected: String) throws {
        let program = try BuiltProgram()
        let script = try program.home.write("completion", FishCompletion.script())
        let result = try program.runShell(
            "/usr/bin/fish", "source \(script.displayText); complete -C '\(line)' | string replace -r '\\t.*' ''")
        #expect(result.lines == [expected])
    }

    private func expectSound(_ shell: String) throws {
        let program = try BuiltProgram()
        let script = try program.home.write("completion", program.run("completions", shell).output)
        let result = try program.runShell("/usr/bin/" + shell, "exit 0", arguments: ["-n", script.displayText])
        #expect(result.exitCode == 0)
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: CompletionShell.names.filter(has)) func aShellFindsNothingWrong(_ shell: String) throws {
        try expectSound(shell)
    }
}

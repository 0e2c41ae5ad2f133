import Support
import Testing
import TidyKit

/// Every mistake on a command line: 64, nothing on standard output, and words that help.
@Suite struct UsageErrorTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        /// The message contains all of these.
        let words: [String]
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ line: String, _ words: String...) {
            arguments = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
            self.words = words
        }
    }

    @Test(arguments: [
        Mistake("lst", "unknown command 'lst'", "did you mean 'list'?", "Try 'phototidy help'."),
        Mistake("fliter", "did you mean 'filter'?"),
        Mistake("--frobnicate", "unknown option '--frobnicate'"),
        Mistake("list --sise 5MB", "unknown option '--sise'", "did you mean '--size'?", "phototidy help list"),
        Mistake("list --lim 5", "unknown option '--lim'", "did you mean '--limit'?"),
        Mistake("list -x", "unknown option '-x'"),
        Mistake("list --permanent", "unknown option '--permanent'; it is an option of 'delete'"),
        Mistake("delete a.jpg --groups", "unknown option '--groups'; -n shows", "'phototidy list --groups'"),
        Mistake("list -0x", "unknown option '-x'"),
        Mistake("list --json=yes", "--json takes no value"),
        Mistake("list --sort beauty", "--sort", "'beauty'", "taken, -taken, size"),
        Mistake("list --limit few", "--limit", "'few'", "a whole number from 0"),
        Mistake("list --limit -1", "--limit", "'-1'"),
        Mistake("list --limit 99999999999999999999", "--limit"),
        Mistake("list --format xls", "--format", "'xls'", "table, tsv, csv, json, ndjson or paths"),
        Mistake("list --format JSON", "--format", "'JSON'"),
        Mistake("list --json --csv", "--json and --csv cannot be used together"),
        Mistake("list --fields path,colour", "--fields", "colour"),
        Mistake("list --fields path,,taken", "--fields", "empty"),
        Mistake("list --fields path --count", "--fields", "--count"),
        Mistake("list --progress loud", "auto, always or never"),
        Mistake("list ''", "an operand is empty"),
        Mistake("filter .", "needs a condition", "phototidy help filter"),
        Mistake("filter . --name", "--name needs a value: GLOB"),
        Mistake("filter . --name=", "the value of --name is empty"),
        Mistake("filter . --name ''", "the value of --name is empty"),
        Mistake("filter . --name --json", "'--json' is an option", "--name=--json"),
        Mistake("filter . --name --", "--name needs a value: GLOB"),
        Mistake("filter . --size 5XB", "5XB"),
        Mistake("filter . --taken 2023-13", "2023-13"),
        Mistake("filter . --taken 2023-02-30", "2023-02-30"),
        Mistake("filter . --favorite=maybe", "--favorite", "yes or no"),
        Mistake("filter . --screenshot=yes", "--screenshot takes no value"),
        Mistake("select", "needs a verb", "add, remove, toggle, set, show, clear or names"),
        Mistake("select ad x.jpg", "did you mean 'add'?"),
        Mistake("select add", "needs one of PATH or --from", "phototidy help select add"),
        Mistake("select add x.jpg --from -", "PATH and --from cannot be used together"),
        Mistake("select show x.jpg", "takes no operand", "x.jpg"),
        Mistake("select clear --json", "--json is not an option of 'select clear'"),
        Mistake("select add a.jpg -s one -s two", "-s may be given only once"),
        Mistake("delete", "needs one of PATH, --from, --selection or --plan"),
        Mistake("delete a.jpg --from -", "PATH and --from cannot be used together"),
        Mistake("delete --from a --from b", "--from may be given only once"),
        Mistake("delete a.jpg --batch-size 0", "--batch-size", "from 1 to"),
        Mistake("delete a.jpg --max-bytes 5XB", "--max-bytes", "150kB, 2MB"),
        Mistake("delete . --all --exclude -n", "'-n' is an option", "--exclude=-n"),
        Mistake("delete . --all --exclude -ny", "'-ny' is an option"),
        Mistake("compress a.jpg", "needs one of --output or --in-place"),
        Mistake("compress -o x", "needs one of PATH, --from or --selection"),
        Mistake("compress -o x --in-place a.jpg", "--output and --in-place cannot be used together"),
        Mistake("compress --max-size abc -o x a.jpg", "--max-size", "'abc'"),
        Mistake("compress --max-size 0 -o x a.jpg", "--max-size"),
        Mistake("compress --min-quality 101 -o x a.jpg", "--min-quality", "from 1 to 100"),
        Mistake("compress --min-quality 1e1 -o x a.jpg", "--min-quality"),
        Mistake("compress -o= a.jpg", "the value of -o is empty"),
        Mistake("compress a.jpg -o", "-o needs a value: DIR|FILE|-"),
        Mistake("index", "needs one of --info or --clear"),
        Mistake("completions", "needs SHELL"),
        Mistake("completions tcsh", "'tcsh'", "bash, zsh or fish"),
        Mistake("-n list", "options go after the command: phototidy list -n", "phototidy help list"),
        Mistake("help list add", "'list' has no verb 'add'"),
        Mistake("help select frob", "'select' has no verb 'frob'"),
        Mistake("help lst", "did you mean 'list'?"),
        Mistake("help nope", "unknown command 'nope'", "list, filter, select"),
        Mistake("rm a.jpg", "did you mean 'delete'?"), Mistake("remove", "'delete'"), Mistake("trash", "'delete'"),
        Mistake("restore", "did you mean 'undo'?"), Mistake("undelete", "did you mean 'undo'?"),
        Mistake("ls", "did you mean 'list'?"),
        Mistake("find", "did you mean 'filter'?"), Mistake("shrink", "'compress'"), Mistake("resize", "'compress'"),
        Mistake("version", "'--version'"), Mistake("-V", "'--version'"), Mistake("-v", "'--version'"),
        Mistake("list --sort date", "did you mean 'taken'?"), Mistake("list --sort sise", "did you mean 'size'?"),
        Mistake("list --fields date", "did you mean 'taken'?"),
        Mistake("list --format JSON", "did you mean 'json'?"),
        Mistake("filter --where wdith>1", "did you mean 'width'?"),
        Mistake("filter --where screenshot", "give --screenshot beside --where"),
        Mistake("filter --type vidoe", "such as jpeg", "did you mean 'video'?"),
        Mistake("filter --shape sqare", "did you mean 'square'?"),
        Mistake("filter --near 48,11", "48.137,11.575,5"), Mistake("filter --near", "48.14,11.58,5"),
        Mistake("filter --taken yesterday", "2023-05-14"), Mistake("filter --megapixels many", "such as 12"),
        Mistake("compress a.jpg -o one.png", "outputs are JPEG", "-o one.jpg", "-o one.png/"),
    ])
    func isExplained(_ mistake: Mistake) throws {
        let result = try BuiltProgram().run(mistake.arguments.map { FilePath($0) })
        #expect(result.exitCode == 64)
        #expect(result.output.isEmpty)
        for word in mistake.words { #expect(result.errorText.contains(word)) }
        #expect(result.errorText.contains("Try 'phototidy help"))
    }

    @Test func namesAreShownEscaped() throws {
        let result = try BuiltProgram().run([FilePath("list"), FilePath(Array("--bad\u{1B}[2J".utf8) + [0xFF])])
        #expect(result.exitCode == 64)
        #expect(result.errorText.contains("--bad\\x1B[2J"))
        #expect(!result.errors.contains(0x1B))
    }
}

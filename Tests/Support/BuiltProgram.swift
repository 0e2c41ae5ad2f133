internal import Glibc
package import TidyKit

/// The built `phototidy`, run as a user runs it, in a home folder of the test's own.
package struct BuiltProgram: Sendable {
    package struct Result: Sendable {
        package let exitCode: Int32
        package let output: [UInt8]
        package let errors: [UInt8]

        package var text: String { String(decoding: output, as: UTF8.self) }
        package var errorText: String { String(decoding: errors, as: UTF8.self) }
        /// Without the empty one behind the last newline.
        package var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// Where standard output goes.
    package enum OutputTarget: Sendable {
        case captured
        /// A pipe whose reader has gone.
        case closedPipe
        case file(FilePath)
        /// Not open at all, as with `>&-`.
        case closed
    }

    /// `HOME`, with the XDG folders below it; temporary files are here too.
    package let home: TemporaryFolder

    /// - Parameter base: nil for the usual folder of temporary files.
    package init(in base: FilePath? = nil) throws { home = try TemporaryFolder(in: base) }

    /// Runs to the end. `arguments` are handed over byte for byte.
    /// - Parameter input: what standard input holds.
    /// - Parameter folder: where it runs; `home` by default.
    /// - Parameter environment: set beside those of `variables`; nil removes one.
    /// - Parameter prefix: a program that runs this one, with its arguments: `setpriv`, `nsenter`.
    package func run(
        _ arguments: [FilePath], input: [UInt8] = [], in folder: FilePath? = nil,
        environment: [String: String?] = [:], output: OutputTarget = .captured, through prefix: [FilePath] = []
    ) throws -> Result {
        let words = prefix + [try Self.path()] + arguments
        return try run(
            words[0], Array(words.dropFirst()), input: input, in: folder, environment: environment, output: output)
    }

    /// Starts it and returns at once; what it writes is thrown away.
    /// - Parameter input: a file, or a pipe that stays open for writing in the program itself: one that never ends.
    package func start(
        _ arguments: [FilePath], input: FilePath = FilePath("/dev/null"), in folder: FilePath? = nil,
        environment: [String: String?] = [:]
    ) throws -> RunningProgram {
        let child = ChildProcess(
            program: try Self.path(), arguments: arguments, environment: variables(environment),
            folder: folder ?? home.path)
        let process = try child.start { actions in
            let nowhere = FilePath("/dev/null")
            actions.open(0, input, input == nowhere ? O_RDONLY : O_RDWR)
            actions.open(1, nowhere, O_WRONLY)
            actions.open(2, nowhere, O_WRONLY)
        }
        return RunningProgram(process)
    }

    /// Runs another program of this machine with the same home folder.
    package func runTool(
        _ path: String, _ arguments: [FilePath], input: String = "", in folder: FilePath? = nil
    ) throws -> Result {
        try run(
            FilePath(path), arguments, input: Array(input.utf8), in: folder, environment: [:], output: .captured)
    }

    /// Runs a shell over `script`, in which `phototidy` is the built program.
    package func runShell(_ shell: String, _ script: String, arguments: [String]? = nil) throws -> Result {
        let path = try Self.path().directory.displayText + ":/usr/bin:/bin"
        return try run(
            FilePath(shell), (arguments ?? ["-c", script]).map { FilePath($0) }, input: [], in: nil,
            environment: ["PATH": path], output: .captured)
    }

    private func run(
        _ program: FilePath, _ arguments: [FilePath], input: [UInt8], in folder: FilePath?,
        environment: [String: String?], output: OutputTarget
    ) throws -> Result {
        let scratch = try TemporaryFolder()
        let stdin = try scratch.write("stdin", input)
        let stdout = try scratch.write("stdout", [])
        let stderr = try scratch.write("stderr", [])
        let child = ChildProcess(
            program: program, arguments: arguments, environment: variables(environment), folder: folder ?? home.path)
        let process = try child.start { actions in
            actions.open(0, stdin, O_RDONLY)
            switch output {
            case .captured: actions.open(1, stdout, O_WRONLY)
            case .file(let path): actions.open(1, path, O_WRONLY | O_CREAT)
            case .closed: actions.close(1)
            case .closedPipe: actions.closedPipe(1)
            }
            actions.open(2, stderr, O_WRONLY)
        }
        return Result(
            exitCode: try ChildProcess.wait(for: process), output: try FileSystem.contents(of: stdout),
            errors: try FileSystem.contents(of: stderr))
    }

    package func run(
        _ arguments: String..., input: String = "", in folder: FilePath? = nil,
        environment: [String: String?] = [:]
    ) throws -> Result {
        try run(arguments.map { FilePath($0) }, input: Array(input.utf8), in: folder, environment: environment)
    }

    /// Runs as nobody where the tests run as root, to whom every folder is open. Nil where nobody cannot get at the
    /// built program.
    package func runUnprivileged(_ arguments: String..., in folder: FilePath? = nil) throws -> Result? {
        guard FileSystem.effectiveUser == 0 else {
            return try run(arguments.map { FilePath($0) }, in: folder)
        }
        let words = ["--reuid=65534", "--regid=65534", "--clear-groups"].map { FilePath($0) } + [try Self.path()]
        let setpriv = FilePath("/usr/bin/setpriv")
        func runAsNobody(_ arguments: [String]) throws -> Result {
            try run(
                setpriv, words + arguments.map { FilePath($0) }, input: [], in: folder ?? .root,
                environment: ["HOME": "/nonexistent"], output: .captured)
        }
        return try runAsNobody(["--version"]).exitCode == 0 ? try runAsNobody(arguments) : nil
    }

    /// Why no test can run it as nobody; nil where one can.
    package static let obstacleToNobody: String? = {
        if FileSystem.effectiveUser != 0 { return "only the superuser can become somebody else" }
        let result = try? BuiltProgram().runUnprivileged("--version")
        return (result ?? nil) == nil ? "nobody cannot run the built program here" : nil
    }()

    /// Runs with a terminal of its own for standard output, standard error and `/dev/tty`; standard input is empty.
    /// - Parameter answer: typed once `question` is on the screen.
    /// - Returns: the exit code, and all that the terminal was sent.
    package func runAtTerminal(
        _ arguments: [String], question: String? = nil, answer: String = "", columns: Int = 80,
        in folder: FilePath? = nil, environment: [String: String?] = [:]
    ) throws -> (exitCode: Int32, screen: String) {
        let terminal = try PseudoTerminal(columns: columns)
        var variables = variables(environment)
        if !environment.keys.contains("TERM") { variables["TERM"] = "xterm" }
        let child = ChildProcess(
            program: try Self.path(), arguments: arguments.map { FilePath($0) }, environment: variables,
            folder: folder ?? home.path)
        let process = try child.start { actions in
            // The first terminal that the leader of a session opens becomes its own.
            actions.open(1, terminal.name, O_RDWR)
            actions.open(2, terminal.name, O_RDWR)
            actions.open(0, FilePath("/dev/null"), O_RDONLY)
        }
        let screen = try terminal.converse(question: question, answer: answer)
        return (try ChildProcess.wait(for: process), screen)
    }

    private func variables(_ changes: [String: String?]) -> [String: String] {
        let home = home.path.displayText
        var variables = [
            "HOME": home, "XDG_DATA_HOME": home + "/.local/share", "XDG_STATE_HOME": home + "/.local/state",
            "XDG_CACHE_HOME": home + "/.cache", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin",
        ]
        for (name, value) in changes { variables[name] = value }
        return variables
    }

    /// Beside the test bundle.
    static func path() throws -> FilePath {
        try FilePath("/proc/self/exe").resolved().directory.appending("phototidy").resolved()
    }
}

internal import Glibc
internal import TidyKit

/// A question to the user on the terminal. The answer is never read from standard input, which may be a list of files.
enum Confirmation {
    enum Answer { case yes, no, interrupted }

    /// Asks, unless `--yes` was given. Nil to continue; otherwise the exit code, after a message to the user.
    static func refusal(_ arguments: ParsedArguments, _ context: CommandContext, _ question: () -> String) -> ExitCode?
    {
        if arguments.has(.yes) { return nil }
        context.diagnostics.clearProgress()
        switch ask(question()) {
        case .yes: return nil
        case .no:
            context.diagnostics.note("Nothing was changed.")
            return .nothing
        case .interrupted: return .interrupted
        case nil:
            context.diagnostics.error(
                "there is no terminal to ask on; --yes goes on without a question, --dry-run only looks")
            return .refused
        }
    }

    /// Writes `question` to the terminal and reads a line. `y` and `yes`, in either case, mean yes; anything else means
    /// no. Nil without a terminal; `question` is then not evaluated, because that may read files.
    static func ask(_ question: @autoclosure () -> String) -> Answer? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        guard StandardStreams.write(Array(question().utf8), to: terminal) == 0 else { return nil }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            guard Interrupt.canRead(terminal) else {
                _ = StandardStreams.write([UInt8(ascii: "\n")], to: terminal)
                return Interrupt.isRequested ? .interrupted : .no
            }
            let (count, code) = valueOrErrno(retryOnInterrupt: false) { read(terminal, &byte, 1) }
            if count == 1, byte != UInt8(ascii: "\n") {
                line.append(byte)
            } else if count == 1 || count == 0 {
                // At the end of input, the cursor is still after the question.
                if count == 0 { _ = StandardStreams.write([UInt8(ascii: "\n")], to: terminal) }
                break
            } else if code != EINTR || Interrupt.isRequested {
                _ = StandardStreams.write([UInt8(ascii: "\n")], to: terminal)
                return Interrupt.isRequested ? .interrupted : .no
            }
        }
        let answer = String(decoding: line, as: UTF8.self).lowercased()
        return answer == "y" || answer == "yes" ? .yes : .no
    }
}

/// Properties of the terminal.
enum Terminal {
    /// The width of the terminal at `descriptor`; 80 if it is not a terminal or has no width.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// False with `NO_COLOR` (no-color.org: set and not empty), and on terminals without escape sequences.
    static var allowsColor: Bool {
        Environment.value("NO_COLOR") == nil && Environment.value("TERM") != FilePath("dumb")
            && Environment.value("TERM") != nil
    }
}

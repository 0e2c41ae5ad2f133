internal import Glibc
internal import TidyKit

/// A question to the person at the terminal; never to standard input, which may be a list of files.
enum Confirmation {
    enum Answer { case yes, no, interrupted }

    /// Asks unless `--yes` answers. Nil where the command may go on; else how it ends, said to the user.
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

    /// Writes `question` to the terminal and waits for a line. `y` and `yes` are a yes in either case, all else is a no. Nil where the
    /// process has no terminal; then `question` is not put together either, which may mean to read files.
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
                // The end of input leaves the cursor behind the question.
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

/// What the terminal is like.
enum Terminal {
    /// The width of the terminal behind `descriptor`; 80 where it is none or does not tell.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// False with `NO_COLOR` (no-color.org: set and not empty) and on terminals that know no escape sequences.
    static var allowsColor: Bool {
        Environment.value("NO_COLOR") == nil && Environment.value("TERM") != FilePath("dumb")
            && Environment.value("TERM") != nil
    }
}

internal import Glibc
internal import TidyKit

/// A terminal whose other side is the test.
package final class PseudoTerminal {
    /// Why none can be had here; nil where one can. A container may come without devpts, or with one that it cannot use.
    package static let obstacle: String? = {
        do throws(POSIXError) {
            let terminal = try PseudoTerminal(columns: 80)
            let side = open(terminal.name.displayText, O_RDWR | O_NOCTTY | O_CLOEXEC)
            guard side >= 0 else { return "no terminal can be had here: \(terminal.name.displayText) does not open" }
            close(side)
            return nil
        } catch { return "no terminal can be had here: \(error.reason) (/dev/ptmx)" }
    }()

    package static var isAvailable: Bool { obstacle == nil }

    private let master: Int32
    /// The terminal's own side: `/dev/pts/7`.
    let name: FilePath
    /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which are no plain constants in C.
    private static let unlockRequest: UInt = 0x4004_5431
    private static let numberRequest: UInt = 0x8004_5430
    /// No program that answers at all takes this long.
    private static let patience: Int32 = 900_000

    init(columns: Int) throws(POSIXError) {
        // By hand, because a descriptor of `openpty` would leak into the children of tests that run at the same time.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var unlock: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, Self.unlockRequest, &unlock) == 0,
            ioctl(master, Self.numberRequest, &number) == 0
        else { throw POSIXError(code: errno, operation: "ptmx") }
        name = FilePath("/dev/pts/\(number)")
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(master) }

    /// Reads until the program has closed its side; types `answer` and Return once `question` was shown.
    func converse(question: String?, answer: String) throws(POSIXError) -> String {
        var shown: [UInt8] = []
        var isAnswered = question == nil
        while true {
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Self.patience) > 0 else { throw POSIXError(code: ETIMEDOUT, operation: "poll") }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(master, &buffer, buffer.count)
            // EIO: nobody has the other side open any more.
            guard count > 0 else { return String(decoding: shown, as: UTF8.self) }
            shown += buffer[..<count]
            if !isAnswered, let question, String(decoding: shown, as: UTF8.self).contains(question) {
                isAnswered = true
                let typed = Array((answer + "\n").utf8)
                _ = write(master, typed, typed.count)
            }
        }
    }
}

internal import Glibc
internal import TidyKit

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

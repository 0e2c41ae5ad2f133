internal import CPlatform

/// Ctrl-C as a value that long work asks for between two files. A second Ctrl-C ends the process at once.
public enum Interrupt {
    /// From now on SIGINT, SIGTERM and SIGHUP only set `isRequested`.
    public static func catchSignals() { platform_catch_interrupts() }
    public static var isRequested: Bool { platform_interrupt_signal() != 0 }
}

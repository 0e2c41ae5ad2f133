internal import CPlatform
internal import Glibc

/// Ctrl-C as a value that long work asks for between two files. A second one, or another of these signals, ends the process
/// at once.
package enum Interrupt {
    /// From now on SIGINT, SIGTERM and SIGHUP only set `isRequested`.
    package static func catchSignals() { platform_catch_interrupts() }
    package static var isRequested: Bool { platform_interrupt_signal() != 0 }

    /// For the steps of work that may take minutes for one file (a hash, a comparison).
    static func check(_ operation: String) throws(POSIXError) {
        if isRequested { throw POSIXError(code: EINTR, operation: operation) }
    }

    /// Waits until a read from `descriptor` returns at once, however long that takes. Throws EINTR as soon as `isRequested`.
    static func waitForInput(_ descriptor: Int32) throws(POSIXError) {
        try wait(descriptor, forOutput: 0, milliseconds: -1)
    }

    /// As `waitForInput`, for what holds a descriptor of its own: the terminal. False once `isRequested`.
    package static func canRead(_ descriptor: Int32) -> Bool { platform_wait(descriptor, 0, -1) == 1 }

    /// Lets some milliseconds pass; throws EINTR as soon as `isRequested`.
    static func pause(milliseconds: Int32) throws(POSIXError) {
        // A descriptor below zero is never ready.
        try wait(-1, forOutput: 0, milliseconds: milliseconds)
    }

    private static func wait(_ descriptor: Int32, forOutput: Int32, milliseconds: Int32) throws(POSIXError) {
        let (value, code) = valueOrErrno(retryOnInterrupt: false) { platform_wait(descriptor, forOutput, milliseconds) }
        if value == -1 { throw POSIXError(code: code, operation: "poll") }
    }
}

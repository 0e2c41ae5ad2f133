internal import CPlatform
internal import Glibc

/// Ctrl-C as a value that long work checks between two files. A second signal ends the process at once.
package enum Interrupt {
    /// From now on SIGINT, SIGTERM and SIGHUP only set `isRequested`.
    package static func catchSignals() { platform_catch_interrupts() }
    package static var isRequested: Bool { platform_interrupt_signal() != 0 }

    /// Throws EINTR once `isRequested`. For steps that may take minutes for one file (a hash, a comparison).
    static func check(_ operation: String) throws(POSIXError) {
        if isRequested { throw POSIXError(code: EINTR, operation: operation) }
    }

    /// Waits until a read from `descriptor` would not block. Throws EINTR as soon as `isRequested`.
    static func waitForInput(_ descriptor: Int32) throws(POSIXError) {
        try wait(descriptor, milliseconds: -1)
    }

    /// Same as `waitForInput`, for code that has its own descriptor of the terminal. False once `isRequested`.
    package static func canRead(_ descriptor: Int32) -> Bool { platform_wait(descriptor, -1) == 1 }

    /// Sleeps for some milliseconds. Throws EINTR as soon as `isRequested`.
    static func pause(milliseconds: Int32) throws(POSIXError) {
        // poll(2) ignores negative descriptors.
        try wait(-1, milliseconds: milliseconds)
    }

    private static func wait(_ descriptor: Int32, milliseconds: Int32) throws(POSIXError) {
        let (value, code) = valueOrErrno(retryOnInterrupt: false) { platform_wait(descriptor, milliseconds) }
        if value == -1 { throw POSIXError(code: code, operation: "poll") }
    }
}

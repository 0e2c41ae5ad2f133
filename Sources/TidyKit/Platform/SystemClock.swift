internal import Glibc

/// The clock of the machine, for time stamps in the journal, run IDs and the trash.
package enum SystemClock {
    /// Nanoseconds since 1970 (UTC), `clock_gettime(CLOCK_REALTIME)`. Clamped after 2262.
    package static func nowNs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        #if DEBUG
            time.tv_sec += time_t(advance)
        #endif
        return Int64(clamping: time.nanoseconds)
    }

    #if DEBUG
        /// Debug builds only: seconds by which `PHOTOTIDY_CLOCK` sets the clock ahead. What changed within two seconds
        /// of a run is not stored in the index, and tests do not wait.
        private static let advance = Environment.value("PHOTOTIDY_CLOCK").flatMap { Int32($0.displayText) } ?? 0
    #endif

    /// Seconds east of UTC on the local clock (`TZ`, `localtime_r`) at a moment in seconds since 1970; 0 for years that
    /// the system does not support.
    static func localOffset(seconds: Int64) -> Int {
        var seconds = time_t(seconds)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : local.tm_gmtoff
    }
}

/// Conversion between nanoseconds and seconds, both since 1970 (UTC). All times of files and runs use it, directly or
/// through `WallClock.utc(ns:)`.
extension timespec {
    /// Clamped: some FUSE servers return more than a second in `tv_nsec`.
    var nanoseconds: Int128 { Int128(tv_sec) * 1_000_000_000 + Int128(min(max(0, tv_nsec), 999_999_999)) }

    /// Seconds are rounded down. Values that do not fit are clamped.
    init(ns: Int128) {
        let (quotient, remainder) = ns.quotientAndRemainder(dividingBy: 1_000_000_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        self.init()
        tv_sec = time_t(clamping: seconds)
        if seconds == Int128(tv_sec) {
            tv_nsec = Int(remainder < 0 ? remainder + 1_000_000_000 : remainder)
        } else {
            tv_nsec = seconds < 0 ? 0 : 999_999_999
        }
    }
}

internal import Glibc

/// The clock of the machine, for what is stamped: the journal, IDs and the trash.
package enum SystemClock {
    /// Nanoseconds since 1970 (UTC), `clock_gettime(CLOCK_REALTIME)`. After 2262 every time stamp is the last moment
    /// that fits.
    package static func nowNs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(clamping: time.nanoseconds)
    }

    /// Seconds east of UTC on the local clock (`TZ`, `localtime_r`) at a moment in seconds since 1970; 0 in years that the
    /// system cannot count.
    static func localOffset(seconds: Int64) -> Int {
        var seconds = time_t(seconds)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : local.tm_gmtoff
    }
}

/// Between nanoseconds and seconds, both since 1970 (UTC): all times of files and runs go through here, or through
/// `WallClock.utc(ns:)`, which is built on it.
extension timespec {
    /// Some FUSE servers hand out more than a second in `tv_nsec`; none of it counts then, as in newer kernels.
    var nanoseconds: Int128 { Int128(tv_sec) * 1_000_000_000 + Int128(min(max(0, tv_nsec), 999_999_999)) }

    /// Seconds are rounded down. What does not fit becomes the first or the last moment that does.
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

internal import Glibc

/// The clock of the machine, for what is stamped: the journal, IDs and the trash.
public enum SystemClock {
    /// Nanoseconds since 1970 (UTC), `clock_gettime(CLOCK_REALTIME)`.
    public static func nowNs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A machine whose clock stands behind 2262 stamps everything with the last moment that fits.
        return Int64(clamping: Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec))
    }

    /// Seconds east of UTC at that moment on the local clock (`TZ`, `localtime_r`).
    public static func localOffset(ns: Int64) -> Int { localOffset(seconds: ns / 1_000_000_000) }

    /// As `localOffset(ns:)`, of a moment in seconds since 1970; 0 in years that the system cannot count.
    public static func localOffset(seconds: Int64) -> Int {
        var seconds = time_t(seconds)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : local.tm_gmtoff
    }
}

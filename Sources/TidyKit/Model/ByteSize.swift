extension Int64 {
    /// The sum, or the limit where it does not fit: a file system can hold two files that are larger than any sum.
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension Sequence {
    /// The sum of sizes that files say they have; `Int64.max` where it does not fit.
    package func totalBytes(_ size: (Element) -> Int64) -> Int64 { reduce(0) { $0.addingClamped(size($1)) } }
}

/// A count of bytes as people write it.
package enum ByteSize {
    /// `150kB` and `150KB` are 150,000 bytes, `150KiB` is 153,600; likewise M and G; a bare number is bytes. Fractions
    /// are rounded down. Nil for anything else, also for an unknown suffix and for what Int64 cannot hold.
    package static func parse(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let first = digits.first, first != ".", digits.last != ".", let number = Double(digits) else {
            return nil
        }
        let unit: Double
        switch text.dropFirst(digits.count).lowercased() {
        case "", "b": unit = 1
        case "k", "kb": unit = 1e3
        case "m", "mb": unit = 1e6
        case "g", "gb": unit = 1e9
        case "t", "tb": unit = 1e12
        case "ki", "kib": unit = 1024
        case "mi", "mib": unit = 1_048_576
        case "gi", "gib": unit = 1_073_741_824
        case "ti", "tib": unit = 1_099_511_627_776
        default: return nil
        }
        if unit == 1, digits.contains(".") { return nil }
        if unit == 1 { return Int64(digits) }
        let bytes = number * unit
        return bytes < 9e18 ? Int64(bytes) : nil
    }

    /// For people, decimal units, three figures: `999 B`, `1.50 kB`, `150 kB`, `4.19 MB`.
    package static func describe(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        // 999.5 would be written as four figures.
        while value >= 999.5, unit < 4 {
            value /= 1000
            unit += 1
        }
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return "\(fixed(value, decimals: decimals)) \(["B", "kB", "MB", "GB", "TB"][unit])"
    }

    /// `value` with exactly `decimals` figures behind the point; `value` is not negative.
    static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let rounded = Int64((value * Double(scale)).rounded())
        guard decimals > 0 else { return "\(rounded)" }
        let fraction = String(rounded % Int64(scale))
        return "\(rounded / Int64(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}

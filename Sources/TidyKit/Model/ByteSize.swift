extension Int64 {
    /// The sum, or the limit of the type if it overflows: the files of a library can claim more bytes than `Int64`
    /// holds.
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension Sequence {
    /// The sum of the sizes that files claim, at most `Int64.max`.
    package func totalBytes(_ size: (Element) -> Int64) -> Int64 { reduce(0) { $0.addingClamped(size($1)) } }
}

/// A number of bytes in the form that people write.
package enum ByteSize {
    /// `150kB` and `150KB` are 150,000 bytes, `150KiB` is 153,600; likewise M and G. A bare number is bytes. Fractions
    /// are rounded down. Nil for anything else, including unknown suffixes and values that overflow Int64.
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

    /// For display, in decimal units with three digits: `999 B`, `1.50 kB`, `150 kB`, `4.19 MB`.
    package static func describe(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        // From 999.5 on, rounding would give four digits.
        while value >= 999.5, unit < 4 {
            value /= 1000
            unit += 1
        }
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return "\(fixed(value, decimals: decimals)) \(["B", "kB", "MB", "GB", "TB"][unit])"
    }

    /// `value`, which is not negative, with exactly `decimals` digits after the point.
    static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let rounded = Int64((value * Double(scale)).rounded())
        guard decimals > 0 else { return "\(rounded)" }
        let fraction = String(rounded % Int64(scale))
        return "\(rounded / Int64(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}

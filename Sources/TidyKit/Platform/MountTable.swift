internal import Glibc

/// The places where filesystems are mounted, as this process sees them.
public enum MountTable {
    /// The mount points of `/proc/self/mountinfo` (field 5, see proc(5)), in the kernel's order; empty where it cannot be
    /// read.
    public static func mountPoints() -> [FilePath] {
        guard let table = try? FileSystem.contents(of: FilePath("/proc/self/mountinfo"), limit: 1 << 24) else {
            return []
        }
        return table.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            return fields.count > 4 ? FilePath(unescaped(fields[4])) : nil
        }
    }

    /// Blank, tab, newline and backslash are written as three octal digits: `\040`.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = field.startIndex
        while index < field.endIndex {
            let digits = field[(index + 1)...].prefix(3)
            if field[index] == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) })
            {
                result.append(digits.reduce(0) { $0 &* 8 &+ ($1 &- 0x30) })
                index += 4
            } else {
                result.append(field[index])
                index += 1
            }
        }
        return result
    }
}

internal import Glibc

/// The places where filesystems are mounted, as this process sees them.
package enum MountTable {
    /// One mounted filesystem.
    package struct Mount: Hashable, Sendable {
        package let point: FilePath
        /// The filesystem type, such as `ext4` or `fuse.sshfs`.
        package let kind: String

        /// True if a call about a file waits for a server or for another program (FUSE). An automounter mounts what is
        /// accessed.
        package var mayHang: Bool {
            kind == "fuse" || kind.hasPrefix("fuse.") || kind.hasPrefix("nfs") || kind.hasPrefix("smb")
                || ["cifs", "ncpfs", "9p", "afs", "ceph", "coda", "glusterfs", "lustre", "davfs", "autofs", "virtiofs"]
                    .contains(kind)
        }
    }

    /// The mount points, in the kernel's order.
    package static func mountPoints() -> [FilePath] { mounts().map(\.point) }

    /// The lines of `/proc/self/mountinfo` (field 5, and field 1 after the dash: see proc(5)), in the kernel's order;
    /// empty if it cannot be read.
    package static func mounts() -> [Mount] {
        guard let table = try? FileSystem.contents(of: FilePath("/proc/self/mountinfo"), limit: 1 << 24) else {
            return []
        }
        return table.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 4, let dash = fields.firstIndex(where: { $0.elementsEqual("-".utf8) }),
                dash + 1 < fields.count
            else { return nil }
            return Mount(
                point: FilePath(unescaped(fields[4])),
                kind: String(decoding: unescaped(fields[dash + 1]), as: UTF8.self))
        }
    }

    /// Blank, tab, newline and backslash are written as three octal digits: `\040`.
    static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
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

/// The paths that can be read without waiting. A dead server, or a FUSE program that hangs, can block every call about
/// its files for ever. A thread that waits there cannot be abandoned: the process would not end. Such mounts are
/// therefore read only if the user named them.
package struct ReachablePaths: Sendable {
    /// Mounts that may not answer, except for those that are needed.
    private let doubtful: [FilePath]

    /// - Parameter needed: absolute paths that are read in any case: the home trash and the state, or what the user
    ///   named.
    package init(needed: [FilePath], mounts: [MountTable.Mount] = MountTable.mounts()) {
        doubtful = mounts.filter(\.mayHang).map(\.point)
            .filter { point in !needed.contains { $0.isSameOrBelow(point) } }
    }

    /// False if `path` is on a mount that may not answer.
    package func isReachable(_ path: FilePath) -> Bool { !doubtful.contains { path.isSameOrBelow($0) } }
}

internal import CPlatform
internal import Glibc

/// The processors and the memory that this process may use: those of the machine, within its affinity (`taskset`) and
/// the limits of its control groups, versions 1 and 2 (cgroups(7)). A limit applies to all groups below too, so the
/// lowest one counts.
package struct ResourceLimits {
    private static let limits = ResourceLimits()

    /// Processors that this process may use.
    static let processorCount = limits.processors(of: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Bytes of memory that this process may use: those of the machine or of its control group, whichever is less.
    package static let memory: Int64 = {
        let (pages, size) = (Int64(sysconf(Int32(_SC_PHYS_PAGES))), Int64(sysconf(Int32(_SC_PAGESIZE))))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: size)
        return limits.memory(of: overflow || bytes <= 0 ? .max : bytes)
    }()

    /// The folder that contains `/proc` and `/sys`; another one in tests.
    private let root: FilePath
    private let groups: [String: FilePath]
    private let mounts: [Mount]

    /// A mounted hierarchy of groups.
    private struct Mount {
        /// The group that is seen at `point`.
        let root: FilePath
        let point: FilePath
        /// Of version 1; empty for version 2.
        let controllers: Set<String>
        let isUnified: Bool
    }

    init(root: FilePath = .root) {
        self.root = root
        groups = Self.groups(Self.lines(of: root.appending("proc/self/cgroup")))
        mounts = Self.lines(of: root.appending("proc/self/mountinfo")).compactMap(Self.mount)
    }

    /// The number of processors, at least 1. A quota that is not a whole number of processors is rounded up.
    /// - Parameter affinity: processors that `sched_getaffinity` allows the calling thread; nil if unknown.
    func processors(of machine: Int, affinity: Int? = Self.affinity) -> Int {
        var count = min(machine, affinity ?? machine)
        for folder in folders(of: "cpu") {
            if let limit = quota(folder) { count = min(count, max(1, Int(limit.rounded(.up)))) }
        }
        return max(1, count)
    }

    /// Bytes, at most `machine`.
    func memory(of machine: Int64) -> Int64 {
        var bytes = machine
        for folder in folders(of: "memory") {
            for name in ["memory.max", "memory.high", "memory.limit_in_bytes"] {
                if let limit = Self.numbers(in: folder.appending(name)).first ?? nil { bytes = min(bytes, limit) }
            }
        }
        return max(0, bytes)
    }

    static var affinity: Int? {
        let count = Int(platform_affinity_count())
        return count > 0 ? count : nil
    }

    // MARK: Reading

    /// The quota in processors; nil for no limit. Version 2 has quota and period in `cpu.max`, version 1 in two files.
    /// -1 and `max` mean no limit.
    private func quota(_ folder: FilePath) -> Double? {
        var pair = Self.numbers(in: folder.appending("cpu.max"))
        if pair.isEmpty {
            pair =
                Self.numbers(in: folder.appending("cpu.cfs_quota_us"))
                + Self.numbers(in: folder.appending("cpu.cfs_period_us"))
        }
        guard pair.count == 2, let quota = pair[0], let period = pair[1], quota > 0, period > 0 else { return nil }
        return min(Double(quota) / Double(period), 1e6)
    }

    /// The words of a file as numbers; nil for words that are not numbers, such as `max`. Empty if there is no such
    /// file.
    private static func numbers(in path: FilePath) -> [Int64?] {
        guard let text = try? FileSystem.contents(of: path, limit: 4096) else { return [] }
        return text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            .map { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    private static func lines(of path: FilePath) -> [ArraySlice<UInt8>] {
        ((try? FileSystem.contents(of: path, limit: 1 << 24)) ?? []).split(separator: UInt8(ascii: "\n"))
    }

    /// `4:cpu,cpuacct:/a/b`, or `0::/a/b` in version 2: the group for each controller, by its name; "" for version 2.
    private static func groups(_ lines: [ArraySlice<UInt8>]) -> [String: FilePath] {
        var groups: [String: FilePath] = [:]
        for line in lines {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for name in parts[1].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                groups[String(decoding: name, as: UTF8.self)] = FilePath(parts[2])
            }
        }
        return groups
    }

    /// A line of mountinfo (proc(5)): fields 4 and 5 are root and mount point; type, source and options follow the
    /// dash.
    private static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard let dash = fields.firstIndex(of: [UInt8(ascii: "-")]), dash >= 6, fields.count > dash + 3 else {
            return nil
        }
        let type = String(decoding: fields[dash + 1], as: UTF8.self)
        guard type == "cgroup" || type == "cgroup2" else { return nil }
        let options = fields[dash + 3].split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        return Mount(
            root: FilePath(MountTable.unescaped(fields[3])), point: FilePath(MountTable.unescaped(fields[4])),
            controllers: Set(options), isUnified: type == "cgroup2")
    }

    // MARK: The path of groups

    /// The folders of this process's group and of all above it, in each hierarchy that may have the controller.
    private func folders(of controller: String) -> [FilePath] {
        mounts.flatMap { mount -> [FilePath] in
            guard mount.isUnified || mount.controllers.contains(controller),
                let group = groups[mount.isUnified ? "" : controller]
            else { return [] }
            let top = root.appending(mount.point.bytes.drop { $0 == UInt8(ascii: "/") })
            // In a container the group may have its name on the host; then only the mount itself can be read.
            var names = group.bytes.split(separator: UInt8(ascii: "/"))
            let above = mount.root.bytes.split(separator: UInt8(ascii: "/"))
            names = names.starts(with: above) { $0.elementsEqual($1) } ? Array(names.dropFirst(above.count)) : []
            guard !names.contains(where: { $0.elementsEqual("..".utf8) }) else { return [top] }
            return names.reduce(into: [top]) { $0.append(($0.last ?? top).appending($1)) }
        }
    }
}

/// The C library's heap.
package enum Heap {
    /// Reserves address space for work that often allocates and frees blocks of about a megabyte. The next `bytes`
    /// (less than 1 GB) of the first thread's heap come from one range, in huge pages if the system has them, and freed
    /// memory is kept (mallopt(3), madvise(2)). Otherwise each block is mapped and unmapped again, in pages of 4 KB.
    ///
    /// Measured with `compress --max-size 100KB --jobs 1` on 131 photos, median of 20 interleaved runs each: 3.27 s of
    /// processor time instead of 3.42 s, of which 0.42 s instead of 0.49 s in the kernel.
    ///
    /// To be called by a program, not by a library, as it affects every allocation of the process. Memory counts as
    /// used only once it is touched; up to 2 MB more than otherwise.
    package static func reserve(_ bytes: Int32) { platform_reserve_heap(Int(bytes)) }

    /// Returns free memory to the system (malloc_trim(3)), after much was freed that will not be needed again.
    static func trim() { platform_trim_heap() }
}

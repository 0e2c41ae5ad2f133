import Support
import Testing

@testable import TidyKit

/// Control groups and affinity, over a root folder of the test's own.
@Suite struct ResourceLimitsTests {
    private let root: TemporaryFolder

    init() throws { root = try TemporaryFolder() }

    private func limits(_ files: [String: String]) throws -> ResourceLimits {
        for (name, text) in files { try root.write(name, text) }
        return ResourceLimits(root: root.path)
    }

    private static let unified = "29 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"

    @Test func withoutGroupsTheMachineCounts() throws {
        let limits = try limits([:])
        #expect(limits.processors(of: 8, affinity: nil) == 8 && limits.memory(of: 1 << 34) == 1 << 34)
        #expect(limits.processors(of: 0, affinity: 0) == 1)
    }

    @Test func affinityIsALimit() throws {
        #expect(try limits([:]).processors(of: 8, affinity: 3) == 3)
        #expect(ResourceLimits.affinity.map { $0 >= 1 } ?? true)
    }

    /// The lowest limit on the way from the group to the root counts, wherever it stands.
    @Test func versionTwo() throws {
        let limits = try limits([
            "proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": Self.unified,
            "sys/fs/cgroup/a/cpu.max": "150000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
            "sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.max": "536870912\n",
            "sys/fs/cgroup/a/memory.high": "268435456\n",
        ])
        #expect(limits.processors(of: 8, affinity: nil) == 2)
        #expect(limits.processors(of: 8, affinity: 1) == 1)
        #expect(limits.memory(of: 1 << 34) == 1 << 28)
        #expect(limits.memory(of: 1 << 20) == 1 << 20)
    }

    @Test func versionOne() throws {
        let limits = try limits([
            "proc/self/cgroup": "5:memory:/m\n4:cpu,cpuacct:/c/d\n0::/\n",
            "proc/self/mountinfo": """
            33 32 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
            34 32 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory

            """,
            "sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu,cpuacct/c/d/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu,cpuacct/c/d/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/m/memory.limit_in_bytes": "104857600\n",
        ])
        #expect(limits.processors(of: 8, affinity: nil) == 1)
        #expect(limits.memory(of: 1 << 34) == 104_857_600)
    }

    /// In a container the mount shows a group of the host as its root, by the name that the host gives it or by `/`.
    @Test(arguments: ["/docker/x", "/", "/../other"]) func inAContainer(group: String) throws {
        let limits = try limits([
            "proc/self/cgroup": "0::\(group)\n",
            "proc/self/mountinfo": "29 23 0:26 /docker/x /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
            "sys/fs/cgroup/cpu.max": "300000 100000\n", "sys/fs/cgroup/memory.max": "1000000000\n",
        ])
        #expect(limits.processors(of: 8, affinity: nil) == 3)
        #expect(limits.memory(of: 1 << 34) == 1_000_000_000)
    }

    @Test(arguments: [
        "", "max", "-5 100000", "100000 0", "x y", "99999999999999999999 1", "9223372036854775807 1", "1", "1 2 3",
        "0 100000",
    ])
    func whatIsNoLimitIsNone(text: String) throws {
        let limits = try limits([
            "proc/self/cgroup": "0::/\n:::\nx\n4:cpu\n", "proc/self/mountinfo": Self.unified + "- -\n1 2 - cgroup2\n",
            "sys/fs/cgroup/cpu.max": text + "\n", "sys/fs/cgroup/memory.max": "x\n",
        ])
        #expect(limits.processors(of: 8, affinity: nil) == 8)
        #expect(limits.memory(of: 1 << 34) == 1 << 34)
    }
}

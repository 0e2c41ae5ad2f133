import Testing

@testable import TidyKit

@Suite struct ReachablePathsTests {
    private let mounts = [
        MountTable.Mount(point: .root, kind: "ext4"), MountTable.Mount(point: FilePath("/nas"), kind: "nfs4"),
        MountTable.Mount(point: FilePath("/far"), kind: "fuse.sshfs"),
        MountTable.Mount(point: FilePath("/nas/usb"), kind: "ext4"),
        MountTable.Mount(point: FilePath("/stick"), kind: "fuseblk"),
    ]

    /// What lies below a server is reached through it, whatever is mounted there.
    @Test(arguments: [
        ("/home/u", true), ("/nas", false), ("/nas/a/b", false), ("/nas/usb/a", false), ("/nasty", true),
        ("/far/x", false), ("/stick/a", true), ("/", true),
    ])
    func aPlaceBehindAServerIsNotLookedAt(_ path: String, _ answers: Bool) {
        #expect(ReachablePaths(needed: [FilePath("/home/u")], mounts: mounts).isReachable(FilePath(path)) == answers)
    }

    @Test func whatIsAskedForIsLookedAt() {
        let reach = ReachablePaths(needed: [FilePath("/nas/home/u")], mounts: mounts)
        #expect(reach.isReachable(FilePath("/nas/usb/a")) && !reach.isReachable(FilePath("/far/x")))
    }
}

import Support
import Testing
import TidyKit

/// Copies that share their blocks with what stays, as `cp --reflink` makes them.
@Suite(.enabled(if: BtrfsDisk.obstacle == nil, "\(BtrfsDisk.obstacle ?? "")"))
struct CloneTests: ProgramSuite {
    let program: BuiltProgram
    private let disk: BtrfsDisk

    init() throws {
        program = try BuiltProgram()
        disk = try BtrfsDisk(program.home)
        try disk.space.shell(
            """
            cd '\(disk.folder.displayText)'
            head -c 200000 /dev/urandom > noise
            { cat '\(disk.picture.displayText)' noise; } > a.jpg
            cp --reflink=always a.jpg 'a copy.jpg'
            cp --reflink=never a.jpg 'a copy 2.jpg'
            rm noise
            """)
    }

    private func run(_ words: String...) throws -> BuiltProgram.Result {
        try program.run(words.map { FilePath($0) }, through: disk.space.entrance(disk.folder))
    }

    private let sentence = "1 of them shares its blocks with what stays (clones): deleting it frees nothing."

    @Test func aPlanSaysThatDeletingACloneFreesNothing() throws {
        let result = try run("delete", ".", "--duplicate", "-n")
        #expect(result.exitCode == 0)
        let mark = "; a clone that shares its blocks with that copy: deleting it frees nothing"
        #expect(result.lines.count { $0.hasSuffix(mark) } == 1)
        #expect(result.errorText.contains(sentence))
        let json = try run("delete", ".", "--duplicate", "-n", "--json").text
        let bytes = try FileStatus.of(disk.outside.appending("a.jpg")).identity.bytes
        #expect(json.contains(#""path":"a copy.jpg""#) && json.contains(#""freed":0}"#))
        #expect(json.contains(#"],"freed":\#(bytes)}"#))
    }

    @Test func aRunAndASavedPlanSaySoToo() throws {
        let saved = try run("delete", ".", "--duplicate", "--permanent", "-n", "--save-plan", "../p.plan")
        #expect(saved.exitCode == 0)
        let bytes = try FileStatus.of(disk.outside.appending("a.jpg")).identity.bytes
        let text = try run("delete", "--plan", "../p.plan", "--yes").errorText
        #expect(text.contains("; \(ByteSize.describe(bytes)) freed. \(sentence)"))
    }

    @Test func sumsSaySoToo() throws {
        let text = try run("list", ".", "--duplicate", "--group-by", "type", "--format", "table").errorText
        #expect(text.contains(sentence.replacing("them shares", with: "these photos shares")))
    }

    /// What was written into a clone has blocks of its own.
    @Test func aCloneThatWasRewrittenIsNone() throws {
        try disk.space.shell("cd '\(disk.folder.displayText)'; cat 'a copy 2.jpg' > 'a copy.jpg'")
        #expect(try !run("delete", ".", "--duplicate", "-n").errorText.contains("clones"))
    }
}

/// A btrfs in a file, mounted where nobody else sees it.
final class BtrfsDisk {
    static let obstacle: String? = {
        if let obstacle = MountSpace.obstacle { return obstacle }
        guard let space = try? MountSpace(), let folder = try? TemporaryFolder(),
            (try? mount(folder.path, in: space)) != nil
        else { return "no btrfs can be made and mounted here (btrfs-progs, loop devices)" }
        return nil
    }()

    let space: MountSpace
    /// In the space, and from outside.
    let folder: FilePath
    let picture: FilePath
    var outside: FilePath { space.path(folder) }

    init(_ home: TemporaryFolder) throws {
        space = try MountSpace()
        let place = home.path.appending("disk")
        try FileSystem.createFolder(place)
        picture = try home.write("picture.jpg", DrawnPicture(width: 64, height: 48).jpeg())
        try Self.mount(place, in: space)
        folder = place.appending("btrfs/library")
        try space.shell("mkdir '\(folder.displayText)'")
    }

    private static func mount(_ place: FilePath, in space: MountSpace) throws {
        try space.shell(
            """
            cd '\(place.displayText)'
            truncate -s 128M image
            mkfs.btrfs -q image > /dev/null 2>&1
            mkdir -p btrfs
            mount -o loop image btrfs
            """)
    }
}

import Support
import Testing
import TidyKit

/// What a file has beside its bytes: mode, times and extended attributes.
@Suite struct KeptAttributesTests: ProgramSuite {
    private static let modifiedNs: Int128 = 1_551_676_567_123_456_789
    private static let note = Array("holiday".utf8)
    let program: BuiltProgram
    private static let hasAttributes: Bool = {
        guard let folder = try? TemporaryFolder(), let path = try? folder.write("a", "") else { return false }
        return ExtendedAttribute.set("user.note", to: note, of: path)
    }()

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 800, height: 600, grain: 24).jpeg(quality: 95)
        let path = try program.home.write("a.jpg", JPEGFixture(picture: picture).with(0xFE, [1, 2, 3]).bytes)
        _ = ExtendedAttribute.set("user.note", to: Self.note, of: path)
        try path.setPermissions(0o640)
        try FileSystem.setModified(path, ns: Self.modifiedNs)
    }

    private func expectKept(_ name: String) throws {
        let path = home.path.appending(name)
        let status = try FileStatus.of(path)
        #expect(status.permissions & 0o777 == 0o640 && status.identity.modifiedNs == Self.modifiedNs, "\(name)")
        if Self.hasAttributes { #expect(ExtendedAttribute.value("user.note", of: path) == Self.note, "\(name)") }
    }

    @Test(arguments: ["30kB", "5MB"]) func areThoseOfTheSource(target: String) throws {
        #expect(try run("compress", "a.jpg", "-o", "out/b.jpg", "--max-size", target).exitCode == 0)
        try expectKept("out/b.jpg")
        #expect(try run("compress", "a.jpg", "--in-place", "--yes", "--max-size", target).exitCode == 0)
        try expectKept("a.jpg")
        #expect(try FileSystem.contents(of: home.path.appending("a.jpg")).count < 5_000_000)
        #expect(try run("undo").exitCode == 0)
        try expectKept("a.jpg")
    }

    /// Where a file came from may hold tokens: only `all` carries it along.
    @Test(
        .enabled(if: hasAttributes, "this file system has no extended attributes"),
        arguments: [("safe", false), ("none", false), ("all", true)])
    func whereItCameFromGoesWithAllAlone(policy: String, isKept: Bool) throws {
        let origins = [
            "user.xdg.origin.url", "user.com.apple.metadata:kMDItemWhereFroms", "user.com.apple.quarantine",
            "user.Zone.Identifier",
        ]
        let path = home.path.appending("a.jpg")
        for name in origins { #expect(ExtendedAttribute.set(name, to: Self.note, of: path)) }
        func check(_ path: FilePath) {
            for name in origins { #expect((ExtendedAttribute.value(name, of: path) != nil) == isKept, "\(name)") }
            #expect(ExtendedAttribute.value("user.note", of: path) == Self.note)
        }
        let words = ["--max-size", "30kB", "--metadata", policy]
        #expect(try program.run((["compress", "a.jpg", "-o", "b.jpg"] + words).map { FilePath($0) }).exitCode == 0)
        check(home.path.appending("b.jpg"))
        #expect(
            try program.run((["compress", "a.jpg", "--in-place", "--yes"] + words).map { FilePath($0) }).exitCode == 0)
        check(path)
    }
}

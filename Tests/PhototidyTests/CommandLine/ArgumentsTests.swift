import Support
import Testing
import TidyKit

/// The words of the command line, wherever the program runs.
@Suite struct ArgumentsTests {
    @Test(.enabled(if: MountSpace.isAvailable, "nothing can be mounted here"))
    func areThereWithoutProc() throws {
        let program = try BuiltProgram()
        try program.home.write("photos/a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        let space = try MountSpace()
        try space.shell("mount -t tmpfs tmpfs /proc")
        let entrance = space.entrance(program.home.path)
        func run(_ words: String...) throws -> BuiltProgram.Result {
            try program.run(words.map { FilePath($0) }, in: .root, through: entrance)
        }
        let list = try run("list", "photos", "--format", "paths")
        #expect(list.exitCode == 0 && list.text == "photos/a.jpg\n", "\(list.text) \(list.errorText)")
        #expect(try run("filter", "photos", "--size", "1GB..").exitCode == 1)
        #expect(try run("no-such-command").exitCode == 64)
        let name = FilePath([UInt8(ascii: "x"), 0xFF])
        let missing = try program.run([FilePath("list"), name], in: .root, through: entrance)
        #expect(missing.exitCode == 5 && missing.errorText.contains("\\xFF"), "\(missing.errorText)")
    }
}

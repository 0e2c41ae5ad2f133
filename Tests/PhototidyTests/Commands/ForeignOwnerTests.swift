import Glibc
import Support
import Testing
import TidyKit

/// State that `sudo` left owned by root in a user's home.
@Suite(.enabled(if: BuiltProgram.obstacleToNobody == nil, "\(BuiltProgram.obstacleToNobody ?? "")"))
struct ForeignOwnerTests: ProgramSuite {
    let program: BuiltProgram

    init() throws { program = try BuiltProgram() }

    @Test(arguments: [".local", ".local/state/phototidy", ".local/state/phototidy/selections"])
    func theErrorSaysWhoseItIsAndWhatHelps(left: String) throws {
        let state = home.path.appending(".local/state/phototidy/selections")
        try FileSystem.createFolders(state)
        var folder = home.path
        _ = folder.withCString { chown($0, 65534, 65534) }
        var isLeft = false
        for name in [".local", "state", "phototidy", "selections"] {
            folder = folder.appending(name)
            isLeft = isLeft || folder == home.path.appending(left)
            let owner: uid_t = isLeft ? 0 : 65534
            _ = folder.withCString { chown($0, owner, owner) }
            if isLeft { _ = folder.withCString { chmod($0, 0o700) } }
        }
        let photo = try home.write("a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        _ = photo.withCString { chown($0, 65534, 65534) }
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map { FilePath($0) }
        let compress = ["compress", "a.jpg", "--in-place", "--max-edge", "20", "--min-edge", "10"]
        let commands = [
            ["select", "add", "a.jpg"], ["delete", "a.jpg", "--yes"], ["delete", "a.jpg", "-n"], compress + ["-n"],
            compress + ["--yes"], ["undo"], ["undo", "--list"],
        ]
        for arguments in commands {
            let result = try program.run(arguments.map { FilePath($0) }, through: nobody)
            if left.hasSuffix("selections"), arguments[0] != "select" { continue }
            // Without a home trash there is no plan: the state is not asked for.
            if left == ".local", ["delete", "compress"].contains(arguments[0]) { continue }
            #expect(result.exitCode == 5, "\(arguments): \(result.errorText)")
            #expect(result.errorText.contains("belongs to root"), "\(result.errorText)")
            let path = home.path.appending(left).displayText
            #expect(result.errorText.contains("sudo chown -R nobody: '\(path)'"), "\(result.errorText)")
            #expect(photo.exists)
        }
    }

    /// `delete` and `undo` do their own work, and warn that the selections could not follow.
    @Test func namesTheOwnerOfSelectionsThatCannotBeUpdated() throws {
        let photo = try home.write("a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        for path in [home.path, photo] { try path.give(to: 65534) }
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map { FilePath($0) }
        func run(_ arguments: String...) throws -> BuiltProgram.Result {
            try program.run(arguments.map { FilePath($0) }, through: nobody)
        }
        #expect(try run("select", "add", "a.jpg").exitCode == 0)
        let selections = home.path.appending(".local/state/phototidy/selections")
        func expectHint(_ result: BuiltProgram.Result) {
            let hint = "sudo chown -R nobody: '\(selections.displayText)'"
            #expect(result.errorText.contains(hint), "\(result.errorText)")
        }
        try selections.give(to: 0)
        try selections.setPermissions(0o700)
        expectHint(try run("delete", "a.jpg", "--yes"))
        #expect(!photo.exists)
        try selections.give(to: 65534)
        #expect(try run("undo").exitCode == 0)
        #expect(try run("delete", "a.jpg", "--yes").exitCode == 0)
        try selections.give(to: 0)
        expectHint(try run("undo"))
        #expect(photo.exists)
    }
}

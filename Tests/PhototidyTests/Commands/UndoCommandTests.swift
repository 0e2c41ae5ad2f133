import Support
import Testing
import TidyKit

@Suite struct UndoCommandTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 32, height: 24).jpeg()
        for name in ["a.jpg", "b.jpg"] { try program.home.write("album/\(name)", picture) }
        try program.home.write("album/a.AAE", "<plist/>")
    }

    /// Who renames wants to know to what.
    @Test func aNewNameIsTold() throws {
        #expect(try run("delete", "album/a.jpg", "album/b.jpg", "--yes").exitCode == 0)
        try program.home.write("album/a.jpg", "another")
        for step in [["undo", "--rename", "-n"], ["undo", "--rename"]] {
            let result = try program.run(step.map { FilePath($0) })
            #expect(result.exitCode == 0)
            let album = program.home.path.appending("album").displayText
            #expect(result.errorText.contains("\(album)/a.jpg: "), "\(result.errorText)")
            #expect(result.errorText.contains("\(album)/a (2).jpg, \(album)/a (2).AAE"), "\(result.errorText)")
            #expect(!result.errorText.contains("b.jpg"))
        }
    }

    /// `--to` changes every name, and the user named the folder.
    @Test func anotherFolderIsNotToldPhotoByPhoto() throws {
        #expect(try run("delete", "album/a.jpg", "album/b.jpg", "--yes").exitCode == 0)
        let result = try run("undo", "--to", "elsewhere")
        #expect(result.exitCode == 0)
        #expect(!result.errorText.contains("b.jpg"))
    }
}

import Support
import Testing
import TidyKit

/// What `delete` says and does about the files that belong to a photo.
@Suite struct UnitCommandTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        try home.write("album/IMG_1.JPG", DrawnPicture(width: 32, height: 24).jpeg())
        try home.write("album/IMG_1.MOV", QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes)
        try home.write("album/IMG_1.AAE", "<plist/>")
    }

    @Test func thePlanAndTheExplanationNameTheCompanions() throws {
        #expect(try run("delete", "album/IMG_1.JPG", "-n").text.contains("IMG_1.JPG (with IMG_1.AAE, IMG_1.MOV)"))
        let explained = try run("list", "album", "--explain", "album/IMG_1.JPG").text
        #expect(explained.contains("with IMG_1.AAE, IMG_1.MOV"))
    }

    @Test func aCompanionAloneIsRefusedBesidePredicatesToo() throws {
        for predicates in [[], ["--size", "1.."]] {
            let result = try program.run((["delete", "album/IMG_1.MOV", "--yes"] + predicates).map { FilePath($0) })
            #expect(result.exitCode == 4)
            #expect(result.errorText.contains("album/IMG_1.JPG"))
        }
        #expect(home.path.appending("album/IMG_1.MOV").exists)
    }

    @Test func withoutUnitsAFileGoesAlone() throws {
        let result = try run("delete", "album", "--no-units", "--type", "video", "--has", "live", "--yes")
        #expect(result.exitCode == 0)
        #expect(!home.path.appending("album/IMG_1.MOV").exists)
        #expect(home.path.appending("album/IMG_1.JPG").exists)
        #expect(try run("undo").exitCode == 0)
        #expect(try run("delete", "album/IMG_1.MOV", "--no-units", "--yes").exitCode == 0)
        #expect(home.path.appending("album/IMG_1.JPG").exists)
        #expect(try run("delete", "album/IMG_1.JPG", "--no-units", "--companions", "unit", "-n").exitCode == 64)
    }
}

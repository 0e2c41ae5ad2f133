import Support
import Testing
import TidyKit

/// The photo that stays goes away in front of each rename of a run in turn, as another run would take it.
@Suite(.serialized) struct VanishingKeptTests {
    private func run(_ fault: String, _ options: [String], _ program: BuiltProgram) throws {
        let picture = DrawnPicture(width: 160, height: 120).jpeg()
        for name in ["photos/a.jpg", "photos/b.jpg"] { try program.home.write(name, picture) }
        let home = program.home.path
        let words = ["delete", "photos", "--duplicate", "--prefer", "photos/b.jpg", "--yes"] + options
        _ = try program.run(
            words.map { FilePath($0) },
            environment: [
                "PHOTOTIDY_FAULT": fault,
                "PHOTOTIDY_FAULT_FROM": home.appending("photos/b.jpg").displayText,
                "PHOTOTIDY_FAULT_TO": home.appending("away.jpg").displayText,
            ])
    }

    @Test(arguments: [[], ["--permanent"]])
    func aCopyGoesOnlyWhileWhatStaysIsThere(_ options: [String]) throws {
        var moves = 0
        for step in 1...20 {
            let killed = try BuiltProgram()
            try run("kill:\(step):renameat2", options, killed)
            let wasThere = killed.home.path.appending("photos/a.jpg").exists
            let program = try BuiltProgram()
            try run("save:\(step):renameat2", options, program)
            if !program.home.path.appending("away.jpg").exists { break }
            if wasThere { moves += 1 }
            let isThere = program.home.path.appending("photos/a.jpg").exists
            #expect(isThere || !wasThere, "call \(step): both are gone")
        }
        #expect(moves > 0)
    }
}

import Support
import Testing
import TidyKit

/// Which clock dates are compared with and shown by.
@Suite struct LocalTimeTests {
    private let program: BuiltProgram
    private let folder: FilePath
    /// Seven hours behind UTC in September, whatever is installed of zones.
    private let zone: [String: String?] = ["TZ": "PDT+7"]

    init() throws {
        program = try BuiltProgram()
        folder = program.home.path
        // 2001-09-09T01:46:40Z, and the day before at 18:46:40 where clocks stand seven hours behind.
        let stamp = try program.home.write("stamp.jpg", JPEGFixture(width: 48, height: 32).bytes)
        try FileSystem.setModified(stamp, ns: 1_000_000_000_000_000_000)
        var exif = ExifFixture()
        exif.taken("2012:03:04 23:59:58")
        let taken = try program.home.write("taken.jpg", JPEGFixture(width: 48, height: 32).with(exif).bytes)
        try FileSystem.setModified(taken, ns: 1_600_000_000_000_000_000)
    }

    private func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run(arguments.map { FilePath($0) }, in: folder, environment: zone)
    }

    @Test func aTimeStampIsComparedInLocalTimeAndRecordedInUTC() throws {
        #expect(try run("filter", "--taken", "2001-09-08", "--count").text == "1\n")
        #expect(try run("filter", "--taken", "2001-09-09", "--count").text == "0\n")
        #expect(try run("filter", "--taken", "2012-03-04", "--count").text == "1\n")
        let record = try run("list", "stamp.jpg", "--ndjson").text
        #expect(record.contains(#""taken":"2001-09-09T01:46:40Z","takenSource":"mtime""#))
        #expect(record.contains(#""modified":"2001-09-09T01:46:40Z""#))
    }

    @Test func tablesAndContactSheetsShowLocalTime() throws {
        let table = try run("list", "--format", "table", "--sort", "taken").text
        #expect(table.contains("~2001-09-08 18:46") && table.contains("2012-03-04 23:59"))
        let stamps = try run("list", "stamp.jpg", "--format", "table", "--fields", "modified").text
        #expect(stamps.contains("2001-09-08 18:46"))
        let sheet = try run("list", "--html", "-").text
        #expect(sheet.contains("~2001-09-08 18:46") && sheet.contains("2012-03-04 23:59"))
    }

    /// Files that are named outright, or by a list, have their dates read for the question.
    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func theQuestionTellsRealDates() throws {
        try program.home.write("list.txt", "stamp.jpg\ntaken.jpg\n")
        for arguments in [["stamp.jpg", "taken.jpg"], ["--from", "list.txt"]] {
            let screen = try program.runAtTerminal(
                ["delete"] + arguments, question: "[y/N]", answer: "n", in: folder, environment: zone
            ).screen
            #expect(screen.contains("oldest ~2001-09-08, newest 2012-03-04"), "\(screen)")
        }
        let one = try program.runAtTerminal(
            ["delete", "taken.jpg"], question: "[y/N]", answer: "n", in: folder, environment: zone
        ).screen
        #expect(one.contains("oldest 2012-03-04, newest 2012-03-04"), "\(one)")
    }
}

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
        // 2001-09-09T01:46:40Z is the day before, 18:46:40, in a zone seven hours behind UTC.
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

    @Test func comparesTimeStampsInLocalTimeAndRecordsUTC() throws {
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

    /// Zones of half hours, on either side of UTC, and a clock that is put forward and back (by the rule of POSIX, and by the
    /// zone's file where the system has one).
    private static let zones: [(zone: String, file: String, shown: [String])] = [
        ("IST-5:30", "Asia/Kolkata", ["2024-03-31 06:29", "2024-03-31 06:30", "2024-10-27 06:29", "2024-10-27 06:30"]),
        (
            "NST3:30NDT,M3.2.0,M11.1.0", "America/St_Johns",
            ["2024-03-30 22:29", "2024-03-30 22:30", "2024-10-26 22:29", "2024-10-26 22:30"]
        ),
        (
            "CET-1CEST,M3.5.0,M10.5.0/3", ":Europe/Berlin",
            ["2024-03-31 01:59", "2024-03-31 03:00", "2024-10-27 02:59", "2024-10-27 02:00"]
        ),
    ]

    @Test(arguments: zones.indices, [false, true]) func zonesOfAllKindsAreShown(_ index: Int, isFile: Bool) throws {
        let (rule, file, expected) = Self.zones[index]
        let name = file.hasPrefix(":") ? String(file.dropFirst()) : file
        if isFile, !FilePath("/usr/share/zoneinfo/\(name)").exists { try Test.cancel("no zone \(name) here") }
        // The last second and the first of Europe's changes, 01:00 UTC.
        for (number, seconds) in [1_711_846_799, 1_711_846_800, 1_729_990_799, 1_729_990_800].enumerated() {
            let path = try program.home.write("change/\(number).jpg", JPEGFixture(width: 48, height: 32).bytes)
            try FileSystem.setModified(path, ns: Int64(seconds) * 1_000_000_000)
        }
        func run(_ arguments: String...) throws -> BuiltProgram.Result {
            try program.run(arguments.map { FilePath($0) }, environment: ["TZ": isFile ? file : rule])
        }
        let list = try run("list", "change", "--format", "table", "--sort", "path", "--fields", "path,modified").text
        for (number, text) in expected.enumerated() {
            let line = list.split(separator: "\n").first { $0.contains("\(number).jpg") }
            #expect(line?.contains(text) == true, "\(number): \(list)")
            // The day is that of the clock here.
            let day = String(text.prefix(10))
            #expect(try run("filter", "change/\(number).jpg", "--taken", day, "--count").text == "1\n", "\(day)")
        }
    }

    /// An age counts from now, and a date without a zone is that of the clock here: half a day off would show in either.
    @Test(arguments: ["IST-5:30", "NST3:30", "LINT-14", "AoE12"]) func agesAndRunsFollowTheClock(zone: String) throws {
        func run(_ arguments: String...) throws -> BuiltProgram.Result {
            try program.run(arguments.map { FilePath($0) }, in: folder, environment: ["TZ": zone])
        }
        let now = WallClock.now()
        let minutes = ["IST-5:30": 330, "NST3:30": -210, "LINT-14": 840, "AoE12": -720][zone] ?? 0
        for (name, hours) in [("near.jpg", -1), ("far.jpg", -25)] {
            var exif = ExifFixture()
            let clock = WallClock(seconds: now.seconds + Int64(hours * 3600 + minutes * 60))
            exif.taken(String(clock.text.replacing("-", with: ":").replacing("T", with: " ").prefix(19)))
            try program.home.write(name, JPEGFixture(width: 48, height: 32).with(exif).bytes)
        }
        let found = try run("filter", "near.jpg", "far.jpg", "--last", "1d")
        #expect(found.lines == ["near.jpg"], "\(found.text) \(found.errorText)")
        #expect(try run("delete", "near.jpg", "--yes").exitCode == 0)
        let shown = try run("undo", "--list").lines.last ?? ""
        let times = [0, -60].map { WallClock(seconds: WallClock.now().seconds + Int64($0 + minutes * 60)).text }
        #expect(times.contains { shown.hasPrefix($0.prefix(10) + " " + $0.dropFirst(11).prefix(5)) }, "\(shown)")
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

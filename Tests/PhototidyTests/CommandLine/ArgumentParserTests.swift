import Testing
import TidyKit

@testable import phototidy

@Suite struct ArgumentParserTests {
    private func parse(_ line: String, _ spec: CommandSpec) throws -> ParsedArguments {
        try ArgumentParser.parse(line.split(separator: " ").map { Array($0.utf8) }, for: spec)
    }

    @Test func optionsMayStandAnywhere() throws {
        let parsed = try parse("a --type jpeg b --json c", .list)
        #expect(parsed.operands == ["a", "b", "c"].map { FilePath($0) })
        #expect(parsed.has(.json))
        #expect(parsed.occurrences.first?.value == Array("jpeg".utf8))
    }

    @Test(arguments: ["--sort=-size", "--sort -size"])
    func valuesStandBehindAnEqualsSignOrABlank(_ line: String) throws {
        #expect(try parse(line, .list).text(.sort) == "-size")
    }

    @Test(arguments: ["-s trip show", "show -strip", "show -s=trip", "show --selection trip", "show --selection=trip"])
    func shortOptionsTakeTheirValueFromWhereverItIs(_ line: String) throws {
        let parsed = try parse(line, .select)
        #expect(parsed.text(.selectionName) == "trip")
        #expect(parsed.verb?.commandName == "show")
    }

    @Test func shortFlagsMayBeClustered() throws {
        let parsed = try parse("-ny0 --from list", .delete)
        #expect(parsed.has(.dryRun) && parsed.has(.yes) && parsed.has(.nulInput))
        #expect(try parse("x -no out", .compress).path(.output) == FilePath("out"))
    }

    @Test func twoDashesEndTheOptions() throws {
        let parsed = try parse("--json -- --csv -n -", .list)
        #expect(parsed.operands == ["--csv", "-n", "-"].map { FilePath($0) })
        #expect(!parsed.has(.csv))
    }

    @Test func aDashAloneIsAnOperandOrAValue() throws {
        #expect(try parse("-", .list).operands == [FilePath("-")])
        #expect(try parse("--from -", .delete).path(.from) == FilePath("-"))
    }

    @Test func anOptionalValueNeedsItsEqualsSign() throws {
        let favorite = try parse("--favorite no", .filter)
        #expect(favorite.operands == [FilePath("no")])
        #expect(favorite.occurrences.first?.value == nil)
        #expect(try parse("--favorite=no", .filter).occurrences.first?.value == Array("no".utf8))
    }

    @Test func valuesMayLookLikeOptionsOfOtherCommands() throws {
        // `-5..` is not an option of filter, and neither is `-s`.
        #expect(try parse("--near -33.8,151.2,5", .filter).occurrences.count == 1)
        #expect(try parse("--name -s", .list).occurrences.first?.value == Array("-s".utf8))
        #expect(try parse("--name=--json", .list).occurrences.first?.value == Array("--json".utf8))
    }

    @Test func theLastOfTwoCountsAndPredicatesCollect() throws {
        #expect(try parse("--sort path --sort size", .list).text(.sort) == "size")
        #expect(try parse("--name a --name b", .filter).occurrences.count == 2)
        #expect(try parse("x --protect a --protect b", .delete).values(.protect).count == 2)
    }

    @Test func defaultsAreValuesButNotMentions() throws {
        let parsed = try parse("x -o y", .compress)
        #expect(parsed.byteSize(.maxSize) == 150_000)
        #expect(parsed.decimal(.minQuality) == 75)
        #expect(parsed.integer(.minEdge) == 320)
        #expect(!parsed.has(.maxSize))
        #expect(parsed.integer(.maxEdge) == nil)
        #expect(try parse("x --batch-size 7", .delete).integer(.batchSize) == 7)
        #expect(try parse("show", .select).text(.selectionName) == "default")
    }

    @Test func namesAreBytes() throws {
        let name: [UInt8] = [0xFF, 0xFE, 0x0A]
        let parsed = try ArgumentParser.parse([name, Array("--name".utf8), [0x80]], for: .list)
        #expect(parsed.operands == [FilePath(name)])
        #expect(parsed.occurrences.first?.value == [0x80])
    }

    @Test(arguments: [("lst", "list"), ("delte", "delete"), ("comp", "compress"), ("udno", "undo")])
    func aMisspeltWordFindsItsMeaning(_ word: String, _ meaning: String) {
        #expect(CommandSpec.meant(by: word) == meaning)
    }

    @Test(arguments: ["x", "frobnicate", ""])
    func farAwayWordsSuggestNothing(_ word: String) {
        #expect(CommandSpec.meant(by: word) == nil)
    }

    @Test func distancesCountSwapsOnce() {
        #expect(Suggestion.distance(Array("abc".utf8), Array("acb".utf8)) == 1)
        #expect(Suggestion.distance(Array("".utf8), Array("abc".utf8)) == 3)
        #expect(Suggestion.distance(Array("kitten".utf8), Array("sitting".utf8)) == 3)
    }
}

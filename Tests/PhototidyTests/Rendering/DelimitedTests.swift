import Testing

@testable import phototidy

@Suite struct DelimitedTests {
    private func line(_ style: Delimited, _ cells: String...) -> String {
        String(decoding: style.line(cells.map { Array($0.utf8) }), as: UTF8.self)
    }

    @Test func tsvKeepsOneLineARow() {
        #expect(line(.tsv, "a", "", "c") == "a\t\tc\n")
        #expect(
            line(.tsv, "tab\there", "new\nline", "back\\slash", "\r") == "tab\\there\tnew\\nline\tback\\\\slash\t\\r\n")
    }

    @Test func csvQuotesByRFC4180() {
        #expect(line(.csv, "a", "b c", "") == "a,b c,\r\n")
        #expect(line(.csv, "a,b", "say \"hi\"", "x\ny") == "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\r\n")
    }

    @Test func bytesThatAreNoTextPassThrough() {
        #expect(Delimited.csv.line([[0xE9]]) == [0xE9, 0x0D, 0x0A])
        #expect(Delimited.tsv.line([[0xFF, 0x09]]) == [0xFF, 0x5C, 0x74, 0x0A])
    }
}

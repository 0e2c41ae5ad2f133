import Testing

@testable import phototidy

@Suite struct TableTests {
    private func table() -> Table {
        var table = Table(columns: [
            Table.Column(title: "id"), Table.Column(title: "photos", isRightAligned: true),
            Table.Column(title: "state"), Table.Column(title: "folder", minimum: 10, keepsEnd: true),
        ])
        table.breaksRows = true
        table.append(["20240501-120000-123ab", "3", "can be undone", "/home/me/Pictures/Holidays"])
        table.append(["20240502-120000-123ab", "12", "undone already", "/home/me/Scans"])
        return table
    }

    /// The terminal would wrap the lines anywhere, so columns that do not fit are printed below.
    @Test func whatHasNoRoomStandsBelow() {
        #expect(
            table().text(columns: 40, bold: false) == """
                id                     photos
                    state  folder
                20240501-120000-123ab       3
                    can be undone  /home/me/Pictures/Holidays
                20240502-120000-123ab      12
                    undone already  /home/me/Scans

                """)
    }

    @Test func aLineHoldsAllWhereThereIsRoom() {
        for columns in [nil, 60, 200] {
            let lines = table().text(columns: columns, bold: false).split(separator: "\n")
            #expect(lines.count == 3 && lines[0].hasSuffix("folder"), "\(columns ?? 0)")
        }
    }
}

internal import TidyKit

/// Columns for people, as wide as their content needs and the terminal allows.
struct Table {
    struct Column {
        let title: String
        var isRightAligned = false
        /// The narrowest it may become where the terminal is too small; nil for a column that stays as it is.
        var minimum: Int?
        /// Paths keep their end.
        var keepsEnd = false
    }

    let columns: [Column]
    /// The columns for which a line has no room stand below it, indented.
    var breaksRows = false
    private var rows: [[String]] = []

    init(columns: [Column]) { self.columns = columns }

    /// `cells` are escaped already; as many as there are columns.
    mutating func append(_ cells: [String]) { rows.append(cells) }

    /// Without the columns of these titles that are empty in every row.
    func dropping(emptyColumns titles: Set<String>) -> Table {
        let kept = columns.indices.filter { index in
            !titles.contains(columns[index].title) || rows.contains { !$0[index].isEmpty }
        }
        var table = Table(columns: kept.map { columns[$0] })
        table.rows = rows.map { row in kept.map { row[$0] } }
        return table
    }

    /// The header and a line for each row, with their line ends. Nil columns: as wide as it takes.
    func text(columns available: Int?, bold: Bool) -> String {
        let widths = widths(available)
        if breaksRows, let available, let split = columnsThatFit(widths, available) {
            return brokenText(at: split, widths, bold: bold)
        }
        let header = line(columns.map(\.title), widths)
        var text = bold ? "\u{1B}[1m" + header + "\u{1B}[0m\n" : header + "\n"
        let hidden = rowsThatLookAlike(widths)
        for (index, row) in rows.enumerated() {
            text += line(row, widths) + "\n"
            // In full on a line of its own, where the terminal breaks it as it likes.
            if hidden.contains(index) { text += "    " + (row.last ?? "") + "\n" }
        }
        return text
    }

    /// How many columns stand side by side; nil where all of them do.
    private func columnsThatFit(_ widths: [Int], _ available: Int) -> Int? {
        var (total, count) = (-2, 0)
        for width in widths {
            total += 2 + width
            if total > available { return max(1, count) }
            count += 1
        }
        return nil
    }

    private func brokenText(at split: Int, _ widths: [Int], bold: Bool) -> String {
        ([columns.map(\.title)] + rows).enumerated().reduce(into: "") { text, row in
            let first = line(Array(row.element[..<split]), widths)
            let rest = row.element[split...].joined(separator: "  ")
            let (start, end) = bold && row.offset == 0 ? ("\u{1B}[1m", "\u{1B}[0m") : ("", "")
            text += "\(start)\(first)\n    \(rest)\(end)\n"
        }
    }

    /// Rows whose last cell keeps its end and is cut so far that another one shows the same, or its name is cut too.
    private func rowsThatLookAlike(_ widths: [Int]) -> Set<Int> {
        guard columns.last?.keepsEnd == true, let width = widths.last else { return [] }
        var shown: [String: Set<String>] = [:]
        for row in rows {
            let cell = row.last ?? ""
            shown[TerminalText.truncatedAtStart(cell, columns: width), default: []].insert(cell)
        }
        return Set(
            rows.indices.filter { index in
                let cell = rows[index].last ?? ""
                let cut = TerminalText.truncatedAtStart(cell, columns: width)
                guard cut != cell else { return false }
                let name = cell.split(separator: "/").last.map(String.init) ?? cell
                return (shown[cut]?.count ?? 0) > 1 || TerminalText.width(of: name) > width - 1
            })
    }

    private func widths(_ available: Int?) -> [Int] {
        var widths = columns.map { TerminalText.width(of: $0.title) }
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], TerminalText.width(of: cell)) }
        }
        guard let available else { return widths }
        var excess = widths.reduce(0, +) + 2 * (columns.count - 1) - available
        // The widest of those that may shrink gives first, and a path last: it tells more than the rest.
        let handicaps = columns.map { $0.keepsEnd ? 10_000 : 0 }
        while excess > 0 {
            let shrinkable = columns.indices.filter { index in
                columns[index].minimum.map { widths[index] > $0 } ?? false
            }
            guard let widest = shrinkable.max(by: { widths[$0] - handicaps[$0] < widths[$1] - handicaps[$1] }) else {
                break
            }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let column = columns[index]
            let fitted =
                column.keepsEnd
                ? TerminalText.truncatedAtStart(cell, columns: widths[index])
                : TerminalText.truncated(cell, columns: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - TerminalText.width(of: fitted)))
            if column.isRightAligned {
                line += padding + fitted
            } else {
                line += fitted + (index == cells.count - 1 ? "" : padding)
            }
            if index < cells.count - 1 { line += "  " }
        }
        return line
    }
}

/// The companions of a photo in a line for people: `IMG_1.AAE, IMG_1.MOV`.
enum CompanionNames {
    /// More than these are counted.
    private static let most = 6

    /// Nil where there are none.
    static func list(_ files: [FilePath]) -> String? {
        guard !files.isEmpty else { return nil }
        let shown = files.count > most ? most - 1 : files.count
        var names = files.prefix(shown).map { TerminalText.escaped(FilePath($0.lastComponent)) }
        if shown < files.count { names.append("\(files.count - shown) more") }
        return names.joined(separator: ", ")
    }
}

internal import TidyKit

/// Columns of text, as wide as their content needs and the terminal allows.
struct Table {
    struct Column {
        let title: String
        var isRightAligned = false
        /// The smallest width if the terminal is too narrow; nil for a column that does not shrink.
        var minimum: Int?
        /// True if text that is too long keeps its end, as paths do.
        var keepsEnd = false
        /// With `keepsEnd`: spaces at the start stay when the rest is truncated.
        var keepsIndentation = false
    }

    let columns: [Column]
    /// True if columns for which a line has no room are printed below it, indented.
    var breaksRows = false
    private var rows: [[String]] = []

    init(columns: [Column]) { self.columns = columns }

    /// - Parameter cells: already escaped, one per column.
    mutating func append(_ cells: [String]) { rows.append(cells) }

    /// Without those of the titled columns that are empty in every row.
    func dropping(emptyColumns titles: Set<String>) -> Table {
        let kept = columns.indices.filter { index in
            !titles.contains(columns[index].title) || rows.contains { !$0[index].isEmpty }
        }
        var table = Table(columns: kept.map { columns[$0] })
        table.rows = rows.map { row in kept.map { row[$0] } }
        return table
    }

    /// The fewest columns of the terminal that keep every column at its minimum or more.
    var minimumWidth: Int {
        zip(widths(nil), columns).reduce(2 * (columns.count - 1)) { $0 + min($1.0, $1.1.minimum ?? $1.0) }
    }

    /// The header and one line per row, each with a newline. Without `columns`, as wide as needed.
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
            // In full on a line of its own, which the terminal may wrap.
            if hidden.contains(index) { text += "    " + (row.last ?? "") + "\n" }
        }
        return text
    }

    /// The number of columns that fit on a line; nil if all do.
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

    /// Rows whose last cell would be truncated so far that another row looks the same, or that its file name is
    /// truncated.
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
        // The widest column that can shrink shrinks first, and a path last, because it is the most informative.
        let penalties = columns.map { $0.keepsEnd ? 10_000 : 0 }
        while excess > 0 {
            let shrinkable = columns.indices.filter { index in
                columns[index].minimum.map { widths[index] > $0 } ?? false
            }
            guard let widest = shrinkable.max(by: { widths[$0] - penalties[$0] < widths[$1] - penalties[$1] }) else {
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
            let fitted = column.fitted(cell, columns: widths[index])
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

extension Table.Column {
    fileprivate func fitted(_ cell: String, columns: Int) -> String {
        guard keepsEnd else { return TerminalText.truncated(cell, columns: columns) }
        let indentation = keepsIndentation ? String(cell.prefix { $0 == " " }) : ""
        let text = String(cell.dropFirst(indentation.count))
        return indentation + TerminalText.truncatedAtStart(text, columns: max(0, columns - indentation.count))
    }
}

/// The companions of a photo in one line: `IMG_1.AAE, IMG_1.MOV`.
enum CompanionNames {
    /// If there are more, the others are only counted.
    private static let most = 6

    /// Nil without companions.
    static func list(_ files: [FilePath]) -> String? {
        guard !files.isEmpty else { return nil }
        let shown = files.count > most ? most - 1 : files.count
        var names = files.prefix(shown).map { TerminalText.escaped(FilePath($0.lastComponent)) }
        if shown < files.count { names.append("\(files.count - shown) more") }
        return names.joined(separator: ", ")
    }
}

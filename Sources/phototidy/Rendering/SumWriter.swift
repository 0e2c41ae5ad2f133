internal import Glibc
internal import TidyKit

/// Writes the rows of `list --group-by` to standard output.
struct SumWriter {
    let grouping: PhotoSum.Grouping
    let context: CommandContext

    /// - Parameter total: of all rows, also of those that a limit leaves out; only a table shows it.
    func write(_ rows: some Collection<PhotoSum>, _ total: PhotoSum, as format: OutputRequest.Format) throws {
        switch format {
        case .json, .ndjson: try writeRecords(rows, isArray: format == .json)
        case .tsv, .csv:
            let delimited = format == .csv ? Delimited.csv : .tsv
            let titles = [grouping.rawValue, "photos", "files", "bytes", "first", "last"]
            try writeLine(titles.map { Array($0.utf8) }, delimited)
            for row in rows { try writeLine(Self.cells(row), delimited) }
        default:
            guard !rows.isEmpty else { return }
            try writeTable(rows, total)
        }
    }

    private func writeRecords(_ rows: some Collection<PhotoSum>, isArray: Bool) throws {
        var json = JSONWriter()
        if isArray { try context.output.write("[") }
        for (number, row) in rows.enumerated() {
            json.removeAll()
            json.sum(row, by: grouping)
            if isArray { try context.output.write(number == 0 ? "\n" : ",\n") }
            try context.output.write(json)
            if !isArray { try context.output.write("\n") }
        }
        if isArray { try context.output.write(rows.isEmpty ? "]\n" : "\n]\n") }
    }

    private func writeLine(_ cells: [[UInt8]], _ delimited: Delimited) throws {
        let isTerminal = context.output.isTerminal
        let cells = isTerminal ? cells.map { Array(TerminalText.escaped($0).utf8) } : cells
        try context.output.write(delimited.line(cells))
    }

    private static func cells(_ row: PhotoSum) -> [[UInt8]] {
        let numbers = ["\(row.photos)", "\(row.files)", "\(row.bytes)"]
        return [row.key.bytes] + (numbers + [row.first?.text ?? "", row.last?.text ?? ""]).map { Array($0.utf8) }
    }

    // MARK: Table

    /// Columns of the longest bar.
    private static let barLength = 20

    private func writeTable(_ rows: some Collection<PhotoSum>, _ total: PhotoSum) throws {
        let isTerminal = context.output.isTerminal
        var table = Table(columns: [
            .init(title: grouping.rawValue.uppercased(), minimum: 10, keepsEnd: grouping == .folder),
            .init(title: "PHOTOS", isRightAligned: true), .init(title: "FILES", isRightAligned: true),
            .init(title: "SIZE", isRightAligned: true), .init(title: "FIRST", minimum: 4),
            .init(title: "LAST", minimum: 4), .init(title: "", minimum: 1),
        ])
        let most = rows.lazy.map(\.bytes).max() ?? 0
        for row in rows { table.append(cells(row, title(of: row), bar: isTerminal ? Self.bar(row.bytes, most) : "")) }
        table.append(cells(total, "total", bar: ""))
        let width = isTerminal ? Terminal.columns(of: STDOUT_FILENO) : nil
        try context.output.write(
            table.dropping(emptyColumns: [""]).text(columns: width, bold: isTerminal && Terminal.allowsColor))
    }

    private func title(of row: PhotoSum) -> String {
        switch row.key {
        case .unknown: "(unknown)"
        case .folder(let path) where path.bytes.isEmpty: "."
        case .text, .folder: TerminalText.escaped(row.key.bytes)
        }
    }

    private func cells(_ row: PhotoSum, _ title: String, bar: String) -> [String] {
        [
            title, "\(row.photos)", "\(row.files)", ByteSize.describe(row.bytes), row.first?.localDay ?? "",
            row.last?.localDay ?? "", bar,
        ]
    }

    /// A share of the largest row; nothing only for nothing.
    private static func bar(_ bytes: Int64, _ most: Int64) -> String {
        guard bytes > 0, most > 0 else { return "" }
        let length = (Double(bytes) / Double(most) * Double(barLength)).rounded()
        return String(repeating: "█", count: max(1, Int(length)))
    }
}

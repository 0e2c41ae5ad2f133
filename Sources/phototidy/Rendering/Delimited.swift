/// Rows of cells as text: TSV for pipes, CSV (RFC 4180) for spreadsheets.
enum Delimited {
    case tsv, csv

    /// One row with its line end.
    func line(_ cells: [[UInt8]]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { line.append(UInt8(ascii: self == .tsv ? "\t" : ",")) }
            append(cell, to: &line)
        }
        if self == .csv { line.append(UInt8(ascii: "\r")) }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private func append(_ cell: [UInt8], to line: inout [UInt8]) {
        switch self {
        case .tsv:
            // One line per row, whatever a name contains. The escapes can be reversed.
            for byte in cell {
                switch byte {
                case UInt8(ascii: "\t"): line += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
                case UInt8(ascii: "\n"): line += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case UInt8(ascii: "\r"): line += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                case UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
                default: line.append(byte)
                }
            }
        case .csv:
            let quote = UInt8(ascii: "\"")
            guard cell.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }) else {
                line += cell
                return
            }
            line.append(quote)
            for byte in cell {
                if byte == quote { line.append(quote) }
                line.append(byte)
            }
            line.append(quote)
        }
    }
}

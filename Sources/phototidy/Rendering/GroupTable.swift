internal import TidyKit

/// Groups as a table on a terminal: the photo that stays first, the others indented below it, with what differs. A
/// narrow terminal gets fewer columns, so that no line wraps and paths stay readable.
struct GroupTable {
    private struct Row {
        var path: String
        var isIndented: Bool
        var apart = ""
        var pixels = ""
        var size = ""
        /// How many bytes more or fewer than the photo that stays.
        var difference = ""
        var sharpness = ""
        var day = ""
        var time = ""
        /// Why it stays; empty for what could go.
        var reason = ""
        /// True for all photos of a set that stays as a whole.
        var staysWhole = false
        /// True for all but the first of a set that stays as a whole: they have the same reason.
        var repeatsReason = false
    }

    /// Nil is the empty line between groups.
    private var rows: [Row?] = []
    private var current: GroupMembership?
    private var kept: Photo?

    /// Photos of one group come one after the other.
    mutating func append(_ photo: Photo) {
        guard let group = photo.group else { return }
        if let current, current.id != group.id { rows.append(nil) }
        if current?.id != group.id { kept = nil }
        let isFirst = current?.id != group.id
        current = group
        let isKept = group.keep == photo.path
        if isKept { kept = photo }
        var row = Row(path: TerminalText.escaped(photo.path) + Self.mark(photo), isIndented: !isKept)
        if !isKept { row.apart = group.distance.map(String.init) ?? "" }
        row.pixels = photo.sizeText ?? ""
        row.size = ByteSize.describe(photo.identity.bytes)
        if !isKept { row.difference = Self.difference(photo, from: kept) }
        row.sharpness = group.sharpness.map { String(Int($0.rounded())) } ?? ""
        row.day = photo.taken?.localDay ?? ""
        row.time = photo.taken?.localText ?? ""
        if isKept || group.role == .keep {
            row.reason = TerminalText.escaped(group.reason)
            row.staysWhole = group.staysWhole
            row.repeatsReason = group.staysWhole && !isFirst
        }
        rows.append(row)
    }

    /// - Parameter columns: of the terminal; nil for as many as needed.
    func text(columns: Int?, bold: Bool) -> String {
        let layouts = Layout.all
        for layout in layouts {
            let table = table(layout)
            guard let columns, table.minimumWidth > columns, layout != layouts.last else {
                return text(of: table, layout, columns: columns, bold: bold)
            }
        }
        return ""
    }

    /// `3 of them share their blocks with what stays (clones): deleting them frees nothing`
    static func clones(_ count: Int, of photos: String = "them") -> String {
        let (verb, object) = count == 1 ? ("shares its", "it") : ("share their", "them")
        return "\(count) of \(photos) \(verb) blocks with what stays (clones): deleting \(object) frees nothing"
    }

    /// `3 groups; 7 photos could go (12.4 MB)`
    /// - Parameter clones: copies that share their blocks with what stays.
    static func summary(_ photos: [Photo], clones: Set<FilePath>) -> String {
        let groups = Set(photos.compactMap { $0.group?.id }).count
        let redundant = photos.filter { $0.group?.role == .redundant }
        let bytes = redundant.totalBytes { clones.contains($0.path) ? 0 : $0.identity.bytes }
        let text =
            "\(groups) group\(groups == 1 ? "" : "s"); \(redundant.count) photo\(redundant.count == 1 ? "" : "s") "
            + "could go (\(ByteSize.describe(bytes))"
            + (redundant.allSatisfy(\.companions.isEmpty) ? ")" : " without companions)")
        let count = redundant.count { clones.contains($0.path) }
        return count > 0 ? text + "; " + Self.clones(count) : text
    }

    // MARK: Layouts

    /// What a line shows besides path and size.
    private struct Layout: Equatable {
        /// Times of day, and differences of sizes.
        var hasDetails = false
        /// Otherwise, reasons are lines of their own.
        var hasReasons = false
        var hasTaken = false
        var hasSharpness = false
        var hasPixels = false
        var hasDistance = false
        /// The fewest columns of a path that is longer.
        var pathMinimum = 24

        /// From wide to narrow.
        static let all = [
            Layout(
                hasDetails: true, hasReasons: true, hasTaken: true, hasSharpness: true, hasPixels: true,
                hasDistance: true, pathMinimum: 40),
            Layout(
                hasDetails: true, hasTaken: true, hasSharpness: true, hasPixels: true, hasDistance: true,
                pathMinimum: 40),
            Layout(hasTaken: true, hasSharpness: true, hasPixels: true, hasDistance: true),
            Layout(hasSharpness: true, hasPixels: true, hasDistance: true),
            Layout(hasPixels: true, hasDistance: true),
            Layout(hasDistance: true),
            Layout(pathMinimum: 8),
        ]
    }

    private func table(_ layout: Layout) -> Table {
        var cells: [(column: Table.Column, cell: (Row) -> String)] = [
            (
                .init(title: "PHOTO", minimum: layout.pathMinimum, keepsEnd: true, keepsIndentation: true),
                { ($0.isIndented ? "  " : "") + $0.path }
            )
        ]
        if layout.hasDistance { cells.append((.init(title: "APART", isRightAligned: true), \.apart)) }
        if layout.hasPixels { cells.append((.init(title: "PIXELS", isRightAligned: true), \.pixels)) }
        cells.append(
            (.init(title: "SIZE", isRightAligned: true), { $0.size + (layout.hasDetails ? $0.difference : "") }))
        if layout.hasSharpness { cells.append((.init(title: "SHARP", isRightAligned: true), \.sharpness)) }
        if layout.hasTaken { cells.append((.init(title: "TAKEN"), layout.hasDetails ? \.time : \.day)) }
        if layout.hasReasons { cells.append((.init(title: "STAYS BECAUSE"), \.reason)) }
        var table = Table(columns: cells.map(\.column))
        for row in rows { table.append(cells.map { cell in row.map(cell.cell) ?? "" }) }
        return table.dropping(emptyColumns: ["APART", "PIXELS", "SHARP", "TAKEN"])
    }

    private func text(of table: Table, _ layout: Layout, columns: Int?, bold: Bool) -> String {
        var lines = table.text(columns: columns, bold: bold).split(separator: "\n", omittingEmptySubsequences: false)
            // Most lines have no reason, and would end with spaces.
            .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        guard !layout.hasReasons else { return lines.joined(separator: "\n") }
        for (index, row) in rows.enumerated().reversed() {
            guard let row, !row.reason.isEmpty, !row.repeatsReason else { continue }
            let text = (row.isIndented ? "      " : "    ") + (row.staysWhole ? "all stay: " : "stays: ") + row.reason
            lines.insert(columns.map { TerminalText.truncated(text, columns: $0) } ?? text, at: index + 2)
        }
        return lines.joined(separator: "\n")
    }

    /// ` (−5.43 MB)`
    private static func difference(_ photo: Photo, from kept: Photo?) -> String {
        guard let kept, kept.identity.bytes != photo.identity.bytes else { return "" }
        let (difference, overflow) = photo.identity.bytes.subtractingReportingOverflow(kept.identity.bytes)
        guard !overflow, difference != .min else { return "" }
        return " (\(difference < 0 ? "−" : "+")\(ByteSize.describe(abs(difference))))"
    }

    private static func mark(_ photo: Photo) -> String {
        photo.companions.isEmpty ? "" : " +\(photo.companions.count)"
    }
}

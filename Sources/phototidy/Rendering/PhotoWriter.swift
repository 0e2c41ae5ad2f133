internal import Glibc
internal import TidyKit

/// Writes photos to standard output or into a contact sheet, as an `OutputRequest` describes, all at once or in parts.
struct PhotoWriter {
    private let request: OutputRequest
    private let context: CommandContext
    private(set) var count = 0
    /// The number of photos whose date is the time stamp of the file.
    private(set) var datedByFile = 0
    private var hasOmissions = false
    private var json = JSONWriter()
    /// Photos of formats that need all of them before the first line can be written.
    private var kept: [Photo] = []

    init(_ request: OutputRequest, _ context: CommandContext) {
        self.request = request
        self.context = context
    }

    /// `.partly` if a path could not be written in this format, otherwise `.done`.
    static func write(_ photos: [Photo], _ request: OutputRequest, _ context: CommandContext) throws -> ExitCode {
        var writer = PhotoWriter(request, context)
        try writer.write(photos[...])
        return try writer.finish()
    }

    /// Can be called again with more photos.
    mutating func write(_ photos: ArraySlice<Photo>) throws {
        if Interrupt.isRequested { throw LibraryError.interrupted }
        if count == 0, !photos.isEmpty { try writeStart() }
        switch request.format {
        case .paths: for photo in photos { try writePath(photo.path) }
        case .null: for photo in photos { try output.write(photo.path.bytes + [0]) }
        case .json, .ndjson: try writeRecords(photos)
        case .tsv, .csv: for photo in photos { try writeLine(columns.map { $0.value(of: photo).cell }) }
        case .count: break
        case .table, .html: kept += photos
        }
        count += photos.count
        datedByFile += photos.count { $0.taken?.source == .modified }
    }

    mutating func finish() throws -> ExitCode {
        if count == 0 { try writeStart() }
        switch request.format {
        case .count: try output.write("\(count)\n")
        case .json: try output.write(count == 0 ? "]\n" : "\n]\n")
        case .table: try writeTable()
        case .html: try writeContactSheet()
        case .paths, .null, .ndjson, .tsv, .csv: break
        }
        kept = []
        return hasOmissions ? .partly : .done
    }

    private var output: Output { context.output }
    private var columns: [PhotoField] { request.fields ?? PhotoField.standard }

    private func writeStart() throws {
        switch request.format {
        case .json: try output.write("[")
        case .tsv, .csv: try writeLine(columns.map { Array($0.rawValue.utf8) })
        default: break
        }
    }

    private mutating func writePath(_ path: FilePath) throws {
        if path.bytes.contains(UInt8(ascii: "\n")) {
            context.diagnostics.error(
                "\(TerminalText.escaped(path)): left out, because its name holds a newline; -0 writes every name")
            hasOmissions = true
        } else if output.isTerminal {
            try output.write(TerminalText.escaped(path) + "\n")
        } else {
            try output.write(path.bytes + [UInt8(ascii: "\n")])
        }
    }

    private mutating func writeRecords(_ photos: ArraySlice<Photo>) throws {
        guard let fields = request.fields else {
            for (number, piece) in PhotoRecords.pieces(photos, commas: request.format == .json).enumerated() {
                try writeRecord(piece, isFirst: count == 0 && number == 0)
            }
            return
        }
        for index in photos.indices {
            json.removeAll()
            writeFields(fields, of: photos[index])
            try writeRecord(json, isFirst: count == 0 && index == photos.startIndex)
        }
    }

    /// Writes one record, or several with their separators.
    private func writeRecord(_ json: JSONWriter, isFirst: Bool) throws {
        if request.format == .json { try output.write(isFirst ? "\n" : ",\n") }
        try output.write(json)
        if request.format == .ndjson { try output.write("\n") }
    }

    private mutating func writeFields(_ fields: [PhotoField], of photo: Photo) {
        var fields = fields
        // A name that is not UTF-8 must be recoverable even if only the path was requested.
        if fields.contains(.path), !fields.contains(.pathBase64), photo.path.utf8Text == nil {
            fields.append(.pathBase64)
        }
        json.object { json in
            for field in fields {
                json.key(named: field.rawValue)
                field.value(of: photo).write(to: &json)
            }
        }
    }

    private func writeLine(_ cells: [[UInt8]]) throws {
        let cells = output.isTerminal ? cells.map { Array(TerminalText.escaped($0).utf8) } : cells
        try output.write((request.format == .csv ? Delimited.csv : .tsv).line(cells))
    }

    private func writeTable() throws {
        guard !kept.isEmpty else { return }
        let width = output.isTerminal ? Terminal.columns(of: STDOUT_FILENO) : nil
        let isBold = output.isTerminal && Terminal.allowsColor
        if request.showsGroups {
            var table = GroupTable()
            for photo in kept { table.append(photo) }
            return try output.write(table.text(columns: width, bold: isBold))
        }
        var table = PhotoTable(fields: request.fields)
        for photo in kept { table.append(photo) }
        try output.write(table.text(columns: width, bold: isBold))
    }

    private func writeContactSheet() throws {
        let folder = request.file?.directory ?? .current
        let sheet = ContactSheet(photos: kept, folder: folder, showsGroups: request.showsGroups)
        guard let file = request.file else { return try output.write(sheet.html()) }
        try sheet.save(to: file)
        context.diagnostics.note(
            "Wrote \(count) photo\(count == 1 ? "" : "s") to \(TerminalText.escaped(file))")
    }
}

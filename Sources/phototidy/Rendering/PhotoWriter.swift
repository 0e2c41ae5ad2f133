internal import Glibc
internal import TidyKit

/// Writes photos to standard output, or into a contact sheet, as an `OutputRequest` asks.
struct PhotoWriter {
    let request: OutputRequest
    let context: CommandContext

    /// `.partly` where a path could not be written in this format, else `.done`.
    func write(_ photos: [Photo]) throws -> ExitCode {
        switch request.format {
        case .paths: return try writePaths(photos)
        case .null: for photo in photos { try output.write(photo.path.bytes + [0]) }
        case .count: try output.write("\(photos.count)\n")
        case .json: try writeArray(photos)
        case .ndjson: try writeLines(photos)
        case .tsv: try writeDelimited(photos, .tsv)
        case .csv: try writeDelimited(photos, .csv)
        case .table: try writeTable(photos)
        case .html: try writeContactSheet(photos)
        }
        return .done
    }

    private var output: Output { context.output }

    private func writePaths(_ photos: [Photo]) throws -> ExitCode {
        var code = ExitCode.done
        for photo in photos {
            if photo.path.bytes.contains(UInt8(ascii: "\n")) {
                context.diagnostics.error(
                    "\(TerminalText.escaped(photo.path)): left out, because its name holds a newline; "
                        + "-0 writes every name")
                code = .partly
            } else if output.isTerminal {
                try output.write(TerminalText.escaped(photo.path) + "\n")
            } else {
                try output.write(photo.path.bytes + [UInt8(ascii: "\n")])
            }
        }
        return code
    }

    private func writeArray(_ photos: [Photo]) throws {
        guard !photos.isEmpty else { return try output.write("[]\n") }
        var json = JSONWriter()
        for (index, photo) in photos.enumerated() {
            try output.write(index == 0 ? "[\n" : ",\n")
            json.removeAll()
            append(photo, to: &json)
            try output.write(json)
        }
        try output.write("\n]\n")
    }

    private func writeLines(_ photos: [Photo]) throws {
        var json = JSONWriter()
        for photo in photos {
            json.removeAll()
            append(photo, to: &json)
            json.newline()
            try output.write(json)
        }
    }

    private func append(_ photo: Photo, to json: inout JSONWriter) {
        guard let fields = request.fields else { return json.record(photo) }
        json.object { json in
            for field in fields {
                json.key(named: field.rawValue)
                field.value(of: photo).write(to: &json)
            }
            // A name that is not UTF-8 must come through even where only the path was asked for.
            if fields.contains(.path), !fields.contains(.pathBase64), photo.path.utf8Text == nil {
                json.key(named: PhotoField.pathBase64.rawValue)
                PhotoField.pathBase64.value(of: photo).write(to: &json)
            }
        }
    }

    private func writeDelimited(_ photos: [Photo], _ style: Delimited) throws {
        let fields = request.fields ?? PhotoField.standard
        try output.write(style.line(fields.map { Array($0.rawValue.utf8) }))
        for photo in photos { try output.write(style.line(fields.map { $0.value(of: photo).cell })) }
    }

    private func writeTable(_ photos: [Photo]) throws {
        guard !photos.isEmpty else { return }
        var table = PhotoTable(fields: request.fields)
        for photo in photos { table.append(photo) }
        let columns = output.isTerminal ? Terminal.columns(of: STDOUT_FILENO) : nil
        try output.write(table.text(columns: columns, bold: output.isTerminal && Terminal.allowsColor))
    }

    private func writeContactSheet(_ photos: [Photo]) throws {
        guard let file = request.file else {
            return try output.write(ContactSheet(photos: photos, folder: .current).html())
        }
        try ContactSheet(photos: photos, folder: file.directory).save(to: file)
        context.diagnostics.note("Wrote \(photos.count) photos to \(TerminalText.escaped(file))")
    }
}

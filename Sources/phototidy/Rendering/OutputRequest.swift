internal import TidyKit

/// The output that the user requested: `--format` and its short forms, `--fields`, `--html`.
struct OutputRequest {
    enum Format: String {
        case table, tsv, csv, json, ndjson, paths
        /// Paths that end with NUL.
        case null
        case count
        case html
    }

    let format: Format
    /// Nil for the default fields of the format.
    let fields: [PhotoField]?
    /// `--groups`: a table shows each group together.
    let showsGroups: Bool
    /// The file of a contact sheet; nil is standard output.
    let file: FilePath?

    /// - Parameter standard: the default format. A table becomes TSV in a pipe.
    init(_ arguments: ParsedArguments, standard: Format, isTerminal: Bool) throws(UsageError) {
        let chosen = Self.chosen(arguments)
        if let list = arguments.value(.fields) { fields = try PhotoField.list(list) } else { fields = nil }
        let columns: Format = isTerminal ? .table : .tsv
        format = chosen ?? (fields != nil || standard == .table ? columns : standard)
        showsGroups = fields == nil && arguments.has(.groups)
        file = arguments.path(.html).flatMap { $0.bytes == Array("-".utf8) ? nil : $0 }
        guard fields == nil || format.hasFields else {
            throw arguments.usageError(
                "--fields is for table, tsv, csv, json and ndjson; it cannot go with --\(format.rawValue)")
        }
    }

    private static func chosen(_ arguments: ParsedArguments) -> Format? {
        let flags: [(OptionSpec, Format)] = [
            (.json, .json), (.ndjson, .ndjson), (.csv, .csv), (.tsv, .tsv), (.nulOutput, .null), (.count, .count),
            (.html, .html),
        ]
        return flags.first { arguments.has($0.0) }?.1 ?? arguments.text(.format).flatMap(Format.init)
    }

    /// How much of each file must be read.
    var detail: LibraryQuery.Detail {
        switch format {
        case .paths, .null, .count: return .file
        default:
            let needs = fields.map { $0.reduce(into: Predicate.Needs()) { $0.formUnion($1.needs) } }
            return needs.map { $0.isEmpty ? .file : .fields($0) } ?? .everything
        }
    }
}

extension OutputRequest.Format {
    /// True if photos can be written one at a time.
    var isStreaming: Bool { self != .table && self != .html }

    fileprivate var hasFields: Bool {
        switch self {
        case .table, .tsv, .csv, .json, .ndjson: true
        case .paths, .null, .count, .html: false
        }
    }
}

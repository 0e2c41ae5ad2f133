internal import TidyKit

/// Options that more than one command takes.
extension OptionSpec {
    static let help = OptionSpec("help", short: "h", group: .general, help: "show this help")
    static let version = OptionSpec("version", group: .general, help: "show the version")

    // MARK: Input

    static let from = OptionSpec(
        "from", value: OptionValue("FILE|-", .file), repetition: .refused, group: .input,
        help: "read paths, one per line, or photo records (--json, --ndjson) from FILE; - is standard input")
    static let nulInput = OptionSpec(
        "null", short: "0", group: .input, help: "paths in --from end with NUL, as list -0 and find -print0 write them")
    static let selectionInput = OptionSpec(
        "selection", short: "s", value: OptionValue("NAME", .selection), repetition: .refused, group: .input,
        help: "the photos of a selection (see 'phototidy help select')")
    static let hidden = OptionSpec("hidden", group: .input, help: "include hidden files and folders")
    static let noUnits = OptionSpec(
        "no-units", group: .input,
        help: "treat each file as a separate photo, without companions (Live video, RAW, sidecar)")
    static let noIndex = OptionSpec("no-index", group: .input, help: "read every file again instead of using the index")

    // MARK: Order

    static let sort = OptionSpec(
        "sort",
        value: OptionValue("KEY", .choice(sortKeys.flatMap { [$0, "-" + $0] })), group: .order,
        help: "taken, size, path, modified, pixels, rating or none; a leading - reverses the order: -size")
    static let limit = OptionSpec("limit", value: .count("N", 0...(.max)), group: .order, help: "only the first N")
    static let sortKeys = SortOrder.Key.allCases.map(\.rawValue)

    // MARK: Output

    static let format = OptionSpec(
        "format", value: .choice("table", "tsv", "csv", "json", "ndjson", "paths"), group: .output,
        help: "the output format")
    static let json = OptionSpec("json", group: .output, help: "one JSON array of photo records")
    static let ndjson = OptionSpec("ndjson", group: .output, help: "one photo record per line")
    static let csv = OptionSpec("csv", group: .output, help: "CSV with a header line (RFC 4180)")
    static let tsv = OptionSpec("tsv", group: .output, help: "tab-separated with a header line")
    static let nulOutput = OptionSpec(
        "null", short: "0", group: .output, help: "paths that end with NUL, for xargs -0; works with every name")
    static let count = OptionSpec("count", group: .output, help: "only the number of photos")
    static let fields = OptionSpec(
        "fields", value: OptionValue("LIST", .list(PhotoField.names)), group: .output,
        help: "only these fields: path,taken,size,camera")
    static let html = OptionSpec(
        "html", value: OptionValue("FILE", .file), group: .output,
        help: "write a contact sheet of the pictures to FILE (- is standard output)")
    static let outputs = [format, json, ndjson, csv, tsv, nulOutput, count, fields, html]
    /// Options that choose the output format; they exclude each other.
    static let formats = [format, json, ndjson, csv, tsv, nulOutput, count, html]
    static let report = OptionSpec("json", group: .output, help: "the report as JSON")

    // MARK: Behaviour

    static let allowEmpty = OptionSpec("allow-empty", group: .behaviour, help: "exit with 0 if nothing matched")
    static let stats = OptionSpec(
        "stats", group: .behaviour, help: "files seen, files opened and bytes read, on standard error")
    static let explain = OptionSpec(
        "explain", value: OptionValue("PATH", .file), group: .behaviour,
        help: "say which filter or rule includes or excludes PATH")
    static let progress = OptionSpec(
        "progress", value: .choice("auto", "always", "never"), default: "auto", group: .behaviour,
        help: "show progress on standard error; auto: only on a terminal")

    static let quiet = OptionSpec(
        "quiet", short: "q", group: .behaviour,
        help: "only warnings and errors, no summary and no progress; for scripts and cron")

    // MARK: Safety

    static let dryRun = OptionSpec("dry-run", short: "n", group: .safety, help: "show what would happen; touch nothing")
    static let yes = OptionSpec("yes", short: "y", group: .safety, help: "do not ask")
}

/// Sizes that are valid but probably not what the user meant.
extension ParsedArguments {
    /// A bare number is bytes: `--max-size 150` is less than any picture needs.
    var sizeHints: [String] {
        occurrences.compactMap { occurrence in
            guard occurrence.option.value?.kind.isSize == true, let value = occurrence.value,
                let number = OptionValue.integer(String(decoding: value, as: UTF8.self)), number < 1000
            else { return nil }
            return "\(occurrence.option.long) \(number) is \(number) byte\(number == 1 ? "" : "s"); "
                + "did you mean \(number)kB?"
        }
    }

    /// Shown if nothing matched: a single size matches only exactly that number of bytes.
    var exactSizeHint: String? {
        for occurrence in occurrences where occurrence.option.name == "size" {
            guard let value = occurrence.value, let bytes = ByteSize.parse(String(decoding: value, as: UTF8.self))
            else {
                continue
            }
            let text = TerminalText.escaped(value)
            return "--size \(text) means exactly \(bytes) bytes; "
                + "\(text).. is that and more, ..\(text) that and less."
        }
        return nil
    }
}

internal import TidyKit

/// The predicates, called filters in help. TidyKit's `Predicate` parses and checks their values.
extension OptionSpec {
    static let predicates: [OptionSpec] = [
        predicate(
            "type", "LIST", .list(typeNames), help: "kind or format: photo, raw, video, jpeg, heic, png, mov, ..."),
        predicate("taken", "RANGE", help: "when it was taken: 2023, 2023-05, 2023-05-14, 2022..2023-06, ..2019"),
        predicate("last", "AGE", help: "taken within the last 30d, 6w, 18mo or 2y"),
        predicate("older-than", "AGE", help: "taken more than AGE ago: 30d, 6w, 18mo or 2y"),
        predicate(
            "date-source", "LIST", .list(dateSources),
            help: "the source of the date: " + dateSources.joined(separator: ", ")),
        predicate(
            "size", "RANGE",
            help: "bytes of the main file: 5MB.. (or more), ..300kB, 1MiB..2MiB; 2MB is exactly 2,000,000"),
        predicate("megapixels", "RANGE", help: "width times height in millions: 12.., ..2"),
        predicate("long-edge", "RANGE", help: "pixels of the longer side: ..1600"),
        predicate("shape", "SHAPE", .list(Predicate.shapes), help: OptionValue.alternatives(Predicate.shapes)),
        predicate("orientation", "LIST", .list((1...8).map(String.init)), help: "EXIF orientation, 1 to 8: 6,8"),
        predicate("camera", "TEXT", help: "make and model contain this text, or match it as a glob"),
        predicate("gps", "yes|no", .list(["yes", "no"]), help: "with or without a location"),
        predicate("near", "LAT,LON,KM", help: "within KM kilometres of a place: 48.14,11.58,5"),
        OptionSpec(
            "favorite", value: OptionValue("no", .choice(["yes", "no"]), isOptional: true), repetition: .collects,
            group: .predicates, help: "rated 5 stars; --favorite=no for all others"),
        predicate("rating", "RANGE", help: "stars: 4.., 0..2; -1 means marked as rejected"),
        predicate("name", "GLOB", help: "the file's name matches: 'IMG_*.jpg' (case is ignored)"),
        predicate("path", "GLOB", help: "the whole path matches; * crosses /: '*/2023/*'"),
        predicate("exclude", "GLOB", help: "leave out photos whose path or name matches; takes precedence"),
        OptionSpec("screenshot", group: .predicates, help: "screenshots only"),
        predicate(
            "has", "WHAT", .list(Predicate.companions),
            help: "has a companion: live, raw or sidecar; with --no-units, each file of such a photo"),
        OptionSpec("orphan", group: .predicates, help: "sidecars and Live videos whose photo is gone"),
        duplicate, similar, burst, blurry,
        OptionSpec("broken", group: .predicates, help: "truncated or damaged"),
        OptionSpec("offline", group: .predicates, help: "stored only in iCloud (placeholders)"),
        predicate(
            "where", "EXPR", help: "a combination of fields: 'size > 5MB and (camera ~ \"iPhone\" or rating < 2)'"),
    ]

    private static func predicate(
        _ name: String, _ valueName: String, _ kind: OptionValue.Kind = .text, help: String
    ) -> OptionSpec {
        OptionSpec(
            name, value: OptionValue(valueName, kind), repetition: .collects, group: .predicates, help: help)
    }

    /// `exif` stands for all dates of EXIF.
    private static let dateSources = {
        let sources = CaptureDate.Source.allCases.map(\.rawValue)
        return ["exif"] + sources.filter { !$0.hasPrefix("exif.") }
    }()

    private static let typeNames = {
        let kinds = MediaKind.allCases.map(\.rawValue)
        return kinds + MediaFormat.allCases.map(\.rawValue).filter { !kinds.contains($0) }
    }()
}

extension ParsedArguments {
    /// The predicates in the order of the command line.
    func predicates(now: WallClock) throws(QueryError) -> [Predicate] {
        var predicates: [Predicate] = []
        for occurrence in occurrences where occurrence.option.group == .predicates {
            predicates.append(
                try Predicate(option: occurrence.option.name, value: occurrence.value, now: now, zone: .local))
        }
        return predicates
    }

    /// The search that operands, predicates and order describe. Without an operand, it searches the current folder.
    func libraryQuery(_ context: CommandContext, order: SortOrder = SortOrder(.path)) throws -> LibraryQuery {
        let now = context.now
        var query = LibraryQuery(
            operands: operands.isEmpty ? [.current] : operands, predicates: try predicates(now: now), order: order,
            limit: integer(.limit), now: now)
        if let key = value(.sort) { query.order = try SortOrder(parsing: key) }
        query.includeHidden = has(.hidden)
        query.units = !has(.noUnits)
        query.useIndex = !has(.noIndex)
        query.grouping = try groupRequest(context)
        query.damageDetector = .decoders(now: now)
        return query
    }
}

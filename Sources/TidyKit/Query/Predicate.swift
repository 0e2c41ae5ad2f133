/// One condition on a photo, as given by a command-line option.
package struct Predicate: Sendable {
    /// The option without its dashes: `taken`.
    package let option: String
    /// The value as the user wrote it; nil for options without one, such as `--screenshot`.
    package let value: [UInt8]?
    let condition: Condition

    package let needs: Needs

    /// Every option that is a predicate, without dashes, in the order of `help`.
    package static let options = [
        "type", "taken", "last", "older-than", "date-source", "size", "megapixels", "long-edge", "shape", "orientation",
        "camera", "gps", "near", "favorite", "rating", "name", "path", "exclude", "screenshot", "has", "orphan",
        "duplicate", "similar", "burst", "blurry", "broken", "offline", "where",
    ]
    /// The sharpness of `--blurry` without a number: Docs/Similarity.md has the table behind it.
    package static let blurrySharpness = 35
    /// The values of `--shape`.
    package static let shapes = Condition.Shape.allCases.map(\.rawValue)
    /// The values of `--has`.
    package static let companions = Condition.Part.allCases.map(\.rawValue)

    /// - Parameters:
    ///   - option: without its dashes.
    ///   - value: nil if the option was given without one.
    ///   - now: in UTC; ages are counted back from here.
    ///   - zone: the local time zone, for ages, for dates without a zone, and for the comparison of instants with
    ///     dates.
    package init(
        option: String, value: [UInt8]?, now: WallClock, zone: TimeZone = .utc
    ) throws(QueryError) {
        if let value, value.isEmpty { throw .emptyValue(option: option) }
        self.option = option
        self.value = value
        condition = try PredicateParser(option: option, value: value, now: now, zone: zone).condition()
        needs = condition.needs
    }

    /// True if the condition holds, false if it does not, nil if that is unknown; unknown never matches.
    package func matches(_ subject: Subject) -> Bool? { condition.matches(subject) }

    /// As on the command line: `--size 5MB..`.
    package var text: String {
        guard let value else { return "--" + option }
        return "--\(option) " + String(decoding: value, as: UTF8.self)
    }

    /// How it puts photos into groups; nil for what one photo alone answers.
    package var grouping: GroupingKind? { if case .grouped(let kind) = condition { kind } else { nil } }

    /// True if the result depends on the capture date, so that a wrong date selects the wrong photos.
    package var dependsOnDate: Bool {
        switch condition {
        case .taken, .takenDuring, .takenUntil: true
        case .expression(let expression): expression.mentions(.taken)
        default: false
        }
    }

    /// True if the user states which date sources are acceptable.
    package var choosesDateSource: Bool {
        switch condition {
        case .dateSource: true
        case .expression(let expression): expression.mentions(.takenSource)
        default: false
        }
    }
}

/// One condition on a photo, as given by a command-line option.
package struct Predicate: Sendable {
    /// The option without its dashes: `taken`.
    package let option: String
    /// The value as the user wrote it; nil for options without one, such as `--screenshot`.
    package let value: [UInt8]?
    let condition: Condition

    /// What must be known about a photo before a predicate can be evaluated.
    package struct Needs: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        /// Kind and format.
        package static let format = Needs(rawValue: 1)
        /// The content of the file.
        package static let metadata = Needs(rawValue: 2)
        package static let units = Needs(rawValue: 4)
        /// Whether the file is a companion without its photo.
        package static let orphans = Needs(rawValue: 8)
        /// The whole picture, decoded.
        package static let soundness = Needs(rawValue: 16)
        /// The contents of all photos of the library.
        package static let duplicates = Needs(rawValue: 32)
        /// The fingerprints of all photos of the library.
        package static let similarity = Needs(rawValue: 64)
        /// The rating, which may be in a sidecar.
        package static let rating = Needs(rawValue: 128)
        /// The capture date, which may be in a sidecar.
        package static let date = Needs(rawValue: 256)
        /// The place, which may be in a sidecar.
        package static let location = Needs(rawValue: 512)
    }

    package let needs: Needs

    /// Every option that is a predicate, without dashes, in the order of `help`.
    package static let options = [
        "type", "taken", "last", "older-than", "date-source", "size", "megapixels", "long-edge", "shape", "orientation",
        "camera", "gps", "near", "favorite", "rating", "name", "path", "exclude", "screenshot", "has", "orphan",
        "duplicate", "similar", "broken", "offline", "where",
    ]

    /// - Parameters:
    ///   - option: without its dashes.
    ///   - value: nil if the option was given without one.
    ///   - now: in UTC; ages are counted back from here.
    ///   - zone: the local time zone, for ages, for dates without a zone, and for the comparison of instants with dates.
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

    /// True if only a photo with a duplicate can match.
    var isForDuplicates: Bool { if case .duplicate(true) = condition { true } else { false } }

    var similarity: Int? { if case .similar(let distance) = condition { distance } else { nil } }

    /// True if the result depends on the capture date, so that a wrong date selects the wrong photos.
    package var restsOnDate: Bool {
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

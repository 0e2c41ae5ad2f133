/// One condition on a photo, as an option of the command line states it.
package struct Predicate: Sendable {
    /// The option without its dashes: `taken`.
    package let option: String
    /// The value as the user wrote it; nil for `--screenshot` and the like.
    package let value: [UInt8]?
    let condition: Condition

    /// What a predicate must know of a photo before it can answer.
    package struct Needs: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        /// Kind and format.
        package static let format = Needs(rawValue: 1)
        /// What the file says of itself.
        package static let metadata = Needs(rawValue: 2)
        package static let units = Needs(rawValue: 4)
        /// Files that were left alone by their main file.
        package static let orphans = Needs(rawValue: 8)
        /// The whole picture, decoded.
        package static let soundness = Needs(rawValue: 16)
        /// All photos of the library, and their bytes.
        package static let duplicates = Needs(rawValue: 32)
        /// All photos of the library, and their looks.
        package static let similarity = Needs(rawValue: 64)
        /// The rating, which may stand in a sidecar.
        package static let rating = Needs(rawValue: 128)
        /// The capture date, which may stand in a sidecar.
        package static let date = Needs(rawValue: 256)
        /// The place, which may stand in a sidecar.
        package static let location = Needs(rawValue: 512)
    }

    package let needs: Needs

    /// Every option that is a predicate, without dashes, in the order of the contract.
    package static let options = [
        "type", "taken", "last", "older-than", "date-source", "size", "megapixels", "long-edge", "shape", "orientation",
        "camera", "gps", "near", "favorite", "rating", "name", "path", "exclude", "screenshot", "has", "orphan",
        "duplicate", "similar", "broken", "offline", "where",
    ]

    /// - Parameter option: without its dashes.
    /// - Parameter value: nil where the option was given without one.
    /// - Parameter now: in UTC; ages are counted back from here.
    /// - Parameter zone: in whose calendar ages are counted, where dates without a zone belong for that, and by whose
    ///   clocks instants are compared with dates.
    package init(
        option: String, value: [UInt8]?, now: WallClock, zone: TimeZone = .utc
    ) throws(QueryError) {
        if let value, value.isEmpty { throw .emptyValue(option: option) }
        self.option = option
        self.value = value
        condition = try PredicateParser(option: option, value: value, now: now, zone: zone).condition()
        needs = condition.needs
    }

    /// True where the condition holds, false where it does not, nil where it cannot be told: unknown never matches.
    package func matches(_ subject: Subject) -> Bool? { condition.matches(subject) }

    /// As on the command line: `--size 5MB..`.
    package var text: String {
        guard let value else { return "--" + option }
        return "--\(option) " + String(decoding: value, as: UTF8.self)
    }

    /// True where only a photo that has a twin can match.
    var isForDuplicates: Bool { if case .duplicate(true) = condition { true } else { false } }

    var similarity: Int? { if case .similar(let distance) = condition { distance } else { nil } }

    /// True where the date of the photo takes part in the answer: a wrong date chooses the wrong photos.
    package var restsOnDate: Bool {
        switch condition {
        case .taken, .takenDuring, .takenUntil: true
        case .expression(let expression): expression.mentions(.taken)
        default: false
        }
    }

    /// True where it says what dates may rest on.
    package var choosesDateSource: Bool {
        switch condition {
        case .dateSource: true
        case .expression(let expression): expression.mentions(.takenSource)
        default: false
        }
    }
}

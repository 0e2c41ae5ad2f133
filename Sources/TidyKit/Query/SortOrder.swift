/// The order of a result. Ties go by path, so that equal input gives equal output.
public struct SortOrder: Hashable, Sendable {
    public enum Key: String, CaseIterable, Sendable {
        case taken, size, path, modified, pixels, rating, none
    }

    public let key: Key
    public let isReversed: Bool

    public init(_ key: Key, reversed: Bool = false) {
        self.key = key
        self.isReversed = reversed
    }

    /// `taken`, `-size`: a dash in front reverses.
    public init(parsing text: [UInt8]) throws(QueryError) {
        guard !text.isEmpty else { throw .emptyValue(option: "sort") }
        let isReversed = text.first == UInt8(ascii: "-")
        let name = String(decoding: isReversed ? text[1...] : text[...], as: UTF8.self)
        guard let key = Key(rawValue: name) else {
            throw .invalidValue(
                option: "sort", text: String(decoding: text, as: UTF8.self),
                expected: Key.allCases.map(\.rawValue).joined(separator: ", ") + " (with a - in front: reversed)")
        }
        self.init(key, reversed: isReversed)
    }

    /// True where `left` stands before `right`. What is unknown stands last, reversed or not.
    public func areInOrder(_ left: Photo, _ right: Photo) -> Bool {
        switch key {
        case .none: false
        case .path: isReversed ? right.path < left.path : left.path < right.path
        case .taken: order(left, right) { $0.taken.map(TakenKey.init) }
        case .size: order(left, right) { $0.identity.bytes }
        case .modified: order(left, right) { $0.identity.modifiedNs }
        case .pixels: order(left, right) { $0.pixels }
        case .rating: order(left, right) { $0.rating }
        }
    }

    private func order(_ left: Photo, _ right: Photo, by value: (Photo) -> (some Comparable)?) -> Bool {
        switch (value(left), value(right)) {
        case (let first?, let second?) where first != second: isReversed ? second < first : first < second
        case (_?, nil): true
        case (nil, _?): false
        default: left.path < right.path
        }
    }
}

/// The wall clock, then the digits behind the seconds as a fraction: `.25` stands before `.3`.
private struct TakenKey: Comparable {
    let wall: WallClock
    let subseconds: [UInt8]

    init(_ date: CaptureDate) {
        wall = date.wall
        var digits = Array((date.subseconds ?? "").utf8)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        subseconds = digits
    }

    static func < (left: TakenKey, right: TakenKey) -> Bool {
        left.wall == right.wall
            ? left.subseconds.lexicographicallyPrecedes(right.subseconds) : left.wall < right.wall
    }
}

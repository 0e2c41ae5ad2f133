/// The order of a result. Equal keys are ordered by path, so that the same input gives the same output.
package struct SortOrder: Hashable, Sendable {
    /// What is compared; `none` keeps the order in which photos were found.
    package enum Key: String, CaseIterable, Sendable {
        case taken, size, path, modified, pixels, rating, none
    }

    package let key: Key
    package let isReversed: Bool

    package init(_ key: Key, reversed: Bool = false) {
        self.key = key
        self.isReversed = reversed
    }

    /// `taken`, `-size`: a dash in front reverses the order.
    package init(parsing text: [UInt8]) throws(QueryError) {
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

    /// Sorts by `areInOrder`, using a key of a few bytes per photo: photos are large, and there may be a million.
    /// `none` leaves the order as it is.
    package func sort(_ photos: inout [Photo]) {
        guard key != .none else { return }
        var places = photos.withUnsafeBufferPointer { photos in
            var places = photos.indices.map { Place(photo: $0, key: rank(of: photos.baseAddress! + $0)) }
            places.sort { left, right in
                guard left.key == right.key else { return left.key < right.key }
                if key != .path, left.key.isExact, right.key.isExact {
                    return photos[left.photo].path < photos[right.photo].path
                }
                return areInOrder(photos[left.photo], photos[right.photo])
            }
            return places
        }
        // Photos are moved into place by swaps, so that no second copy of all of them is needed.
        for start in places.indices {
            var place = start
            while places[place].photo != start {
                let next = places[place].photo
                photos.swapAt(place, next)
                places[place].photo = place
                place = next
            }
            places[place].photo = place
        }
    }

    private struct Place {
        var photo: Int
        let key: Rank
    }

    /// A short key that decides most comparisons.
    private struct Rank: Comparable {
        let isUnknown: Bool
        let value: Int64
        var fraction: UInt64 = 0
        /// False if equal ranks are not conclusive, because the rank holds only part of the key.
        var isExact = true

        static func == (left: Rank, right: Rank) -> Bool {
            left.isUnknown == right.isUnknown && left.value == right.value && left.fraction == right.fraction
        }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isUnknown != right.isUnknown { return right.isUnknown }
            return left.value == right.value ? left.fraction < right.fraction : left.value < right.value
        }
    }

    /// - Parameter photo: a pointer, because passing a photo would retain all of its fields.
    private func rank(of photo: UnsafePointer<Photo>) -> Rank {
        let value: Int64? =
            switch key {
            case .none, .path: 0
            case .taken: photo.pointee.taken?.wall.seconds
            case .size: photo.pointee.identity.bytes
            case .modified: photo.pointee.identity.modifiedSeconds
            case .pixels: photo.pointee.pixels.map(Int64.init)
            case .rating: photo.pointee.rating.map(Int64.init)
            }
        guard let value else { return Rank(isUnknown: true, value: 0) }
        var fraction: UInt64 = 0
        var isExact = true
        if key == .modified { fraction = UInt64(photo.pointee.identity.modifiedFraction) }
        if key == .taken, let digits = photo.pointee.taken?.subseconds {
            // The first eight digits, without trailing zeros.
            isExact = digits.utf8.count <= 8
            for (index, digit) in digits.utf8.prefix(8).enumerated() where digit != UInt8(ascii: "0") {
                fraction |= UInt64(digit) << (56 - 8 * UInt64(index))
            }
        }
        return isReversed
            ? Rank(isUnknown: false, value: ~value, fraction: ~fraction, isExact: isExact)
            : Rank(isUnknown: false, value: value, fraction: fraction, isExact: isExact)
    }

    /// True if `left` comes before `right`. Unknown values come last, also in reverse order.
    package func areInOrder(_ left: Photo, _ right: Photo) -> Bool {
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

/// Local time, then the fraction of the second: `.25` comes before `.3`.
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

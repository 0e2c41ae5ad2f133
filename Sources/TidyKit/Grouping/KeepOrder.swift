/// A rule of `--keep`: which of the photos of a group stays.
package enum KeepRule: String, CaseIterable, Sendable {
    case best, oldest, newest, largest, smallest, pixels, sharpest, rated, first
}

/// A photo of a group, with what decides whether it stays.
package struct KeepCandidate: Sendable {
    package var photo: Photo
    /// Lies below a place of `--protect` or `--against`: it never goes.
    package var isProtected = false
    /// Which of the places of `--prefer` it lies below, counted from 0.
    package var preference: Int?
    /// Matches the other filters of the run: copies may go there.
    package var isWished = true
    /// Which operand it was found below, counted from 0.
    package var operand = 0
    /// It is in a selection.
    package var isSelected = false
    /// The camera's own: EXIF names date and model, and nothing names an editor or a messenger.
    package var isFromCamera = false
    /// 0…100; nil where nobody measured it.
    package var sharpness: Double?

    package init(_ photo: Photo) { self.photo = photo }
}

/// Decides which of two photos stays, and says why. A total order: no two photos of one path are compared.
package struct KeepOrder: Sendable {
    private let criteria: [Criterion]

    /// - Parameter rules: in the order of the user; what they leave open is decided as by `best`.
    package init(_ rules: [KeepRule] = [.best]) {
        criteria = [.place, .wish] + rules.flatMap(\.criteria) + KeepRule.best.criteria + [.path]
    }

    /// True where `left` stays rather than `right`.
    package func prefers(_ left: KeepCandidate, to right: KeepCandidate) -> Bool {
        for criterion in criteria {
            let order = criterion.compare(left, right)
            if order != 0 { return order < 0 }
        }
        return false
    }

    /// Why `kept` stays rather than `other`, in words that a person understands.
    package func reason(_ kept: KeepCandidate, over other: KeepCandidate) -> String {
        for criterion in criteria where criterion.compare(kept, other) != 0 { return criterion.reason(kept, other) }
        return "the first path"
    }

    enum Criterion {
        case place, wish, rating, selected, camera, companions, format, location, pixels, sharpness, larger, smaller
        case plainName, older, newer, operand, path
    }
}

extension KeepRule {
    fileprivate var criteria: [KeepOrder.Criterion] {
        switch self {
        case .best:
            [
                .rating, .selected, .camera, .companions, .format, .location, .pixels, .sharpness, .larger, .plainName,
                .older,
            ]
        case .oldest: [.older]
        case .newest: [.newer]
        case .largest: [.larger]
        case .smallest: [.smaller]
        case .pixels: [.pixels]
        case .sharpest: [.sharpness]
        case .rated: [.rating]
        case .first: [.operand]
        }
    }
}

extension KeepOrder.Criterion {
    /// Negative where `left` comes first, positive where `right` does, 0 where this says nothing.
    fileprivate func compare(_ left: KeepCandidate, _ right: KeepCandidate) -> Int {
        switch self {
        case .place: Self.ascending(left.placeRank, right.placeRank)
        case .wish: Self.ascending(left.isWished ? 1 : 0, right.isWished ? 1 : 0)
        case .rating: Self.ascending(-left.stars, -right.stars)
        case .selected: Self.ascending(left.isSelected ? 0 : 1, right.isSelected ? 0 : 1)
        case .camera: Self.ascending(left.isFromCamera ? 0 : 1, right.isFromCamera ? 0 : 1)
        case .companions: Self.ascending(-left.photo.companions.count, -right.photo.companions.count)
        case .format: Self.ascending(left.formatRank, right.formatRank)
        case .location: Self.ascending(left.photo.location == nil ? 1 : 0, right.photo.location == nil ? 1 : 0)
        case .pixels: Self.ascending(-(left.photo.pixels ?? 0), -(right.photo.pixels ?? 0))
        case .sharpness: compareSharpness(left, right)
        case .larger: Self.ascending(-left.photo.identity.bytes, -right.photo.identity.bytes)
        case .smaller: Self.ascending(left.photo.identity.bytes, right.photo.identity.bytes)
        case .plainName: Self.ascending(left.isNamedCopy ? 1 : 0, right.isNamedCopy ? 1 : 0)
        case .older: compareAge(left.photo, right.photo)
        case .newer: compareAge(right.photo, left.photo)
        case .operand: Self.ascending(left.operand, right.operand)
        case .path: left.photo.path < right.photo.path ? -1 : right.photo.path < left.photo.path ? 1 : 0
        }
    }

    private static func ascending<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }

    /// A difference below one step is noise of the measure.
    private func compareSharpness(_ left: KeepCandidate, _ right: KeepCandidate) -> Int {
        guard let first = left.sharpness, let second = right.sharpness else { return 0 }
        return Self.ascending(-first.rounded(), -second.rounded())
    }

    /// By capture date, where both have one of their own, then by time stamp.
    private func compareAge(_ left: Photo, _ right: Photo) -> Int {
        if let first = left.taken, let second = right.taken, first.source != .modified, second.source != .modified,
            first.wall != second.wall
        {
            return first.wall < second.wall ? -1 : 1
        }
        return Self.ascending(left.identity.modifiedNs, right.identity.modifiedNs)
    }

    fileprivate func reason(_ kept: KeepCandidate, _ other: KeepCandidate) -> String {
        switch self {
        case .place: kept.isProtected ? "in a protected place" : "in a preferred place"
        case .wish: "the filters do not name it"
        case .rating: "rated \(kept.stars)"
        case .selected: "in a selection"
        case .camera: "from the camera (EXIF)"
        case .companions: "\(kept.photo.companions.count) companions against \(other.photo.companions.count)"
        case .format: (kept.photo.format?.rawValue ?? "its format").uppercased()
        case .location: "with a location"
        case .pixels: "\(kept.photo.sizeText) against \(other.photo.sizeText)"
        case .sharpness: "sharper"
        case .larger: "\(kept.photo.identity.bytes) bytes against \(other.photo.identity.bytes)"
        case .smaller: "\(kept.photo.identity.bytes) bytes against \(other.photo.identity.bytes)"
        case .plainName: "a plain name"
        case .older: "older"
        case .newer: "newer"
        case .operand: "below the first path"
        case .path: "the first path"
        }
    }
}

extension KeepCandidate {
    /// 0 for what never goes, then the preferred places in their order, then all others.
    fileprivate var placeRank: Int { isProtected ? 0 : preference.map { $0 + 1 } ?? .max }
    fileprivate var stars: Int { photo.rating ?? 0 }
    fileprivate var isNamedCopy: Bool { CopyName.isCopy(String(decoding: photo.path.stem, as: UTF8.self)) }

    /// RAW, then HEIC, before a JPEG of it.
    fileprivate var formatRank: Int {
        switch photo.format {
        case let format? where format.kind == .raw: 0
        case .heic: 1
        default: 2
        }
    }
}

extension Photo {
    /// `4032×3024`
    package var sizeText: String {
        guard let width, let height else { return "unknown size" }
        return "\(width)×\(height)"
    }
}

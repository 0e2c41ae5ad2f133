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
    /// 0…100; nil if it was not measured.
    package var sharpness: Double?

    package init(_ photo: Photo) { self.photo = photo }

    /// What the user has said in favour of the photo, `rated 4`, so that nobody deletes it unawares. Nil if there is
    /// nothing, or only a rating that the photo which stays has too.
    package func favor(beside kept: KeepCandidate) -> String? {
        if stars > 0, stars != kept.stars { return "rated \(stars)" }
        return isSelected ? "in a selection" : nil
    }
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
        return "first in the order of paths"
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

    /// A difference below one step is noise of the measure. What nobody could measure comes last.
    private func compareSharpness(_ left: KeepCandidate, _ right: KeepCandidate) -> Int {
        Self.ascending(-(left.sharpness?.rounded() ?? -1), -(right.sharpness?.rounded() ?? -1))
    }

    /// By capture date, which is the time stamp if a photo has no date of its own, then by time stamp. Every photo has
    /// one key, so that three photos can never be older than each other in a circle.
    private func compareAge(_ left: Photo, _ right: Photo) -> Int {
        switch (left.taken?.wall, right.taken?.wall) {
        case (let first?, let second?) where first != second: first < second ? -1 : 1
        case (nil, _?): 1
        case (_?, nil): -1
        default: Self.ascending(left.identity.modifiedNs, right.identity.modifiedNs)
        }
    }

    fileprivate func reason(_ kept: KeepCandidate, _ other: KeepCandidate) -> String {
        switch self {
        case .place: kept.placeReason(other)
        case .wish: "not matched by the other filters"
        case .rating: kept.ratingReason(other)
        case .selected: "in a selection"
        case .camera: "from the camera (EXIF)"
        case .companions: kept.companionReason(other)
        case .format: "\(kept.formatName) rather than \(other.formatName)"
        case .location: "with a location"
        case .pixels:
            "\(kept.photo.sizeText ?? Self.unknownSize) against \(other.photo.sizeText ?? Self.unknownSize) pixels"
        case .sharpness: kept.sharpnessReason(other)
        case .larger, .smaller: Self.bytesText(kept.photo.identity.bytes, other.photo.identity.bytes)
        case .plainName: "not named as a copy"
        case .older: kept.dateReason(other, taken: "taken earlier", stamped: "an older time stamp")
        case .newer: kept.dateReason(other, taken: "taken later", stamped: "a newer time stamp")
        case .operand: "below the path that was named first"
        case .path: "first in the order of paths"
        }
    }

    private static let unknownSize = "an unknown number of"

    /// `5.65 MB against 2.04 MB`; exact if rounding hides the difference.
    private static func bytesText(_ kept: Int64, _ other: Int64) -> String {
        let (first, second) = (ByteSize.describe(kept), ByteSize.describe(other))
        return first == second ? "\(kept) against \(other) bytes" : "\(first) against \(second)"
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

/// The words of reasons, each about this photo, which stays, and the other one.
extension KeepCandidate {
    fileprivate func placeReason(_ other: KeepCandidate) -> String {
        if isProtected { return "in a protected place" }
        return other.preference == nil ? "in a preferred place" : "in a place that is preferred to that of the other"
    }

    fileprivate func ratingReason(_ other: KeepCandidate) -> String {
        guard stars > 0 else { return "the other is marked as rejected" }
        return "rated \(stars)" + (other.stars > 0 ? " against \(other.stars)" : "")
    }

    fileprivate func companionReason(_ other: KeepCandidate) -> String {
        let (own, others) = (photo.companions.count, other.photo.companions.count)
        return "\(own) companion\(own == 1 ? "" : "s") against \(others == 0 ? "none" : String(others))"
    }

    fileprivate var formatName: String {
        guard let format = photo.format else { return "an unknown format" }
        let name = format.rawValue.uppercased()
        return format.kind == .raw ? "RAW (\(name))" : name
    }

    fileprivate func sharpnessReason(_ other: KeepCandidate) -> String {
        guard let own = sharpness, let others = other.sharpness else { return "the other cannot be decoded" }
        return "sharper: \(Int(own.rounded())) against \(Int(others.rounded())) of 100"
    }

    /// A time stamp is not the date of a photo, so it is not called one.
    fileprivate func dateReason(_ other: KeepCandidate, taken: String, stamped: String) -> String {
        guard let own = photo.taken, let others = other.photo.taken, own.wall != others.wall else { return stamped }
        if own.source == .modified, others.source == .modified { return stamped }
        return "\(taken): \(own.reasonText) against \(others.reasonText)"
    }
}

extension CaptureDate {
    /// `2019-08-17 18:45:01`
    fileprivate var reasonText: String {
        let text = wall.text
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + (source == .modified ? " (time stamp)" : "")
    }
}

/// The condition of a predicate, with its value parsed.
enum Condition: Sendable {
    enum Shape: String, CaseIterable, Sendable { case landscape, portrait, square }
    enum Part: String, CaseIterable, Sendable { case live, raw, sidecar }

    case type(kinds: Set<MediaKind>, formats: Set<MediaFormat>)
    /// Compared with local time where the photo was taken; with local time in the zone if only the instant is known.
    case taken([ValueRange<WallClock>], TimeZone)
    /// Compared in UTC; a date without a zone is taken as local time in the zone.
    case takenDuring(ClosedRange<WallClock>, TimeZone)
    case takenUntil(WallClock, TimeZone)
    case dateSource(Set<CaptureDate.Source>)
    case size([ValueRange<Int64>])
    case megapixels([ValueRange<Double>])
    case longEdge([ValueRange<Int>])
    case shape(Set<Shape>)
    case orientation(Set<Int>)
    case camera([FoldedText])
    case located(Bool)
    case near(Coordinate, kilometres: Double)
    case favorite(Bool)
    case rating([ValueRange<Int>])
    case name([Glob])
    case path([Glob])
    case exclude([Glob])
    case screenshot(Bool)
    case has(Set<Part>)
    case orphan(Bool)
    /// One of a group that could go, or with `--unique` what is in none.
    case grouped(GroupingKind)
    /// Less sharp than this, 0…100.
    case blurry(Double)
    case broken(Bool)
    case offline(Bool)
    case expression(WhereExpression)

    var needs: Predicate.Needs {
        switch self {
        case .name, .path, .exclude, .size, .offline: []
        case .type: [.format, .units]
        case .has: .units
        case .taken, .takenDuring, .takenUntil, .dateSource: [.metadata, .date]
        case .located, .near: [.metadata, .location]
        case .favorite, .rating: [.metadata, .rating]
        case .orphan: [.metadata, .units, .orphans]
        case .broken: [.metadata, .soundness]
        case .grouped: [.metadata, .date, .rating, .location, .units, .groups]
        case .blurry: [.metadata, .sharpness]
        case .expression(let expression): expression.needs
        default: .metadata
        }
    }

    func matches(_ subject: Subject) -> Bool? {
        let photo = subject.photo
        switch self {
        case .type(let kinds, let formats): return isOf(kinds, formats, subject)
        case .taken(let ranges, let zone):
            return photo.taken.map { taken in
                let wall = taken.wall(in: zone)
                return ranges.contains { $0.contains(wall) }
            }
        case .takenDuring(let span, let zone): return photo.taken.map { span.contains($0.utc(in: zone)) }
        case .takenUntil(let end, let zone): return photo.taken.map { $0.utc(in: zone) <= end }
        case .dateSource(let sources): return photo.taken.map { sources.contains($0.source) }
        case .size(let ranges): return ranges.contains { $0.contains(photo.identity.bytes) }
        case .megapixels(let ranges):
            return photo.pixels.map { pixels in ranges.contains { $0.contains(Double(pixels) / 1e6) } }
        case .longEdge(let ranges): return photo.longEdge.map { edge in ranges.contains { $0.contains(edge) } }
        case .shape(let shapes): return shape(of: photo).map(shapes.contains)
        case .orientation(let values): return photo.orientation.map { values.contains($0.rawValue) }
        case .camera(let parts):
            let names = [photo.camera, photo.make].compactMap(\.self).map { FoldedText($0) }
            return photo.camera.map { _ in parts.contains { part in names.contains { $0.contains(part) } } }
        case .located(let wanted):
            if photo.location != nil { return wanted }
            return subject.isRead ? !wanted : nil
        case .near(let place, let kilometres):
            return photo.location.map { $0.kilometres(to: place) <= kilometres }
        case .favorite(let wanted):
            if photo.rating != nil || subject.isRead { return photo.isFavorite == wanted }
            return nil
        case .rating(let ranges): return photo.rating.map { rating in ranges.contains { $0.contains(rating) } }
        case .name(let globs):
            let name = FoldedText(photo.path.lastComponent)
            return globs.contains { $0.matches(name) }
        case .path(let globs):
            let path = FoldedText(photo.path.bytes)
            return globs.contains { $0.matches(path) }
        case .exclude(let globs):
            let (name, path) = (FoldedText(photo.path.lastComponent), FoldedText(photo.path.bytes))
            return !globs.contains { $0.matches(path) || $0.matches(name) }
        case .screenshot(let wanted): return Screenshot.isLikely(subject).map { $0 == wanted }
        case .has(let parts):
            return subject.unit.map { unit in parts.contains { has($0, unit) } }
        case .orphan(let wanted): return subject.isOrphan.map { $0 == wanted }
        case .grouped: return subject.isRedundant
        case .blurry(let least): return subject.sharpness.map { $0 < least }
        case .broken(let wanted): return subject.isBroken.map { $0 == wanted }
        case .offline(let wanted): return photo.isOffline == wanted
        case .expression(let expression): return expression.matches(subject)
        }
    }

    /// A photo also has the kinds and formats of its RAW companion.
    private func isOf(_ kinds: Set<MediaKind>, _ formats: Set<MediaFormat>, _ subject: Subject) -> Bool? {
        guard let format = subject.photo.format else { return nil }
        if kinds.contains(format.kind) || formats.contains(format) { return true }
        guard kinds.contains(.raw) || formats.contains(where: { $0.kind == .raw }) else { return false }
        return subject.unit.map { unit in unit.rawFormats.contains { kinds.contains(.raw) || formats.contains($0) } }
    }

    private func has(_ part: Part, _ unit: UnitTraits) -> Bool {
        switch part {
        case .live: unit.hasLive
        case .raw: unit.hasRaw
        case .sidecar: unit.hasSidecar
        }
    }

    private func shape(of photo: Photo) -> Shape? {
        guard let width = photo.width, let height = photo.height else { return nil }
        return width > height ? .landscape : width < height ? .portrait : .square
    }
}

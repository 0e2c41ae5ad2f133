/// A field of `--where`: one of the photo record, or one derived from several of them.
enum WhereField: String, CaseIterable, Sendable {
    case path, name, kind, format, bytes, size, width, height, orientation, taken, takenSource, takenPrecision, modified
    case make, model, lens, camera, latitude, longitude, rating, favorite, duration, companions, offline, problems
    case megapixels, longEdge

    /// The type of a field's values, which determines the comparisons that it allows.
    enum ValueType: Sendable { case text, number, bytes, date, flag, list }

    /// Nil for unknown names; case is ignored.
    init?(name: String) {
        let name = name.lowercased()
        guard let field = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = field
    }

    var valueType: ValueType {
        switch self {
        case .path, .name, .kind, .format, .takenSource, .takenPrecision, .make, .model, .lens, .camera: .text
        case .width, .height, .orientation, .latitude, .longitude, .rating, .duration, .megapixels, .longEdge: .number
        case .bytes, .size: .bytes
        case .taken, .modified: .date
        case .favorite, .offline: .flag
        case .companions, .problems: .list
        }
    }

    var needs: Predicate.Needs {
        switch self {
        case .path, .name, .bytes, .size, .modified, .offline: []
        case .kind, .format: .format
        case .companions: .units
        case .rating, .favorite: [.metadata, .rating]
        case .taken, .takenSource, .takenPrecision: [.metadata, .date]
        case .latitude, .longitude: [.metadata, .location]
        default: .metadata
        }
    }

    func text(_ photo: Photo) -> [UInt8]? {
        switch self {
        case .path: photo.path.bytes
        case .name: Array(photo.path.lastComponent)
        case .kind: photo.kind.map { Array($0.rawValue.utf8) }
        case .format: photo.format.map { Array($0.rawValue.utf8) }
        case .takenSource: photo.taken.map { Array($0.source.rawValue.utf8) }
        case .takenPrecision: photo.taken.map { Array($0.precision.rawValue.utf8) }
        case .make: photo.make.map { Array($0.utf8) }
        case .model: photo.model.map { Array($0.utf8) }
        case .lens: photo.lens.map { Array($0.utf8) }
        case .camera: photo.camera.map { Array($0.utf8) }
        default: nil
        }
    }

    func number(_ photo: Photo) -> Double? {
        switch self {
        case .bytes, .size: Double(photo.identity.bytes)
        case .width: photo.width.map(Double.init)
        case .height: photo.height.map(Double.init)
        case .orientation: photo.orientation.map { Double($0.rawValue) }
        case .latitude: photo.location?.latitude
        case .longitude: photo.location?.longitude
        case .rating: photo.rating.map(Double.init)
        case .duration: photo.duration
        case .megapixels: photo.pixels.map { Double($0) / 1e6 }
        case .longEdge: photo.longEdge.map(Double.init)
        default: nil
        }
    }

    func flag(_ subject: Subject) -> Bool? {
        switch self {
        case .offline: subject.photo.isOffline
        case .favorite: subject.photo.rating != nil || subject.isRead ? subject.photo.isFavorite : nil
        default: nil
        }
    }

    func list(_ subject: Subject) -> [[UInt8]]? {
        switch self {
        case .companions: subject.unit == nil ? nil : subject.photo.companions.map(\.bytes)
        case .problems: subject.isRead ? subject.photo.problems.map { Array($0.description.utf8) } : nil
        default: nil
        }
    }

    /// The local time for comparison with dates, and UTC for comparison with ages.
    func date(_ photo: Photo, _ zone: TimeZone) -> (wall: WallClock, utc: WallClock)? {
        switch self {
        case .taken: return photo.taken.map { ($0.wall(in: zone), $0.utc(in: zone)) }
        case .modified:
            let clock = WallClock.utc(ns: photo.identity.modifiedNs)
            return clock.isInCalendar ? (zone.wall(of: clock), clock) : nil
        default: return nil
        }
    }
}

internal import TidyKit

/// A column of `--fields`: every key of the photo record, and the derived fields of `--where`.
enum PhotoField: String, CaseIterable, Sendable {
    case schema, path, pathBase64, kind, format, bytes, width, height, orientation, taken, takenSource, takenPrecision
    case modified, make, model, lens, latitude, longitude, rating, favorite, duration, companions, offline, problems
    case group, identity
    case size, camera, megapixels, longEdge, name
    /// The parts of `group`, for a spreadsheet.
    case groupID = "group.id"
    case groupRole = "group.role"
    case groupKeep = "group.keep"
    case groupDistance = "group.distance"
    case groupReason = "group.reason"
    case groupSharpness = "group.sharpness"

    static let names = allCases.map(\.rawValue)

    /// The default columns of TSV and CSV.
    static let standard: [PhotoField] = [
        .path, .kind, .format, .bytes, .width, .height, .taken, .takenSource, .modified, .make, .model, .lens,
        .latitude, .longitude, .rating, .favorite, .duration, .companions, .offline, .takenPrecision, .group,
    ]

    /// What must be known about a photo; empty if the folder and `stat` suffice.
    var needs: Predicate.Needs {
        switch self {
        case .schema, .path, .pathBase64, .kind, .format, .bytes, .size, .modified, .companions, .offline, .identity,
            .name, .group, .groupID, .groupRole, .groupKeep, .groupDistance, .groupReason, .groupSharpness:
            []
        case .taken, .takenSource, .takenPrecision: [.metadata, .date]
        case .latitude, .longitude: [.metadata, .location]
        case .rating, .favorite: [.metadata, .rating]
        default: .metadata
        }
    }

    func value(of photo: Photo) -> FieldValue {
        switch self {
        case .schema: .text("phototidy.photo/1")
        case .path: .path(photo.path)
        case .pathBase64: photo.path.utf8Text == nil ? .text(Base64.encode(photo.path.bytes)) : .null
        case .kind: FieldValue(photo.kind?.rawValue)
        case .format: FieldValue(photo.format?.rawValue)
        case .bytes, .size: .integer(photo.identity.bytes)
        case .width: FieldValue(photo.width)
        case .height: FieldValue(photo.height)
        case .orientation: FieldValue(photo.orientation?.rawValue)
        case .taken: FieldValue(photo.taken?.text)
        case .takenSource: FieldValue(photo.taken?.source.rawValue)
        case .takenPrecision: FieldValue(photo.taken?.precision.rawValue)
        case .modified: FieldValue(CaptureDate.modified(ns: photo.identity.modifiedNs)?.text)
        case .make: FieldValue(photo.make)
        case .model: FieldValue(photo.model)
        case .lens: FieldValue(photo.lens)
        case .latitude: FieldValue(photo.location?.latitude)
        case .longitude: FieldValue(photo.location?.longitude)
        case .rating: FieldValue(photo.rating)
        case .favorite: .flag(photo.isFavorite)
        case .duration: FieldValue(photo.duration)
        case .companions: .paths(photo.companions)
        case .offline: .flag(photo.isOffline)
        case .problems: .texts(photo.problems.map(\.description))
        case .group: photo.group.map { .group($0) } ?? .null
        case .identity: .identity(photo.identity)
        case .camera: FieldValue(photo.camera)
        case .megapixels: FieldValue(photo.pixels.map { Double($0) / 1e6 })
        case .longEdge: FieldValue(photo.longEdge)
        case .name: .path(FilePath(photo.path.lastComponent))
        case .groupID: FieldValue(photo.group?.id)
        case .groupRole: FieldValue(photo.group?.role.rawValue)
        case .groupKeep: photo.group.map { .path($0.keep) } ?? .null
        case .groupDistance: FieldValue(photo.group?.distance)
        case .groupReason: FieldValue(photo.group?.reason)
        case .groupSharpness: FieldValue(photo.group?.sharpness.map { ($0 * 10).rounded() / 10 })
        }
    }

    /// `path,taken,size`, with or without spaces around the commas.
    static func list(_ bytes: [UInt8]) throws(UsageError) -> [PhotoField] {
        var fields: [PhotoField] = []
        for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let name = String(decoding: part, as: UTF8.self).filter { $0 != " " }
            guard let field = PhotoField(rawValue: name) else {
                if name.isEmpty { throw UsageError("--fields has an empty name in its list") }
                let near = Suggestion.nearest(to: name, in: names).map { "did you mean '\($0)'?" }
                throw UsageError(
                    "'\(TerminalText.escaped(name))' is not a field for --fields; "
                        + (near ?? "it must be \(OptionValue.alternatives(names))"))
            }
            fields.append(field)
        }
        return fields
    }
}

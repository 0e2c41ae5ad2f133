internal import TidyKit

/// A column of `--fields`: every key of the photo record, and what `--where` knows beside them.
enum PhotoField: String, CaseIterable, Sendable {
    case schema, path, pathBase64, kind, format, bytes, width, height, orientation, taken, takenSource, takenPrecision
    case modified, make, model, lens, latitude, longitude, rating, favorite, duration, companions, offline, problems
    case identity
    case size, camera, megapixels, longEdge, name

    static let names = allCases.map(\.rawValue)
}

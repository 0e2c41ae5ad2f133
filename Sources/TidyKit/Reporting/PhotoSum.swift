/// What the photos with one key have in common, added up: the row `phototidy.sum/1` of Docs/Reference.md.
package struct PhotoSum: Sendable {
    /// What photos are added up by.
    package enum Grouping: String, CaseIterable, Sendable {
        case year, month, day, folder, camera
        /// The format of the main file.
        case type
        case kind
    }

    package enum Key: Hashable, Sendable {
        case text(String)
        /// A folder; its name is bytes.
        case folder(FilePath)
        /// The photo does not say.
        case unknown
    }

    package let key: Key
    package var photos = 0
    /// Main files and companions.
    package var files = 0
    /// Of all these files.
    package var bytes: Int64 = 0
    /// The capture dates that come first and last; nil where no photo has one.
    package var first: CaptureDate?
    package var last: CaptureDate?

    package init(key: Key) { self.key = key }

    /// - Parameters:
    ///   - companions: the files that belong to the photo and were not counted with another one.
    ///   - bytes: of the companions.
    package mutating func add(_ photo: Photo, companions: Int, bytes: Int64) {
        photos += 1
        files += 1 + companions
        self.bytes = self.bytes.addingClamped(photo.identity.bytes).addingClamped(bytes)
        guard let taken = photo.taken else { return }
        widen(to: taken)
    }

    /// Adds what another row has counted.
    package mutating func add(_ other: PhotoSum) {
        photos += other.photos
        files += other.files
        bytes = bytes.addingClamped(other.bytes)
        if let first = other.first { widen(to: first) }
        if let last = other.last { widen(to: last) }
    }

    private mutating func widen(to date: CaptureDate) {
        if first.map({ date.wall < $0.wall }) ?? true { first = date }
        if last.map({ $0.wall < date.wall }) ?? true { last = date }
    }
}

extension PhotoSum.Key {
    /// The key of a photo. Dates are local time where the photo was taken, or the user's for an instant.
    package init(_ photo: Photo, by grouping: PhotoSum.Grouping) {
        func day(_ length: Int) -> String? { photo.taken.map { String($0.wall(in: .local).text.prefix(length)) } }
        let text: String? =
            switch grouping {
            case .year: day(4)
            case .month: day(7)
            case .day: day(10)
            case .camera: photo.camera
            case .type: photo.format?.rawValue
            case .kind: photo.kind?.rawValue
            case .folder: nil
            }
        if grouping == .folder {
            self = .folder(photo.path.directory)
        } else {
            self = text.map { .text($0) } ?? .unknown
        }
    }
}

/// What `--sort` puts the rows in order by. Equal rows are in the order of their keys, the unknown one last.
package enum PhotoSumOrder: String, CaseIterable, Sendable {
    /// By key.
    case path
    /// By bytes.
    case size
    /// By the last date.
    case taken

    package func sort(_ sums: inout [PhotoSum], isReversed: Bool) {
        sums.sort { left, right in
            switch self {
            case .path: break
            case .size:
                if left.bytes != right.bytes { return isReversed ? right.bytes < left.bytes : left.bytes < right.bytes }
            case .taken:
                guard let first = left.last?.wall, let second = right.last?.wall else {
                    if left.last == nil, right.last == nil { break }
                    return right.last == nil
                }
                if first != second { return isReversed ? second < first : first < second }
            }
            guard left.key != .unknown, right.key != .unknown else {
                return right.key == .unknown && left.key != .unknown
            }
            return isReversed && self == .path
                ? right.key.bytes.lexicographicallyPrecedes(left.key.bytes)
                : left.key.bytes.lexicographicallyPrecedes(right.key.bytes)
        }
    }
}

extension PhotoSum.Key {
    /// As written in TSV and CSV; empty where it is unknown.
    package var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .folder(let path): path.bytes
        case .unknown: []
        }
    }
}

extension JSONWriter {
    /// The row `phototidy.sum/1`. The contract fixes the order of keys.
    package mutating func sum(_ sum: PhotoSum, by grouping: PhotoSum.Grouping) {
        object { json in
            json.key("schema")
            json.value("phototidy.sum/1")
            json.key("by")
            json.value(grouping.rawValue)
            json.key("key")
            switch sum.key {
            case .text(let text): json.value(text)
            case .folder(let path): json.value(path)
            case .unknown: json.null()
            }
            json.key("photos")
            json.value(sum.photos)
            json.key("files")
            json.value(sum.files)
            json.key("bytes")
            json.value(sum.bytes)
            json.key("first")
            json.value(sum.first?.text)
            json.key("last")
            json.value(sum.last?.text)
        }
    }
}

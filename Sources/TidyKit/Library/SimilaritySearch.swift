/// Finds JPEGs that look alike, and marks those that could be deleted.
struct SimilaritySearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    private let threads: Int
    /// The maximum size of a file, in bytes; larger ones are ignored.
    private static let maximumBytes: Int64 = 1 << 29

    init(threads: Int) { self.threads = threads }

    private struct Outcome: Sendable {
        var hash: PerceptualHash?
        var warning: LibraryWarning?
        var bytes: Int64?
    }

    /// Sets `isSimilar` in every row; false if the picture cannot be decoded.
    mutating func mark(_ rows: inout [GroupOutcome.Row], distance: Int) {
        for index in rows.indices { rows[index].subject.isSimilar = false }
        let candidates = rows.indices.filter {
            rows[$0].subject.photo.format == .jpeg && !rows[$0].subject.photo.isOffline
        }
        let photos = candidates.map { rows[$0].subject.photo }
        let outcomes = Workers.map(
            photos, threads: threads, chunk: 1, worker: { true }, { _, photo in Self.hash(of: photo) })
        var hashes: [(photo: Photo, hash: PerceptualHash)] = []
        var places: [Int] = []
        for (index, outcome) in zip(candidates, outcomes) {
            if let bytes = outcome.bytes {
                filesOpened += 1
                bytesRead += bytes
            }
            if let warning = outcome.warning { warnings.append(warning) }
            if let hash = outcome.hash {
                hashes.append((rows[index].subject.photo, hash))
                places.append(index)
            }
        }
        for index in Similarity.redundant(hashes, distance: distance) { rows[places[index]].subject.isSimilar = true }
    }

    private static func hash(of photo: Photo) -> Outcome {
        var outcome = Outcome()
        if Interrupt.isRequested { return outcome }
        do throws(POSIXError) {
            let file = try FileDescriptor.openForReading(photo.path)
            let status = try file.status()
            guard status.kind == .regular, status.identity.bytes <= maximumBytes else { return outcome }
            let content = try file.readFully(Int(status.identity.bytes))
            outcome.hash = content.withUnsafeBytes { PerceptualHash(JPEGThumbnail($0), orientation: photo.orientation) }
            outcome.bytes = Int64(content.count)
        } catch {
            if !error.isMissing { outcome.warning = LibraryWarning(path: photo.path, reason: error.reason) }
        }
        return outcome
    }
}

extension PerceptualHash {
    /// Nil if the picture could not be decoded, or has no visible content.
    init?(_ thumbnail: JPEGThumbnail, orientation: Orientation?) {
        self.init(
            width: thumbnail.width, height: thumbnail.height, samples: thumbnail.samples, orientation: orientation)
    }
}

/// Reads what pictures are compared by, and says what that cost.
struct SignatureSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    private let threads: Int
    private let progress: Progress

    init(threads: Int, progress: Progress) {
        self.threads = threads
        self.progress = progress
    }

    /// Signatures of all pictures that may have a look-alike, made of the decoded picture; nil for all others.
    mutating func confirmed(
        _ photos: [Photo], within distance: Int, _ index: inout MetadataIndex
    ) -> [PictureSignature?] {
        Workers.map(photos, threads: threads, chunk: 1, worker: {}, { _, photo in Self.signature(of: photo) })
    }

    /// How sharp each picture is, 0…100; nil where it cannot be decoded.
    mutating func sharpness(of photos: [Photo], _ index: inout MetadataIndex) -> [Double?] {
        Workers.map(
            photos, threads: threads, chunk: 1, worker: {}, { _, photo in Self.signature(of: photo)?.sharpness })
    }

    private static func signature(of photo: Photo) -> PictureSignature? {
        guard photo.format == .jpeg, !photo.isOffline, !Interrupt.isRequested,
            let file = try? FileDescriptor.openForReading(photo.path), let status = try? file.status(),
            status.kind == .regular, status.identity.bytes < 1 << 29,
            let content = try? file.readFully(Int(status.identity.bytes))
        else { return nil }
        let thumbnail = content.withUnsafeBytes { JPEGThumbnail($0) }
        return LumaView(width: thumbnail.width, height: thumbnail.height, samples: thumbnail.samples).map {
            PictureSignature($0, color: .gray, measuresSharpness: true)
        }
    }
}

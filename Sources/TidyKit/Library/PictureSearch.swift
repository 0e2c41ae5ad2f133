/// Reads pictures without their metadata; one to a thread.
struct PictureReader: ~Copyable {
    private var metadata: MetadataReader
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0

    /// Larger files are compared as they are.
    private static let largestFile: Int64 = 1 << 29
    /// The end of a JPEG belongs to its picture. Most differ there already.
    private static let endLength: Int64 = 32

    /// - Parameter now: decides which dates are valid, which nobody asks for here.
    init(now: WallClock = WallClock(seconds: 0)) { metadata = MetadataReader(now: now) }

    /// The picture of a file, with its orientation. Nil for formats of which the whole file counts, and for files that
    /// are damaged.
    mutating func picture(of path: FilePath) throws(POSIXError) -> [UInt8]? {
        let file = try FileDescriptor.openForReading(path)
        let status = try file.status()
        guard status.kind == .regular, status.identity.bytes <= Self.largestFile else { return nil }
        filesOpened += 1
        guard let metadata = try metadata.read(file, byteCount: status.identity.bytes),
            CodedPicture.formats.contains(metadata.format)
        else { return nil }
        try Interrupt.check("read")
        let content = try file.readFully(Int(status.identity.bytes))
        bytesRead = bytesRead.addingClamped(Int64(content.count))
        guard let picture = CodedPicture.bytes(of: content, metadata.format) else { return nil }
        return picture + metadata.format.rawValue.utf8 + [UInt8(metadata.orientation?.rawValue ?? 1)]
    }

    mutating func hash(of path: FilePath) throws(POSIXError) -> UInt64? {
        guard let picture = try picture(of: path) else { return nil }
        var hash = Checksum(seed: UInt64(picture.count))
        picture.withUnsafeBytes { hash.add($0) }
        return hash.value
    }

    /// True where both files show the same picture; where one of them cannot be told from its metadata, the same bytes.
    mutating func areEqual(_ left: FilePath, _ right: FilePath) throws(POSIXError) -> Bool {
        if let first = try picture(of: left), let second = try picture(of: right) { return first == second }
        var comparison = FileComparison()
        return try comparison.areEqual(left, right)
    }

    /// A hash of the last bytes of a JPEG; 0 for what need not end with its picture.
    mutating func endHash(of photo: Photo) throws(POSIXError) -> UInt64 {
        guard photo.format == .jpeg, photo.identity.bytes >= Self.endLength else { return 0 }
        let file = try FileDescriptor.openForReading(photo.path)
        filesOpened += 1
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(Self.endLength), alignment: 8)
        defer { buffer.deallocate() }
        let count = try file.readFully(into: buffer, at: photo.identity.bytes - Self.endLength)
        bytesRead += Int64(count)
        var hash = Checksum(seed: 1)
        hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return hash.value
    }
}

/// Finds the photos that show the same picture under whatever metadata: by size in pixels and the end of the file, then
/// by a hash of the coded picture, then byte by byte.
struct PictureSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    private let threads: Int
    private let progress: Progress

    private static let batch = 256

    init(threads: Int, progress: Progress = .none) {
        self.threads = threads
        self.progress = progress
    }

    private struct Look: Hashable {
        let format: MediaFormat?
        let width: Int?
        let height: Int?
        let orientation: Orientation
        let end: UInt64
    }

    /// The photos that show the same as another one, each class as indices of `photos`.
    /// - Parameter contents: of files whose bytes are the same as those of another one, the number of their class.
    mutating func classes(_ photos: [Photo], _ contents: [FileID: Int]) -> [[Int]] {
        let all = photos.indices.filter { photos[$0].format != nil && !photos[$0].isOffline }
        let known = all.filter { photos[$0].format.map(CodedPicture.formats.contains) == true }
        var classes: [[Int]] = []
        var others = all.filter { photos[$0].format.map(CodedPicture.formats.contains) != true }
        let looks = map(known, photos) { reader, photo throws(POSIXError) in
            Look(
                format: photo.format, width: photo.width, height: photo.height,
                orientation: photo.orientation ?? .upright, end: try reader.endHash(of: photo))
        }
        let alike = Self.groups(looks).flatMap(\.self)
        let hashes = map(alike, photos) { reader, photo throws(POSIXError) in
            try reader.hash(of: photo.path)
        }
        others += hashes.filter { $0.value == nil }.map(\.index)
        for group in Self.groups(hashes.filter { $0.value != nil }) { classes += confirmed(group, photos) }
        // What cannot be told from its metadata is the same where its bytes are.
        let numbered = others.compactMap { index in
            contents[photos[index].identity.id].map { (index: index, value: $0) }
        }
        return classes + Self.groups(numbered)
    }

    private static func groups<Key: Hashable>(_ values: [(index: Int, value: Key)]) -> [[Int]] {
        Dictionary(grouping: values, by: \.value).values.filter { $0.count > 1 }.map { $0.map(\.index).sorted() }
            .sorted { $0[0] < $1[0] }
    }

    /// Photos of one hash that are the same byte by byte as the first of their class.
    private mutating func confirmed(_ group: [Int], _ photos: [Photo]) -> [[Int]] {
        var classes: [[Int]] = []
        var rest = group
        while let first = rest.first, rest.count > 1, !Interrupt.isRequested {
            let path = photos[first].path
            let equal = map(Array(rest.dropFirst()), photos) { reader, photo throws(POSIXError) in
                try reader.areEqual(path, photo.path)
            }
            classes.append([first] + equal.filter(\.value).map(\.index))
            rest = equal.filter { !$0.value }.map(\.index)
        }
        return classes.filter { $0.count > 1 }
    }

    /// What `body` says of each photo; those that cannot be read are left out, and reported.
    private mutating func map<Value: Sendable>(
        _ indices: [Int], _ photos: [Photo],
        _ body: @Sendable (inout PictureReader, Photo) throws(POSIXError) -> Value
    ) -> [(index: Int, value: Value)] {
        var found: [(index: Int, value: Value)] = []
        for start in stride(from: 0, to: indices.count, by: Self.batch) where !Interrupt.isRequested {
            let batch = Array(indices[start..<min(start + Self.batch, indices.count)])
            let results = Workers.map(
                batch, threads: threads, chunk: 1, worker: { PictureReader() },
                { reader, index in
                    let (opened, bytes) = (reader.filesOpened, reader.bytesRead)
                    let value = Result { () throws(POSIXError) in try body(&reader, photos[index]) }
                    return (value: value, opened: reader.filesOpened - opened, bytes: reader.bytesRead - bytes)
                })
            for (index, result) in zip(batch, results) {
                filesOpened += result.opened
                bytesRead = bytesRead.addingClamped(result.bytes)
                switch result.value {
                case .success(let value): found.append((index, value))
                case .failure(let error):
                    if !error.isMissing, !error.isInterruption {
                        warnings.append(LibraryWarning(path: photos[index].path, reason: error.reason))
                    }
                }
            }
            progress.report(.init(activity: "comparing", done: start + batch.count, total: indices.count))
        }
        return found
    }
}

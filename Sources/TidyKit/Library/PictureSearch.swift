/// Finds the photos that show the same picture under whatever metadata: by size in pixels and the end of the file, then
/// by a digest of the coded picture, then, where the same samples may be coded otherwise, by one of the samples.
/// Nobody can make two pictures with the same digest, so they are not read again to be compared.
struct PictureSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    /// Files that are in no class because they changed while they were read.
    private(set) var changed = 0
    private let threads: Int
    private let progress: Progress

    private static let batch = 256

    init(threads: Int, progress: Progress = .none) {
        self.threads = threads
        self.progress = progress
    }

    /// What two files that show the same picture have in common.
    private struct PictureKey: Hashable {
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
        var others = all.filter { photos[$0].format.map(CodedPicture.formats.contains) != true }
        let keys = map(known, photos) { reader, photo throws(POSIXError) in
            PictureKey(
                format: photo.format, width: photo.width, height: photo.height,
                orientation: photo.orientation ?? .upright, end: try reader.endHash(of: photo))
        }
        let alike = Self.groups(keys)
        var digests = coded(alike.flatMap(\.self), photos)
        for group in alike { decode(group, photos, &digests) }
        others += alike.flatMap(\.self).filter { digests[$0]?.isKnown == false }
        let classes = Self.groups(
            digests.compactMap { index, digest in digest.best.map { (index: index, value: $0) } })
        // What cannot be told from its metadata is the same where its bytes are.
        let numbered = others.compactMap { index in
            contents[photos[index].identity.id].map { (index: index, value: $0) }
        }
        return classes + Self.groups(numbered)
    }

    /// What a photo shows, as far as it is known.
    private struct Digests {
        var coded: [UInt8]?
        var decoded: [UInt8]?
        var best: [UInt8]? { decoded ?? coded }
        var isKnown: Bool { best != nil }
    }

    /// The coded picture of each photo that could be read.
    private mutating func coded(_ indices: [Int], _ photos: [Photo]) -> [Int: Digests] {
        let found = map(indices, photos) { reader, photo throws(POSIXError) in
            Digests(coded: try reader.codedDigest(of: ComparedFile(photo)))
        }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.index, $0.value) })
    }

    /// Decodes one picture of each coded form, if different forms may have the same samples.
    private mutating func decode(_ group: [Int], _ photos: [Photo], _ digests: inout [Int: Digests]) {
        let group = group.filter { digests[$0] != nil }
        let parts = Dictionary(grouping: group) { index -> [UInt8] in
            // Each picture without a coded digest is a part of its own.
            digests[index]?.coded ?? withUnsafeBytes(of: index) { Array($0) }
        }
        guard parts.count > 1, group.contains(where: { photos[$0].mayBeCodedOtherwise }) else { return }
        let ordered = parts.values.sorted { $0[0] < $1[0] }
        let leaders = map(ordered.map { $0[0] }, photos) { reader, photo throws(POSIXError) in
            try reader.decodedDigest(of: ComparedFile(photo))
        }
        let found = Dictionary(uniqueKeysWithValues: leaders.map { ($0.index, $0.value) })
        for members in ordered {
            guard let decoded = found[members[0]] ?? nil else { continue }
            for member in members { digests[member]?.decoded = decoded }
        }
    }

    private static func groups<Key: Hashable>(_ values: [(index: Int, value: Key)]) -> [[Int]] {
        Dictionary(grouping: values, by: \.value).values.filter { $0.count > 1 }.map { $0.map(\.index).sorted() }
            .sorted { $0[0] < $1[0] }
    }

    /// What `body` says of each photo; those that cannot be read are left out, and reported.
    private mutating func map<Value: Sendable>(
        _ indices: [Int], _ photos: [Photo],
        _ body: @Sendable (inout DigestReader, Photo) throws(POSIXError) -> Value
    ) -> [(index: Int, value: Value)] {
        var found: [(index: Int, value: Value)] = []
        for start in stride(from: 0, to: indices.count, by: Self.batch) where !Interrupt.isRequested {
            let batch = Array(indices[start..<min(start + Self.batch, indices.count)])
            let results = Workers.map(
                batch, threads: threads, chunk: 1, worker: { DigestReader() },
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
                case .failure(let error): note(photos[index].path, error)
                }
            }
            progress.report(.init(activity: "comparing", done: start + batch.count, total: indices.count))
        }
        return found
    }

    private mutating func note(_ path: FilePath, _ error: POSIXError) {
        if error.isStale {
            changed += 1
        } else if !error.isMissing, !error.isInterruption {
            warnings.append(LibraryWarning(path: path, reason: error.reason))
        }
    }
}

extension ComparedFile {
    init(_ photo: Photo) { self.init(path: photo.path, identity: photo.identity) }
}

extension Photo {
    fileprivate var mayBeCodedOtherwise: Bool {
        guard let format, let width, let height else { return false }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return !overflow && DecodedSamples.mayRepeat(format, bytes: identity.bytes, pixels: pixels)
    }
}

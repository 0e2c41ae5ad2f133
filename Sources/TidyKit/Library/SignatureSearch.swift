internal import Glibc

/// Reads what pictures are compared by, and says what that cost: from the index where it is known, else from
/// thumbnails, and by decoding where a thumbnail leaves it open.
struct SignatureSearch {
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    /// How many pictures could not be compared, by reason.
    private(set) var notCompared: [String: Int] = [:]
    /// The files among them: each counts once, however often it is looked at.
    private var counted: Set<FileID> = []
    private let threads: Int
    let progress: Progress
    private let roots: LibraryRoots
    private let now: WallClock
    private let reducer: PictureReducer
    private var lastSaved = SystemClock.nowNs()

    /// Between two times at which the index is written, in nanoseconds.
    private static let saveInterval: Int64 = 30_000_000_000
    /// Pictures per thread between two checks for Ctrl-C.
    private static let batch = 16

    init(now: WallClock, roots: LibraryRoots, threads: Int, progress: Progress) {
        self.now = now
        self.roots = roots
        self.threads = threads
        self.progress = progress
        reducer = PictureReducer(memory: min(DecodingOptions().memory, ResourceLimits.memory / 2))
    }

    /// Signatures of all pictures that may have a look-alike, made of the decoded picture; nil for all others.
    mutating func confirmed(
        _ photos: [Photo], within distance: Int, _ index: inout MetadataIndex
    ) -> [PictureSignature?] {
        var known = known(photos, &index)
        leaveOutLoneVideos(photos, &known)
        let first = photos.indices.filter { known[$0].forCandidates == nil && !known[$0].isUnreadable }
        read(photos, first, .thumbnail, &known, &index)
        let candidates = LookAlikes.candidates(
            known.map(\.forCandidates), within: distance, threads: threads, progress: matching)
        addGrids(photos, candidates, &known, &index)
        let second = candidates.filter { known[$0].picture?.grid == nil && !known[$0].isUnreadable }
        read(photos, second, .picture, &known, &index)
        var confirmed = [PictureSignature?](repeating: nil, count: photos.count)
        // Without a grid nothing confirms what the hash says: such a picture stays alone.
        for candidate in candidates where known[candidate].picture?.grid != nil {
            confirmed[candidate] = known[candidate].picture
        }
        return confirmed
    }

    /// Reports how far the hashes have been compared.
    var matching: @Sendable (_ done: Int, _ total: Int) -> Void {
        let progress = progress
        return { progress.report(Progress.Event(activity: "finding look-alikes", done: $0, total: $1)) }
    }

    /// Videos of which no other one has the length are not read. Those of unknown length cannot be compared.
    private mutating func leaveOutLoneVideos(_ photos: [Photo], _ known: inout [KnownSignatures]) {
        let videos = photos.indices.filter { photos[$0].format?.kind == .video && !known[$0].isUnreadable }
        let lengths = VideoLengths(videos.map { photos[$0].duration })
        for (place, video) in videos.enumerated() where !lengths.hasPartner[place] {
            known[video].isUnreadable = true
            if photos[video].duration == nil { notCompared["videos of unknown length", default: 0] += 1 }
        }
    }

    /// How sharp each picture is, 0…100; nil where it cannot be decoded.
    mutating func sharpness(of photos: [Photo], _ index: inout MetadataIndex) -> [Double?] {
        var known = known(photos, &index)
        let unread = photos.indices.filter { known[$0].picture == nil && !known[$0].isUnreadable }
        read(photos, unread, .picture, &known, &index)
        return known.map { $0.picture?.sharpness }
    }

    /// Adds what the index has to confirm candidates by.
    private mutating func addGrids(
        _ photos: [Photo], _ candidates: [Int], _ known: inout [KnownSignatures], _ index: inout MetadataIndex
    ) {
        let wanted = candidates.filter { known[$0].picture != nil && known[$0].picture?.grid == nil }
        let stored = index.signatures(
            of: wanted.map { photos[$0].identity }, in: .grid, version: KnownSignatures.version)
        for (place, samples) in zip(wanted, stored) {
            known[place].picture?.grid = samples.flatMap { PictureGrid(samples: $0) }
        }
    }

    /// What the index knows. Formats that cannot be decoded here count as unreadable, and are counted.
    private mutating func known(_ photos: [Photo], _ index: inout MetadataIndex) -> [KnownSignatures] {
        let stored = index.signatures(
            of: photos.map(\.identity), in: .signature, version: KnownSignatures.version)
        return photos.indices.map { place in
            if let known = stored[place].flatMap({ KnownSignatures($0) }) {
                if known.isUnreadable { note(photos[place], Self.unreadable) }
                return known
            }
            var known = KnownSignatures()
            let photo = photos[place]
            if photo.isOffline {
                known.isUnreadable = true
            } else if let obstacle = PictureReducer.obstacle(photo.format) {
                known.isUnreadable = true
                note(photo, obstacle)
            }
            return known
        }
    }

    private mutating func note(_ photo: Photo, _ obstacle: String) {
        if counted.insert(photo.identity.id).inserted { notCompared[obstacle, default: 0] += 1 }
    }

    private enum Part { case thumbnail, picture }

    private struct Outcome: Sendable {
        var known: KnownSignatures
        var identity: FileIdentity?
        var filesOpened: Int
        var bytesRead: Int64
        /// Why the picture could not be decoded, in words.
        var obstacle: String?
    }

    /// The reason for all faults of the file itself, and for what the index marks as unreadable.
    private static let unreadable = "damaged or not supported"

    /// Why the picture could not be compared, in words; nil after Ctrl-C.
    private static func obstacle(_ error: PictureError) -> String? {
        switch error {
        case .file(let error) where error.code == EINTR: nil
        case .file(let error) where error.code == ETIME: "ffmpeg takes too long"
        case .file(let error) where error.code == ECHILD: "ffmpeg was killed"
        case .file: "could not be read"
        case .needsMemory, .tooManyPixels: "too large for the available memory"
        default: unreadable
        }
    }

    /// Reads files in the order of their inodes, which on most file systems is that of the disk.
    private mutating func read(
        _ photos: [Photo], _ places: [Int], _ part: Part, _ known: inout [KnownSignatures],
        _ index: inout MetadataIndex
    ) {
        let ordered = places.sorted { left, right in
            let (left, right) = (photos[left].identity, photos[right].identity)
            return left.device == right.device ? left.inode < right.inode : left.device < right.device
        }
        let activity = part == .thumbnail ? "comparing thumbnails" : "comparing pictures"
        let (reducer, now, roots) = (reducer, now, roots)
        let step = Self.batch * max(1, threads)
        for start in stride(from: 0, to: ordered.count, by: step) where !Interrupt.isRequested {
            report(activity, start, of: ordered.count, index.acceptsRows)
            let tasks = ordered[start..<min(start + step, ordered.count)].map { ($0, photos[$0], known[$0]) }
            let outcomes = Workers.map(
                tasks, threads: threads, chunk: 1, worker: { PhotoReader(now: now, roots: roots) },
                { reader, task in Self.read(task.1, part, task.2, reducer, &reader) })
            for (task, outcome) in zip(tasks, outcomes) {
                filesOpened += outcome.filesOpened
                bytesRead = bytesRead.addingClamped(outcome.bytesRead)
                if let obstacle = outcome.obstacle { note(photos[task.0], obstacle) }
                guard let identity = outcome.identity else { continue }
                known[task.0] = outcome.known
                let version = KnownSignatures.version
                index.keep(outcome.known.bytes, in: .signature, version: version, of: identity)
                if let grid = outcome.known.picture?.grid {
                    index.keep(grid.samples, in: .grid, version: version, of: identity)
                }
            }
            if SystemClock.nowNs() - lastSaved > Self.saveInterval {
                index.save()
                lastSaved = SystemClock.nowNs()
            }
        }
        if !ordered.isEmpty { report(activity, ordered.count, of: ordered.count, index.acceptsRows) }
    }

    private func report(_ activity: String, _ done: Int, of total: Int, _ isKept: Bool) {
        var event = Progress.Event(activity: activity, done: done, total: total)
        event.isKept = isKept
        progress.report(event)
    }

    /// A file that is no longer the one that was found is left alone: it is not what the rest of the search is about.
    private static func read(
        _ photo: Photo, _ part: Part, _ known: KnownSignatures, _ reducer: PictureReducer, _ reader: inout PhotoReader
    ) -> Outcome {
        var outcome = Outcome(known: known, filesOpened: 0, bytesRead: 0)
        guard !Interrupt.isRequested, let format = photo.format, let file = try? reader.open(photo.path),
            let status = try? file.status(), status.kind == .regular, status.identity == photo.identity
        else { return outcome }
        let byteCount = status.identity.bytes
        outcome.filesOpened = 1
        if part == .thumbnail {
            let found: ReducedPicture?
            do throws(PictureError) {
                found = try reducer.thumbnail(
                    file, byteCount: byteCount, format, width: photo.width ?? 0, height: photo.height ?? 0)
            } catch {
                if case .file = error {
                    outcome.obstacle = obstacle(error)
                    return outcome
                }
                found = nil
            }
            if let thumbnail = found {
                outcome.known.thumbnail = PictureSignature(thumbnail, isOfThumbnail: true)
                outcome.bytesRead = min(byteCount, 64 << 10)
                outcome.identity = status.identity
                return outcome
            }
            outcome.known.hasNoThumbnail = true
            outcome.identity = status.identity
            if known.picture != nil { return outcome }
        }
        outcome.bytesRead = byteCount
        do throws(PictureError) {
            let picture = try reducer.picture(file, byteCount: byteCount, format, duration: photo.duration)
            outcome.known.picture = PictureSignature(picture, isOfThumbnail: false)
        } catch {
            outcome.obstacle = obstacle(error)
            if error.mayPass { return outcome }
            outcome.known.isUnreadable = true
        }
        outcome.identity = status.identity
        return outcome
    }
}

extension PictureSignature {
    init?(_ picture: ReducedPicture, isOfThumbnail: Bool) {
        guard let luma = LumaView(width: picture.width, height: picture.height, samples: picture.luma) else {
            return nil
        }
        self.init(
            luma, color: ColorSignature(blue: picture.blue, red: picture.red), isOfThumbnail: isOfThumbnail)
    }
}

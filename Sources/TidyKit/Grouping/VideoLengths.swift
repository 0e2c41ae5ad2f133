/// How long videos are: only those of one length can show the same. A film that was cut is not the film.
struct VideoLengths {
    /// The most by which the lengths of two encodings of one film differ: as a part of the longer one, and in seconds.
    private static let mostOfAll = 0.01
    private static let mostSeconds = 0.5

    /// Whether another video has the length of each.
    let hasPartner: [Bool]

    /// - Parameter seconds: nil where it is unknown.
    init(_ seconds: [Double?]) {
        let known = seconds.indices.filter { seconds[$0] != nil }.sorted { seconds[$0]! < seconds[$1]! }
        var hasPartner = [Bool](repeating: false, count: seconds.count)
        // Where any other length agrees, so does that of a neighbour.
        for (shorter, longer) in zip(known, known.dropFirst()) where Self.agree(seconds[shorter], seconds[longer]) {
            hasPartner[shorter] = true
            hasPartner[longer] = true
        }
        self.hasPartner = hasPartner
    }

    /// False where one is unknown.
    static func agree(_ left: Double?, _ right: Double?) -> Bool {
        guard let left, let right, left > 0, right > 0 else { return false }
        let apart = abs(left - right)
        return apart <= mostSeconds && apart <= mostOfAll * max(left, right)
    }
}

extension Photo {
    /// False for a video beside a still, and for videos of different or unknown lengths.
    func mayLookLike(_ other: Photo) -> Bool {
        let areVideos = (format?.kind == .video, other.format?.kind == .video)
        guard areVideos.0 || areVideos.1 else { return true }
        return areVideos.0 && areVideos.1 && VideoLengths.agree(duration, other.duration)
    }
}

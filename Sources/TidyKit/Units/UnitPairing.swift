/// Pairs the files of a group: RAW with JPEG, video with still, thumbnail with video. A file that could belong to
/// several is paired with none.
struct UnitPairing {
    typealias Member = UnitConfirmation.Member

    private let members: [Member]
    /// Maps members to the main file of their unit, by index.
    private var mainOf: [Int: Int] = [:]

    /// The longest video, in seconds, that is a Live video by name alone.
    private static let maximumLiveSeconds = 15.0
    /// The largest difference, in seconds, between the dates of one shot.
    private static let maximumGap: Int64 = 86400

    init(_ members: [Member]) {
        self.members = members
        pairRaw()
        pairLive()
        pairParts()
    }

    /// The index of the main file of a member; a main file's own index.
    func main(of place: Int) -> Int { mainOf[place] ?? place }

    // MARK: RAW

    /// Pairs a RAW with the JPEG of the same shot, otherwise with the HEIC.
    private mutating func pairRaw() {
        for place in members.indices where members[place].isStill && members[place].format?.kind == .raw {
            let pictures = members.indices.filter {
                members[$0].stem == members[place].stem && isCameraPicture($0) && isOneShot(place, $0)
            }
            let jpegs = pictures.filter { members[$0].format == .jpeg }
            let choice = jpegs.isEmpty ? pictures : jpegs
            if choice.count == 1 { mainOf[place] = choice[0] }
        }
    }

    private func isCameraPicture(_ place: Int) -> Bool {
        members[place].isStill && (members[place].format == .jpeg || members[place].format == .heic)
    }

    /// False if the makers differ, or the dates are too far apart.
    private func isOneShot(_ one: Int, _ other: Int) -> Bool {
        if let make = members[one].maker, let second = members[other].maker, make != second { return false }
        return !areDaysApart(one, other)
    }

    private func areDaysApart(_ one: Int, _ other: Int) -> Bool {
        // UTC, so that the result does not depend on the local time zone.
        guard let first = members[one].taken?.utc(in: .utc).seconds,
            let second = members[other].taken?.utc(in: .utc).seconds
        else {
            return false
        }
        return abs(first - second) > Self.maximumGap
    }

    // MARK: Live Photo

    /// Pairs a video with the still that has the same identifier. If not both have one, pairs a short video with the
    /// only still of the same stem.
    private mutating func pairLive() {
        let stills = members.indices.filter { members[$0].isStill && mainOf[$0] == nil }
        var claims: [Int: [(video: Int, hasIdentifier: Bool)]] = [:]
        for video in members.indices where isFilm(video) {
            let matching = stills.filter { members[$0].agrees(with: members[video]) }
            if let best = Self.best(of: matching.map { members[$0] }, stem: members[video].stem),
                let still = matching.first(where: { members[$0].index == best.index })
            {
                claims[still, default: []].append((video, true))
            } else if matching.isEmpty, let still = only(of: stills, besides: video) {
                claims[still, default: []].append((video, false))
            }
        }
        for (still, videos) in claims {
            let identified = videos.filter(\.hasIdentifier)
            for video in identified { mainOf[video.video] = still }
            if identified.isEmpty, videos.count == 1 { mainOf[videos[0].video] = still }
        }
    }

    private func isFilm(_ place: Int) -> Bool {
        members[place].format?.kind == .video && members[place].role == .media && !members[place].isOffline
    }

    /// The only still of its stem with which names and dates allow to pair the video.
    private func only(of stills: [Int], besides video: Int) -> Int? {
        guard let duration = members[video].duration, duration <= Self.maximumLiveSeconds else { return nil }
        let siblings = stills.filter { members[$0].stem == members[video].stem }
        var candidates = siblings.filter(isCameraPicture)
        if candidates.isEmpty { candidates = siblings.filter { members[$0].format == .dng } }
        candidates = candidates.filter { still in
            (members[still].contentIdentifier == nil || members[video].contentIdentifier == nil)
                && !areDaysApart(still, video)
        }
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// Of several stills with one identifier: the one with the video's stem, then the HEIC, then the camera's own, then
    /// the first.
    static func best(of stills: [Member], stem: Int?) -> Member? {
        func rank(_ still: Member) -> Int {
            (still.stem == stem ? 0 : 4) + (still.format == .heic ? 0 : 2) + (still.isOfCamera ? 0 : 1)
        }
        return stills.min { rank($0) < rank($1) }
    }

    // MARK: Thumbnails and small copies

    /// Pairs `.THM` and `.LRV` with the video of their stem, or a thumbnail without a video with the RAW.
    private mutating func pairParts() {
        for part in members.indices where members[part].role != .media && !members[part].isOffline {
            let siblings = members.indices.filter { members[$0].stem == members[part].stem }
            var owners = Set(siblings.filter(isFilm).map(main))
            if owners.isEmpty, members[part].role == .thumbnail {
                owners = Set(siblings.filter { members[$0].isStill && members[$0].format?.kind == .raw }.map(main))
            }
            if owners.count == 1, let owner = owners.first { mainOf[part] = owner }
        }
    }
}

extension UnitConfirmation.Member {
    /// The first word of the make, in lower case: `nikon` for `NIKON CORPORATION`.
    fileprivate var maker: String? {
        make?.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() }
    }

    /// True for the output of a camera, with its date and model, rather than an export by another program.
    fileprivate var isOfCamera: Bool { hasModel && taken?.source == .dateTimeOriginal }
}

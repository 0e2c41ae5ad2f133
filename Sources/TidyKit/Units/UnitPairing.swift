/// Which files of a group go with which: RAW with JPEG, video with still, thumbnail with film. What could belong to several
/// belongs to none.
struct UnitPairing {
    typealias Member = UnitConfirmation.Member

    private let members: [Member]
    /// By places in `members`: the main file that a file goes with.
    private var mainOf: [Int: Int] = [:]

    /// A Live video by its name alone lasts no longer; seconds.
    private static let longestLive = 15.0
    /// Dates further apart are those of two shots; seconds.
    private static let longestGap: Int64 = 86400

    init(_ members: [Member]) {
        self.members = members
        pairRaw()
        pairLive()
        pairParts()
    }

    /// The place of the main file that the file at `place` goes with; itself for a main file.
    func main(of place: Int) -> Int { mainOf[place] ?? place }

    // MARK: RAW

    /// A RAW goes with the JPEG of its shot, else with the HEIC.
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

    /// False where the makers differ, or the dates.
    private func isOneShot(_ one: Int, _ other: Int) -> Bool {
        if let make = members[one].maker, let second = members[other].maker, make != second { return false }
        return !areDaysApart(one, other)
    }

    private func areDaysApart(_ one: Int, _ other: Int) -> Bool {
        // Results are the same wherever they are looked at.
        guard let first = members[one].taken?.utc(in: .utc).seconds,
            let second = members[other].taken?.utc(in: .utc).seconds
        else {
            return false
        }
        return abs(first - second) > Self.longestGap
    }

    // MARK: Live Photo

    /// A video goes with the still that has its identifier; where not both have one, a short video with the only still of
    /// its stem.
    private mutating func pairLive() {
        let stills = members.indices.filter { members[$0].isStill && mainOf[$0] == nil }
        var claims: [Int: [(video: Int, isSure: Bool)]] = [:]
        for video in members.indices where isFilm(video) {
            let agreeing = stills.filter { members[$0].agrees(with: members[video]) }
            if let best = Self.best(of: agreeing.map { members[$0] }, stem: members[video].stem),
                let still = agreeing.first(where: { members[$0].index == best.index })
            {
                claims[still, default: []].append((video, true))
            } else if agreeing.isEmpty, let still = only(of: stills, besides: video) {
                claims[still, default: []].append((video, false))
            }
        }
        for (still, videos) in claims {
            let sure = videos.filter(\.isSure)
            for video in sure { mainOf[video.video] = still }
            if sure.isEmpty, videos.count == 1 { mainOf[videos[0].video] = still }
        }
    }

    private func isFilm(_ place: Int) -> Bool {
        members[place].format?.kind == .video && members[place].role == .media && !members[place].isOffline
    }

    /// The only still of its stem that a video could be the moving half of, as far as names and dates tell.
    private func only(of stills: [Int], besides video: Int) -> Int? {
        guard let duration = members[video].duration, duration <= Self.longestLive else { return nil }
        let siblings = stills.filter { members[$0].stem == members[video].stem }
        var candidates = siblings.filter(isCameraPicture)
        if candidates.isEmpty { candidates = siblings.filter { members[$0].format == .dng } }
        candidates = candidates.filter { still in
            (members[still].contentIdentifier == nil || members[video].contentIdentifier == nil)
                && !areDaysApart(still, video)
        }
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// Of several stills with one identifier: that of the video's stem, the HEIC, the camera's own, the first.
    static func best(of stills: [Member], stem: Int?) -> Member? {
        func rank(_ still: Member) -> Int {
            (still.stem == stem ? 0 : 4) + (still.format == .heic ? 0 : 2) + (still.isOfCamera ? 0 : 1)
        }
        return stills.min { rank($0) < rank($1) }
    }

    // MARK: Thumbnails and small copies

    /// `.THM` and `.LRV` go with the film of their stem; without a film, a thumbnail with the RAW.
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
    /// The first word of the make, in lower case: `NIKON CORPORATION` is `Nikon`.
    fileprivate var maker: String? {
        make?.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() }
    }

    /// True for what a camera wrote, with its date and model, rather than a program that exported it.
    fileprivate var isOfCamera: Bool { hasModel && taken?.source == .dateTimeOriginal }
}

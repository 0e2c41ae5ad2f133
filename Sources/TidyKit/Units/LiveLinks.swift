/// Finds the videos of Live Photos whose still has another stem, by the content identifier that both contain. It opens
/// as few files as possible: possible videos, and stills only if one of these videos has no still yet.
enum LiveLinks {
    struct Link: Hashable, Sendable {
        let video: Int
        let still: Int
    }

    /// - Parameters:
    ///   - focus: the groups of interest; nil for the whole folder.
    ///   - read: returns what is known of files, by index, after they are opened. A file that is missing from the
    ///     result
    ///   is not media, or is gone.
    static func find<Failure: Error>(
        in companions: Companions, focus: [Int]? = nil,
        read: ([Int]) throws(Failure) -> [Int: UnitConfirmation.Member]
    ) throws(Failure) -> [Link] {
        let videos = companions.possibleVideos
        guard !videos.isEmpty else { return [] }
        var known: [Int: UnitConfirmation.Member] = [:]
        func open(_ files: [Int]) throws(Failure) {
            let new = files.filter { known[$0] == nil }
            if new.isEmpty { return }
            known.merge(try read(new)) { first, _ in first }
        }
        if let focus {
            let files = focus.flatMap { companions.groups[$0].files }
            try open(files)
            // Without an identifier, none of these videos has a still elsewhere.
            guard files.contains(where: { known[$0]?.contentIdentifier != nil }) else { return [] }
        }
        try open(videos)
        var groupOf: [Int: Int] = [:]
        for (group, files) in companions.groups.lazy.map(\.files).enumerated() {
            for file in files { groupOf[file] = group }
        }
        let live = videos.filter { known[$0]?.isLiveVideo ?? false }
        try open(live.flatMap { groupOf[$0].map { companions.groups[$0].files } ?? [] })
        let unpaired = live.filter { video in
            let siblings = groupOf[video].map { companions.groups[$0].files } ?? []
            return !siblings.contains { known[$0].map { $0.isStill && $0.agrees(with: known[video]) } ?? false }
        }
        guard !unpaired.isEmpty else { return [] }
        try open(companions.groups.flatMap(\.files).filter { MediaName.role(companions.names[$0]) == .media })
        var stills: [String: [UnitConfirmation.Member]] = [:]
        // By name, independent of the order in which the folder was read.
        for file in companions.groups.lazy.flatMap(\.files) {
            guard let member = known[file], member.isStill, let identifier = member.contentIdentifier else { continue }
            stills[identifier, default: []].append(member)
        }
        return unpaired.compactMap { video in
            guard let identifier = known[video]?.contentIdentifier,
                let still = UnitPairing.best(of: stills[identifier] ?? [], stem: nil)
            else { return nil }
            return Link(video: video, still: still.index)
        }
    }
}

extension UnitConfirmation.Member {
    fileprivate var isLiveVideo: Bool { format?.kind == .video && role == .media && contentIdentifier != nil }

    /// True for a possible still of a Live Photo.
    var isStill: Bool {
        guard role == .media, !isOffline, let kind = format?.kind else { return false }
        return kind != .video
    }

    func agrees(with other: UnitConfirmation.Member?) -> Bool {
        contentIdentifier != nil && contentIdentifier == other?.contentIdentifier
    }
}

extension Companions {
    /// The files that may be Live videos, by their names. Only these are opened to find their stills.
    package var possibleVideos: [Int] {
        groups.lazy.flatMap(\.files).filter { MediaName.mayBeVideo(names[$0]) }
    }

    /// True if there is a still for the video's name: `IMG_1.HEIC` for `IMG_1_HEVC.MOV`, `UUID.jpeg` for `UUID_3.mov`.
    package func hasStill(ofVideo name: [UInt8]) -> Bool {
        let stem = NameKeys.stem(name)
        var stems = NameKeys.keys(ofName: name)
        for ending in ["_HEVC", "_3"] where stem.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            stems.append(stem.dropLast(ending.utf8.count))
        }
        return stems.contains { stem in
            files(ofStem: stem).contains { file in
                names[file] != name && MediaName.role(names[file]) == .media && !MediaName.mayBeVideo(names[file])
            }
        }
    }

    /// Groups that must be processed together: those that are joined by links, and each other group alone; sorted by
    /// stem.
    func clusters(joinedBy links: [LiveLinks.Link]) -> [[Int]] {
        guard !links.isEmpty else { return groups.indices.map { [$0] } }
        var groupOf: [Int: Int] = [:]
        for (group, files) in groups.lazy.map(\.files).enumerated() { for file in files { groupOf[file] = group } }
        var first = Array(groups.indices)
        func root(_ group: Int) -> Int {
            var group = group
            while first[group] != group { group = first[group] }
            return group
        }
        for link in links {
            guard let video = groupOf[link.video], let still = groupOf[link.still] else { continue }
            let (one, other) = (root(video), root(still))
            first[max(one, other)] = min(one, other)
        }
        var members: [Int: [Int]] = [:]
        for group in groups.indices { members[root(group), default: []].append(group) }
        return groups.indices.compactMap { members[$0] }
    }
}

extension Companions {
    /// Files that may be Live videos, by their names: only these are opened to find which still they belong to.
    public var possibleVideos: [Int] {
        groups.lazy.flatMap(\.files).filter { MediaName.mayBeVideo(names[$0]) }
    }

    /// True where a still of the video's name is here: `IMG_1.HEIC` of `IMG_1_HEVC.MOV`, `UUID.jpeg` of `UUID_3.mov`.
    public func hasStill(ofVideo name: [UInt8]) -> Bool {
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

    /// The groups that are one task: those that links join, and each other one by itself; in the order of their stems.
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

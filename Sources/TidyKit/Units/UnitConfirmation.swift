/// Decides, once the contents are known, which files of a group are one photo.
public enum UnitConfirmation {
    /// What the decision rests on.
    public struct Member: Sendable {
        public let index: Int
        public var format: MediaFormat?
        /// What the halves of a Live Photo share; nil where the file says none.
        public var contentIdentifier: String?
        /// A placeholder: its content is unknown, and it moves with nothing.
        public var isOffline: Bool
        /// By its name, a QuickTime file: MP4 brands are found in them too.
        public var isNamedMOV: Bool

        public init(
            index: Int, format: MediaFormat?, contentIdentifier: String? = nil, isOffline: Bool = false,
            isNamedMOV: Bool = false
        ) {
            self.index = index
            self.format = format
            self.contentIdentifier = contentIdentifier
            self.isOffline = isOffline
            self.isNamedMOV = isNamedMOV
        }
    }

    public struct Unit: Sendable, Equatable {
        public var main: Int
        /// Media files, without sidecars.
        public var media: [Int] = []
        public var sidecars: [Int] = []
        /// Those that may speak of the photo, shared ones too.
        public var xmpSidecars: [Int] = []
        public var takeoutSidecars: [Int] = []
        /// Sidecars that name the stem, which other photos have too.
        public var shared: [Int] = []
        public var traits = UnitTraits()

        fileprivate mutating func note(_ sidecar: NameGroup.Sidecar) {
            switch sidecar.kind {
            case .xmp: xmpSidecars.append(sidecar.index)
            case .takeout: takeoutSidecars.append(sidecar.index)
            case .adjustments: break
            }
        }
    }

    /// `members`: the files of the group that are media or placeholders, in the order of their names.
    public static func units(of members: [Member], sidecars: [NameGroup.Sidecar]) -> [Unit] {
        // Most files stand alone.
        if members.count == 1, sidecars.isEmpty { return [Unit(main: members[0].index)] }
        var mainOf: [Int: Int] = [:]
        pairRaw(members, &mainOf)
        pairLive(members, &mainOf)
        var units: [Unit] = []
        for member in members where mainOf[member.index] == nil {
            var unit = Unit(main: member.index)
            for other in members where mainOf[other.index] == member.index {
                unit.media.append(other.index)
                switch other.format?.kind {
                case .raw: other.format.map { unit.traits.rawFormats.append($0) }
                case .video: unit.traits.hasLive = true
                default: break
                }
            }
            units.append(unit)
        }
        for sidecar in sidecars {
            // One that names the stem of several photos belongs to none of them.
            let owner: Int? =
                if let target = sidecar.target {
                    units.firstIndex { $0.main == target || $0.media.contains(target) }
                } else {
                    units.count == 1 ? 0 : nil
                }
            guard let owner else {
                guard sidecar.target == nil else { continue }
                for index in units.indices { units[index].shared.append(sidecar.index) }
                // `STEM.xmp` is about the RAW where there is one.
                let raws = units.indices.filter { hasRaw(units[$0], members) }
                let isAboutRaw = sidecar.kind == .xmp && !raws.isEmpty
                for index in isAboutRaw ? raws : Array(units.indices) { units[index].note(sidecar) }
                continue
            }
            units[owner].sidecars.append(sidecar.index)
            units[owner].traits.hasSidecar = true
            units[owner].note(sidecar)
        }
        return units
    }

    private static func hasRaw(_ unit: Unit, _ members: [Member]) -> Bool {
        members.contains { $0.format?.kind == .raw && ($0.index == unit.main || unit.media.contains($0.index)) }
    }

    /// RAW files go with the only JPEG or HEIC beside them.
    private static func pairRaw(_ members: [Member], _ mainOf: inout [Int: Int]) {
        let pictures = members.filter(isCameraPicture)
        guard pictures.count == 1 else { return }
        for member in members where member.format?.kind == .raw && !member.isOffline {
            mainOf[member.index] = pictures[0].index
        }
    }

    /// The video of a Live Photo goes with the still that has its identifier; without identifiers, with the only still.
    private static func pairLive(_ members: [Member], _ mainOf: inout [Int: Int]) {
        var stills = members.filter(isCameraPicture)
        if stills.isEmpty { stills = members.filter { $0.format == .dng && !$0.isOffline } }
        var claims: [Int: [(video: Int, isSure: Bool)]] = [:]
        for video in members where video.format?.kind == .video && !video.isOffline {
            let agreeing = stills.filter {
                $0.contentIdentifier != nil && $0.contentIdentifier == video.contentIdentifier
            }
            if agreeing.count == 1 {
                claims[agreeing[0].index, default: []].append((video.index, true))
            } else if agreeing.isEmpty, stills.count == 1, video.format == .mov || video.isNamedMOV,
                stills[0].contentIdentifier == nil || video.contentIdentifier == nil
            {
                claims[stills[0].index, default: []].append((video.index, false))
            }
        }
        for (still, videos) in claims {
            let sure = videos.filter(\.isSure)
            for video in sure { mainOf[video.video] = still }
            if sure.isEmpty, videos.count == 1 { mainOf[videos[0].video] = still }
        }
    }

    private static func isCameraPicture(_ member: Member) -> Bool {
        (member.format == .jpeg || member.format == .heic) && !member.isOffline
    }
}

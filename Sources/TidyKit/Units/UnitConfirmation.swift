/// Decides which files of a group are one photo, once their contents are known.
package enum UnitConfirmation {
    /// The data on which the decision is based.
    package struct Member: Sendable {
        package let index: Int
        /// Which stem it has, if several groups were joined.
        package var stem: Int
        let role: MediaName.Role
        /// A placeholder has unknown content, and moves with no other file.
        package var isOffline: Bool
        /// False if the content is neither a photo nor a video: such a file can be a companion but not a photo.
        package var isMedia = true
        package var format: MediaFormat?
        /// The identifier that both parts of a Live Photo share; nil if the file has none.
        package var contentIdentifier: String?
        /// In seconds.
        package var duration: Double?
        /// From the content.
        package var taken: CaptureDate?
        package var make: String?
        package var hasModel = false

        /// - Parameter name: as listed in the folder.
        package init(index: Int, name: [UInt8], stem: Int = 0) {
            self.index = index
            self.stem = stem
            isOffline = CloudStub.originalName(name) != nil
            role = MediaName.role(CloudStub.originalName(name).map(Array.init) ?? name)
        }
    }

    /// One photo of those that the names of a group suggested. All numbers are indices into the names.
    package struct Unit: Sendable, Equatable {
        package var main: Int
        /// Media files, without sidecars.
        package var media: [Int] = []
        package var sidecars: [Int] = []
        /// Sidecars that may describe the photo: its own, shared ones, and the JSON file of its original.
        package var xmpSidecars: [Int] = []
        package var takeoutSidecars: [Int] = []
        /// Sidecars that name a stem which other photos have too.
        package var shared: [Int] = []
        package var traits = UnitTraits()
        /// The stems of its files.
        fileprivate var stems: Set<Int> = []

        func contains(_ file: Int) -> Bool { main == file || media.contains(file) }

        fileprivate mutating func attach(_ sidecar: NameGroup.Sidecar) {
            switch sidecar.kind {
            case .xmp: xmpSidecars.append(sidecar.index)
            case .takeout: takeoutSidecars.append(sidecar.index)
            default: break
            }
        }
    }

    /// - Parameter members: the files of the group that are media, companions or placeholders, sorted by name.
    package static func units(of members: [Member], sidecars: [NameGroup.Sidecar]) -> [Unit] {
        // A shortcut: most groups have one file.
        if members.count == 1, sidecars.isEmpty { return members[0].isMedia ? [Unit(main: members[0].index)] : [] }
        let pairing = UnitPairing(members)
        var units: [Unit] = []
        for place in members.indices where pairing.main(of: place) == place && members[place].isMedia {
            var unit = Unit(main: members[place].index)
            unit.stems = [members[place].stem]
            for other in members.indices where other != place && pairing.main(of: other) == place {
                unit.media.append(members[other].index)
                unit.stems.insert(members[other].stem)
                note(members[other], &unit.traits)
            }
            units.append(unit)
        }
        for sidecar in sidecars { place(sidecar, members, &units) }
        return units
    }

    private static func note(_ member: Member, _ traits: inout UnitTraits) {
        switch (member.role, member.format?.kind) {
        case (.thumbnail, _), (.proxy, _): traits.hasSidecar = true
        case (.media, .raw): member.format.map { traits.rawFormats.append($0) }
        case (.media, .video): traits.hasLive = true
        default: break
        }
        traits.hasRaw = !traits.rawFormats.isEmpty
    }

    /// Assigns a sidecar to its unit. A sidecar that names the stem of several photos is shared by them.
    private static func place(_ sidecar: NameGroup.Sidecar, _ members: [Member], _ units: inout [Unit]) {
        let owners = units.indices.filter { isOwner(units[$0], of: sidecar, members) }
        if sidecar.isOfOriginal {
            for owner in owners { units[owner].attach(sidecar) }
        } else if owners.count == 1 {
            units[owners[0]].sidecars.append(sidecar.index)
            units[owners[0]].traits.hasSidecar = true
            units[owners[0]].attach(sidecar)
        } else {
            for owner in owners { units[owner].shared.append(sidecar.index) }
            // `STEM.xmp` describes the RAW file if there is one.
            let raws = sidecar.kind == .xmp ? owners.filter { holds(units[$0], .raw, members, sidecar.stem) } : []
            for owner in raws.isEmpty ? owners : raws { units[owner].attach(sidecar) }
        }
    }

    private static func isOwner(_ unit: Unit, of sidecar: NameGroup.Sidecar, _ members: [Member]) -> Bool {
        if let target = sidecar.target { return unit.contains(target) }
        guard unit.stems.contains(sidecar.stem) else { return false }
        switch sidecar.kind {
        case .subtitles: return holds(unit, .video, members, sidecar.stem)
        case .sound:
            return holds(unit, .photo, members, sidecar.stem) || holds(unit, .raw, members, sidecar.stem)
        default: return true
        }
    }

    private static func holds(_ unit: Unit, _ kind: MediaKind, _ members: [Member], _ stem: Int) -> Bool {
        members.contains {
            $0.role == .media && $0.stem == stem && $0.format?.kind == kind && unit.contains($0.index)
        }
    }
}

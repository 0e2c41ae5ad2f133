import Support
import Testing

@testable import TidyKit

/// Folders of names, dates and identifiers that chance throws together.
@Suite struct RandomUnitsTests {
    private struct File {
        let name: String
        var format: MediaFormat?
        var identifier: String?
        var seconds: Double?
        var day: Int?
        var make: String?
    }

    private static let stems = [
        "IMG_1234", "IMG_E1234", "IMG_O1234", "IMG_1234_O", "IMG_1234_HEVC", "IMG_1234_3", "IMG_1234_01", "GH010001",
        "GX010001", "GL010001", "P.MP", "P", "P.RAW-01.COVER", "P.RAW-02.ORIGINAL", "a", "a-edited", "a(1)", "DSC_0001",
    ]
    private static let stills: [(String, MediaFormat)] = [
        ("jpg", .jpeg), ("JPG", .jpeg), ("HEIC", .heic), ("dng", .dng), ("cr2", .cr2), ("png", .png), ("THM", .jpeg),
    ]
    private static let films: [(String, MediaFormat)] = [
        ("MOV", .mov), ("mov", .mov), ("MP4", .mp4), ("MP", .mp4), ("LRV", .mp4),
    ]
    private static let sidecars = ["xmp", "AAE", "json", "pp3", "on1", "srt", "WAV", "txt"]

    private static func folder(_ random: inout SeededRandom) -> [File] {
        var files: [String: File] = [:]
        for _ in 0..<Int.random(in: 1...14, using: &random) {
            let stem = stems.randomElement(using: &random)!
            let day = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
            let identifier = [nil, nil, "A", "B"].randomElement(using: &random)!
            let make = [nil, "Apple", "NIKON CORPORATION", "Nikon"].randomElement(using: &random)!
            switch Int.random(in: 0...9, using: &random) {
            case 0...3:
                let (ending, format) = stills.randomElement(using: &random)!
                let name = stem + "." + ending
                files[name] = File(name: name, format: format, identifier: identifier, day: day, make: make)
            case 4...6:
                let (ending, format) = films.randomElement(using: &random)!
                let name = stem + "." + ending
                let seconds = ([nil, 2, 15, 16, 90] as [Double?]).randomElement(using: &random)!
                files[name] = File(name: name, format: format, identifier: identifier, seconds: seconds, day: day)
            default:
                let about = Bool.random(using: &random) ? "." + stills.randomElement(using: &random)!.0 : ""
                let name = stem + about + "." + sidecars.randomElement(using: &random)!
                files[name] = File(name: name)
            }
        }
        return files.values.sorted { $0.name < $1.name }
    }

    private struct Outcome: Equatable {
        /// Main file, then media and sidecars in the order of their names.
        var units: Set<[String]> = []
        var shared: Set<String> = []
        var orphans: Set<String> = []
        var left: Set<String> = []
        /// Each time that a file was given to a unit.
        var owned: [String] = []
    }

    private static func outcome(_ files: [File]) -> Outcome {
        let names = files.map { Array($0.name.utf8) }
        let companions = Companions(names)
        func members(_ indices: [Int]) -> [Int: UnitConfirmation.Member] {
            var members: [Int: UnitConfirmation.Member] = [:]
            for index in indices {
                let file = files[index]
                var member = UnitConfirmation.Member(index: index, name: names[index])
                member.isMedia = file.format != nil
                member.format = file.format
                member.contentIdentifier = file.identifier
                member.duration = file.seconds
                member.make = file.make
                member.taken = file.day.flatMap { WallClock(year: 2024, month: 5, day: $0) }.map {
                    CaptureDate(wall: $0, source: .dateTimeOriginal)
                }
                if member.isMedia || member.role != .media { members[index] = member }
            }
            return members
        }
        let links = LiveLinks.find(in: companions) { members($0) }
        var outcome = Outcome()
        outcome.orphans = Set(companions.orphans.map { files[$0].name })
        for cluster in companions.clusters(joinedBy: links) {
            let groups = cluster.map { companions.groups[$0] }
            var all: [UnitConfirmation.Member] = []
            var sidecars: [NameGroup.Sidecar] = []
            for (stem, group) in groups.enumerated() {
                let known = members(group.files)
                for index in group.files {
                    guard var member = known[index] else { continue }
                    member.stem = stem
                    all.append(member)
                }
                for var sidecar in group.sidecars {
                    sidecar.stem = stem
                    sidecars.append(sidecar)
                }
            }
            for unit in UnitConfirmation.units(of: all, sidecars: sidecars) {
                let companions = (unit.media + unit.sidecars).map { files[$0].name }
                outcome.units.insert([files[unit.main].name] + companions.sorted())
                outcome.owned += [files[unit.main].name] + companions
                outcome.shared.formUnion(unit.shared.map { files[$0].name })
            }
        }
        let placed = Set(outcome.owned).union(outcome.shared).union(outcome.orphans)
        outcome.left = Set(files.map(\.name)).subtracting(placed)
        return outcome
    }

    @Test(arguments: 0..<20) func everyFileHasOnePlaceWhateverTheOrder(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<250 {
            let files = Self.folder(&random)
            let names = files.map(\.name).sorted()
            let found = Self.outcome(files)
            #expect(Set(found.owned).count == found.owned.count, "in two units: \(names)")
            #expect(found.shared.isDisjoint(with: found.owned), "\(names)")
            #expect(found.orphans.isDisjoint(with: found.shared.union(found.owned)), "\(names)")
            // All rows are media; files that are left over are not photos, and belong to none.
            #expect(found.left.allSatisfy { name in files.first { $0.name == name }?.format == nil }, "\(names)")
            for orphan in found.orphans {
                let base = FilePath(orphan).stem
                let main = names.first { name in
                    SidecarName(Array(name.utf8)) == nil
                        && (name.utf8.elementsEqual(base) || FilePath(name).stem == base)
                }
                #expect(main == nil, "orphan \(orphan) in \(names)")
            }
            for film in files where film.name.hasSuffix(".THM") {
                let own = found.units.first { $0[0] == film.name } ?? []
                #expect(!own.contains { isFilm($0, files) }, "\(names)")
            }
            #expect(Self.outcome(files.shuffled(using: &random)) == found, "another order: \(names)")
        }
    }

    private func isFilm(_ name: String, _ files: [File]) -> Bool {
        files.contains { $0.name == name && $0.format?.kind == .video }
    }
}

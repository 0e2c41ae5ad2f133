/// Searches the trashes of this user for files that runs put there, according to their `.trashinfo`. Anybody may have
/// written these: see `RunHistory.isForeign`.
struct TrashScan {
    /// A `.trashinfo` with our keys.
    struct Entry {
        let site: TrashSite
        let name: FilePath
        let origin: TrashInfo.Origin
        /// The original path: absolute, and below the top folder of the trash.
        let location: FilePath
        /// The identity of the file in the trash; nil if there is none.
        let identity: FileIdentity?

        /// A step with the operation `move`, whatever the `.trashinfo` names: only a journal can prove another one.
        var step: RunHistory.Step {
            var intent = JournalEntry.Intent(
                file: origin.file, unit: origin.unit, operation: .move, path: location, identity: origin.identity)
            (intent.trash, intent.name) = (site.root, name)
            var step = RunHistory.Step(intent: intent)
            // A copy has its own inode.
            if origin.operation != .move, let identity { step.identity = identity }
            return step
        }
    }

    private let environment: Environment
    private let reach: ReachablePaths

    init(_ environment: Environment, _ reach: ReachablePaths) {
        self.environment = environment
        self.reach = reach
    }

    var home: TrashSite { TrashSite.home(environment) }

    /// The home trash, and those of every mounted filesystem that answers.
    func sites() -> [TrashSite] {
        var sites = [home]
        // Reading below an automount point would mount a filesystem that nobody asked for.
        for top in MountTable.mounts().filter({ $0.kind != "autofs" }).map(\.point) where reach.isReachable(top) {
            let (shared, own) = TrashSite.sites(below: top)
            sites += [shared, own]
        }
        return sites.filter { (try? FileStatus.of($0.root.appending("info"))) != nil }
    }

    /// - Parameter id: the run; nil for all runs.
    static func entries(of id: RunID?, in sites: [TrashSite]) -> [Entry] {
        var entries: [Entry] = []
        for site in sites {
            guard let trash = try? Trash(site, creating: false),
                var stream = try? DirectoryStream(trash.info, path: site.root)
            else { continue }
            while let entry = try? stream.next() {
                guard entry.name.count > TrashInfo.suffix.utf8.count,
                    entry.name.suffix(TrashInfo.suffix.utf8.count).elementsEqual(TrashInfo.suffix.utf8)
                else { continue }
                let name = FilePath(entry.name.dropLast(TrashInfo.suffix.utf8.count))
                guard let info = trash.info(of: name), let origin = info.origin, id == nil || origin.run == id
                else { continue }
                entries.append(
                    Entry(
                        site: site, name: name, origin: origin, location: info.location,
                        identity: try? trash.files.status(of: name).identity))
            }
        }
        return entries.sorted { ($0.origin.run.text, $0.origin.file) < ($1.origin.run.text, $1.origin.file) }
    }
}

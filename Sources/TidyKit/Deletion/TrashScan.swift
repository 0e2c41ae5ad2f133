/// Looks into the trashes of this user for files that a run put there and no journal tells of any more.
enum TrashScan {
    /// A `.trashinfo` with our keys.
    struct Entry {
        let site: TrashSite
        let name: FilePath
        let origin: TrashInfo.Origin
        /// Absolute.
        let path: FilePath

        var step: RunHistory.Step {
            RunHistory.Step(
                intent: JournalEntry.Intent(
                    file: origin.file, unit: origin.unit, operation: origin.operation, path: path,
                    identity: origin.identity, trash: site.root, name: name))
        }
    }

    /// The home trash, and those of every filesystem that is mounted.
    static func sites(_ environment: Environment) -> [TrashSite] {
        let user = String(FileSystem.realUser)
        var sites = [TrashSite(root: environment.data.appending("Trash"), top: nil)]
        for top in MountTable.mountPoints() {
            sites.append(TrashSite(root: top.appending(".Trash").appending(user), top: top))
            sites.append(TrashSite(root: top.appending(".Trash-" + user), top: top))
        }
        return sites.filter { (try? FileStatus.of($0.root.appending("info"))) != nil }
    }

    /// - Parameter id: of one run; nil for those of all runs.
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
                guard let info = trash.information(of: name), let origin = info.origin, id == nil || origin.run == id
                else {
                    continue
                }
                entries.append(Entry(site: site, name: name, origin: origin, path: trash.location(ofNoted: info.path)))
            }
        }
        return entries.sorted { ($0.origin.run.text, $0.origin.file) < ($1.origin.run.text, $1.origin.file) }
    }
}

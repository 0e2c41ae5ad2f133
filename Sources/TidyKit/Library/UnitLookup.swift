/// Finds the photo unit of files that were named explicitly, by the same rules as a search of their folder. Lists each
/// folder once.
package struct UnitLookup: ~Copyable {
    private var reader: PhotoReader
    private let roots: LibraryRoots
    private var folders: [FilePath: Folder] = [:]
    /// The folder to which relative paths refer; read once.
    private var current: FilePath?

    private struct Folder {
        let path: FilePath
        let files: [[UInt8]]
        let companions: Companions
        /// The group of each file and sidecar, by name.
        let groupOf: [[UInt8]: Int]
        /// The units of the groups that were looked up.
        var units: [Int: [PhotoUnit]] = [:]
        var contents: [Int: IndexedContent] = [:]
    }

    /// - Parameter now: in UTC; later dates are rejected.
    /// - Parameter roots: the folders of the files.
    package init(now: WallClock, roots: LibraryRoots = LibraryRoots()) {
        reader = PhotoReader(now: now, roots: roots)
        self.roots = roots
    }

    /// The unit of `file`. If `main` is another path than `file`, the file is a companion. A sidecar of several photos
    /// is found with the first of them. Paths of the unit are spelled like `file`: `./a.jpg` has the companion
    /// `./a.mov`. Throws if the folder or a file of the unit cannot be read, because it is unknown then what belongs
    /// together.
    package mutating func unit(of file: FilePath) throws(LibraryError) -> PhotoUnit {
        let file = file.withoutTrailingSlashes
        let name = Array(file.lastComponent)
        let prefix = Array(file.bytes.dropLast(name.count))
        do throws(POSIXError) {
            if current == nil { current = try FilePath.workingDirectory() }
            let key = file.directory.absolute(in: current ?? .root)
            var folder: Folder
            if let known = folders.removeValue(forKey: key) {
                folder = known
            } else {
                folder = try list(file.directory)
            }
            defer { folders[key] = folder }
            guard let group = folder.groupOf[name] else { return PhotoUnit(main: file) }
            let units: [PhotoUnit]
            if let known = folder.units[group] {
                units = known
            } else {
                units = try confirm(&folder, group)
                folder.units[group] = units
            }
            let own = FilePath(name)
            guard
                let unit = units.first(where: { $0.main == own || $0.companions.contains(own) })
                    ?? units.first(where: { $0.shared?.files.contains(own) == true })
            else { return PhotoUnit(main: file) }
            func spelled(_ name: FilePath) -> FilePath { FilePath(prefix + name.bytes) }
            return PhotoUnit(
                main: spelled(unit.main), companions: unit.companions.map(spelled),
                shared: unit.shared.map { shared in
                    SharedSidecars(files: shared.files.map(spelled), photos: shared.photos.map(spelled))
                })
        } catch {
            if error.isMissing { throw .missing(file) }
            throw .unreadable(error)
        }
    }

    private func list(_ path: FilePath) throws(POSIXError) -> Folder {
        let files = try FolderListing.names(of: path, roots, includeHidden: true)
        let companions = Companions(files)
        var groupOf: [[UInt8]: Int] = [:]
        for (index, group) in companions.groups.enumerated() {
            for sidecar in group.sidecars where !sidecar.isOfOriginal { groupOf[files[sidecar.index]] = index }
            for file in group.files { groupOf[files[file]] = index }
        }
        return Folder(path: path, files: files, companions: companions, groupOf: groupOf)
    }

    /// The units of one group and of those that Live videos join with it, by name.
    private mutating func confirm(_ folder: inout Folder, _ group: Int) throws(POSIXError) -> [PhotoUnit] {
        let companions = folder.companions
        let links = try LiveLinks.find(in: companions, focus: [group]) { files throws(POSIXError) in
            try members(files, of: &folder)
        }
        let cluster = companions.clusters(joinedBy: links).first { $0.contains(group) } ?? [group]
        let groups = cluster.map { companions.groups[$0] }
        var all: [UnitConfirmation.Member] = []
        for (stem, group) in groups.enumerated() {
            // The content of a single file does not matter.
            let isAlone =
                cluster.count == 1 && group.files.count == 1 && !group.sidecars.contains(where: \.kind.needsContent)
            var known: [Int: UnitConfirmation.Member] = [:]
            if isAlone {
                for file in group.files { known[file] = .init(index: file, name: folder.files[file]) }
            } else {
                known = try members(group.files, of: &folder)
            }
            for file in group.files {
                guard var member = known[file] else { continue }
                member.stem = stem
                all.append(member)
            }
        }
        let sidecars = groups.enumerated().flatMap { stem, group in
            group.sidecars.map { sidecar in
                var sidecar = sidecar
                sidecar.stem = stem
                return sidecar
            }
        }
        return units(UnitConfirmation.units(of: all, sidecars: sidecars), folder.files)
    }

    private func units(_ units: [UnitConfirmation.Unit], _ files: [[UInt8]]) -> [PhotoUnit] {
        func name(_ index: Int) -> FilePath { FilePath(files[index]) }
        return units.map { unit in
            let sharing = units.filter { !Set($0.shared).isDisjoint(with: unit.shared) }
            return PhotoUnit(
                main: name(unit.main), companions: (unit.media + unit.sidecars).map(name).sorted(),
                shared: unit.shared.isEmpty
                    ? nil
                    : SharedSidecars(
                        files: unit.shared.map(name).sorted(), photos: sharing.map { name($0.main) }))
        }
    }

    /// Opens files that were not opened before. The result omits files that no longer exist or are not media;
    /// placeholders are never opened.
    private mutating func members(
        _ files: [Int], of folder: inout Folder
    ) throws(POSIXError) -> [Int: UnitConfirmation.Member] {
        var members: [Int: UnitConfirmation.Member] = [:]
        for file in files {
            let name = folder.files[file]
            var member = UnitConfirmation.Member(index: file, name: name)
            if !member.isOffline {
                let content: IndexedContent
                if let known = folder.contents[file] {
                    content = known
                } else {
                    content = try reader.read(folder.path.appending(name), formatOnly: false)?.content ?? .noMedia
                    folder.contents[file] = content
                }
                member.merge(content)
                if !member.isMedia, member.role == .media { continue }
            }
            members[file] = member
        }
        return members
    }
}

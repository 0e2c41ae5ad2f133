/// Finds the photo unit of files that were named outright. A folder is listed once, however many of its files are asked
/// for.
public struct UnitLookup: ~Copyable {
    private var reader: PhotoReader
    private var folders: [FilePath: Folder] = [:]
    /// Read once: the folder that relative paths start from.
    private var current: FilePath?

    private struct Folder {
        let files: [[UInt8]]
        let companions: Companions
        /// The group that a name is a file or a sidecar of.
        let groupOf: [[UInt8]: Int]
        var units: [Int: [PhotoUnit]] = [:]
    }

    /// - Parameter now: in UTC; bounds the dates that are believed.
    public init(now: WallClock) { reader = PhotoReader(now: now) }

    /// The unit that `file` is a part of. Where `main` is another path than `file`, the file is a companion; a sidecar of
    /// several photos is found with the first of them.
    /// Paths of the unit are spelled as `file` is: `./a.jpg` has the companion `./a.mov`. Throws where the folder or a
    /// file of the unit cannot be read: what belongs together is not known then.
    public mutating func unit(of file: FilePath) throws(LibraryError) -> PhotoUnit {
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
                units = try confirm(folder, group, in: file.directory)
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
        let files = try FolderListing.names(of: path, includeHidden: true)
        let companions = Companions(files)
        var groupOf: [[UInt8]: Int] = [:]
        for (index, group) in companions.groups.enumerated() {
            for file in group.files + group.sidecars.map(\.index) { groupOf[files[file]] = index }
        }
        return Folder(files: files, companions: companions, groupOf: groupOf)
    }

    /// The units of one group, by name; a lone file needs no look at its content.
    private mutating func confirm(
        _ folder: Folder, _ index: Int, in path: FilePath
    ) throws(POSIXError) -> [PhotoUnit] {
        let group = folder.companions.groups[index]
        var members: [UnitConfirmation.Member] = []
        for file in group.files {
            let name = folder.files[file]
            let isOffline = CloudStub.originalName(name) != nil
            var member = UnitConfirmation.Member(
                index: file, format: nil, isOffline: isOffline,
                isNamedMOV: FilePath(name).lowercasedExtension.elementsEqual("mov".utf8))
            if group.files.count > 1, !isOffline {
                guard let (content, _) = try reader.read(path.appending(name), formatOnly: false),
                    case .metadata(let metadata) = content
                else { continue }
                member.format = metadata.format
                member.contentIdentifier = metadata.contentIdentifier
            }
            members.append(member)
        }
        let units = UnitConfirmation.units(of: members, sidecars: group.sidecars)
        func name(_ index: Int) -> FilePath { FilePath(folder.files[index]) }
        return units.map { unit in
            PhotoUnit(
                main: name(unit.main), companions: (unit.media + unit.sidecars).map(name).sorted(),
                shared: unit.shared.isEmpty
                    ? nil
                    : SharedSidecars(files: unit.shared.map(name).sorted(), photos: units.map { name($0.main) }))
        }
    }
}

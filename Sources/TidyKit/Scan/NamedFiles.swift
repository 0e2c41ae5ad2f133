/// Files that the user named outright, by folder: one that was scanned as a whole has them already.
struct NamedFiles {
    struct Group {
        /// As the user wrote it in front of the first of the names.
        let prefix: [UInt8]
        let folder: FilePath
        var names: Set<[UInt8]>
    }

    private var groups: [FolderID: Group] = [:]
    private var order: [FolderID] = []

    mutating func add(_ file: FilePath, in id: FolderID) {
        let name = Array(file.lastComponent)
        guard groups[id] == nil else {
            groups[id]?.names.insert(name)
            return
        }
        let path = file.withoutTrailingSlashes
        let prefix = Array(path.bytes.dropLast(name.count))
        groups[id] = Group(prefix: prefix, folder: path.directory, names: [name])
        order.append(id)
    }

    /// The names in this folder, which need no look of their own any more.
    mutating func take(_ id: FolderID) -> Set<[UInt8]> { groups.removeValue(forKey: id)?.names ?? [] }

    /// The next folder in the order in which the user named them.
    mutating func next() -> Group? {
        while !order.isEmpty {
            if let group = groups.removeValue(forKey: order.removeFirst()) { return group }
        }
        return nil
    }
}

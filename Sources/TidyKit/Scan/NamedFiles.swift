/// Files that the user named individually, by folder. A folder that is scanned as a whole takes over its names.
struct NamedFiles {
    struct Group {
        /// The prefix that the user wrote before the names.
        let prefix: [UInt8]
        let folder: FilePath
        var names: Set<[UInt8]>
    }

    /// A folder has several groups if its files were spelled in several ways: `a.jpg ./b.jpg`.
    private var groups: [FileID: [Group]] = [:]
    private var order: [FileID] = []

    mutating func add(_ file: FilePath, in id: FileID) {
        let path = file.withoutTrailingSlashes
        let name = Array(path.lastComponent)
        let prefix = Array(path.bytes.dropLast(name.count))
        var own = groups[id] ?? []
        if own.contains(where: { $0.names.contains(name) }) { return }
        groups[id] = nil
        if let known = own.firstIndex(where: { $0.prefix == prefix }) {
            own[known].names.insert(name)
        } else {
            own.append(Group(prefix: prefix, folder: path.directory, names: [name]))
            order.append(id)
        }
        groups[id] = own
    }

    /// Removes and returns the names in this folder, because it is scanned as a whole.
    mutating func remove(_ id: FileID) -> Set<[UInt8]> {
        groups.removeValue(forKey: id)?.reduce(into: []) { $0.formUnion($1.names) } ?? []
    }

    /// The next folder, in the order in which the user named them.
    mutating func next() -> Group? {
        while !order.isEmpty {
            let id = order.removeFirst()
            guard var own = groups.removeValue(forKey: id), !own.isEmpty else { continue }
            let group = own.removeFirst()
            groups[id] = own
            return group
        }
        return nil
    }
}

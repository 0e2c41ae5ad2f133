/// A named set of photos in the order in which they were added. The first is the cover.
package struct Selection: Sendable, Equatable {
    /// A photo that was selected.
    package struct Member: Sendable, Hashable {
        /// Absolute, spelled as the user named it.
        package var path: FilePath
        /// The identity when it was added, or after our last own move.
        package var identity: FileIdentity

        package init(path: FilePath, identity: FileIdentity) {
            self.path = path
            self.identity = identity
        }
    }

    package let name: [UInt8]
    /// The maximum number of photos; 0 for no limit.
    package var limit: Int
    package private(set) var members: [Member]

    package static let standardName = Array("default".utf8)

    package init(name: [UInt8], limit: Int = 0, members: [Member] = []) {
        self.name = name
        self.limit = limit
        self.members = []
        for member in members where !self.members.contains(where: { $0.path == member.path }) {
            self.members.append(member)
        }
    }

    /// - Parameter unique: members whose paths are known to differ.
    init(name: [UInt8], limit: Int, unique members: [Member]) {
        self.name = name
        self.limit = limit
        self.members = members
    }

    /// True if a member has this path.
    package func contains(_ path: FilePath) -> Bool { members.contains { $0.path == path } }

    /// Appends the photos that are not members yet. Throws, and adds nothing, if that would exceed the limit.
    package mutating func add(_ added: [Member]) throws(SelectionError) {
        var known = Set(members.map(\.path))
        let new = added.filter { known.insert($0.path).inserted }
        try check(count: members.count + new.count, growing: !new.isEmpty)
        members += new
    }

    /// Removes the members among `paths`, and returns how many there were.
    @discardableResult
    package mutating func remove(_ paths: Set<FilePath>) -> Int {
        let count = members.count
        members.removeAll { paths.contains($0.path) }
        return count - members.count
    }

    /// Removes the members among `paths`. A path that is not a member removes all members below it; the folder need not
    /// exist.
    /// - Returns: how many members were removed.
    @discardableResult
    package mutating func remove(below paths: Set<FilePath>) -> Int {
        let folders = paths.subtracting(members.map(\.path))
        let inside = members.lazy.map(\.path).filter { member in folders.contains { member.isSameOrBelow($0) } }
        return remove(paths.union(folders.isEmpty ? [] : Set(inside)))
    }

    /// Removes all members and keeps the limit.
    package mutating func clear() { members = [] }

    /// Sets the limit. Throws if the selection has more members already.
    package mutating func setLimit(_ limit: Int) throws(SelectionError) {
        let old = self.limit
        self.limit = limit
        do { try check(count: members.count, growing: true) } catch {
            self.limit = old
            throw error
        }
    }

    private func check(count: Int, growing: Bool) throws(SelectionError) {
        if growing, limit > 0, count > limit { throw .overLimit(name: name, count: count, limit: limit) }
    }

    /// Puts a member back in its old place: after `after` if that is still a member, otherwise at `index`. A member
    /// that is already there only gets its new identity.
    mutating func reinsert(_ member: Member, index: Int, after: FilePath?) {
        if let place = members.firstIndex(where: { $0.path == member.path }) {
            members[place] = member
        } else if let after, let place = members.firstIndex(where: { $0.path == after }) {
            members.insert(member, at: place + 1)
        } else {
            members.insert(member, at: after == nil ? 0 : min(max(0, index), members.count))
        }
    }

    mutating func setIdentity(_ identity: FileIdentity, at index: Int) { members[index].identity = identity }
    mutating func setPath(_ path: FilePath, at index: Int) { members[index].path = path }
}

extension Selection {
    /// The lines of its file.
    var text: [UInt8] {
        var text: [UInt8] = []
        var header = LineWriter()
        header.word("selection")
        header.path(FilePath(name))
        header.number(limit)
        // A truncated file must not pass for a smaller selection.
        header.number(members.count)
        header.finish(into: &text, seed: name)
        for member in members {
            var line = LineWriter()
            line.word("photo")
            line.identity(member.identity)
            line.path(member.path)
            line.finish(into: &text, seed: name)
        }
        return text
    }

    /// Nil if it is not a selection, or is damaged.
    init?(text: [UInt8]) {
        var lines = text.split(separator: UInt8(ascii: "\n")).makeIterator()
        // The checksum of this line is seeded by the name that it contains, so the name is read first.
        guard let first = lines.next() else { return nil }
        let fields = first.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count == 5 else { return nil }
        let name = PercentEncoding.decode(fields[1])
        guard var header = LineReader(first, seed: name), header.word() == "selection", header.path() != nil,
            let limit = header.number(Int.self), let count = header.number(Int.self)
        else { return nil }
        var members: [Member] = []
        while let line = lines.next() {
            guard var fields = LineReader(line, seed: name), fields.word() == "photo",
                let identity = fields.identity(), let path = fields.path()
            else { return nil }
            members.append(Member(path: path, identity: identity))
        }
        guard members.count == count else { return nil }
        self.init(name: name, limit: limit, unique: members)
    }
}

/// A photo of a list: its path, and what else the list says about it.
package struct ListedPhoto: Hashable, Sendable {
    package var path: FilePath
    /// The identity when the list was made; nil if the list has none.
    package var identity: FileIdentity?
    package var isOffline: Bool
    /// Nil where the list does not say that it is in one.
    package var group: ListedGroup?

    package init(path: FilePath, identity: FileIdentity? = nil, isOffline: Bool = false) {
        self.path = path
        self.identity = identity
        self.isOffline = isOffline
    }
}

/// Why a selection cannot be changed or read; nothing was changed.
package enum SelectionError: Error, Equatable, Sendable {
    /// It would have `count` photos.
    case overLimit(name: [UInt8], count: Int, limit: Int)
    case nameTooLong([UInt8])
    case missing(FilePath)
    case notAPhoto(FilePath, reason: String)
    /// The file is damaged, or is not a selection.
    case damaged(name: [UInt8], FilePath)
    /// The file with the pairs that are not alike is damaged.
    case damagedPairs(FilePath)
    case failed(POSIXError)
    /// A folder that was named could not be searched.
    case library(LibraryError)
    /// A part of a folder that was named could not be read, so the selection would be incomplete.
    case incomplete(LibraryWarning)
}

extension SelectionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .overLimit(let name, let count, let limit):
            "selection \(String(decoding: name, as: UTF8.self)) is limited to \(limit) photos and would hold \(count); "
                + "nothing was added (raise it with --limit, or remove some)"
        case .nameTooLong(let name):
            "the selection name \(String(decoding: name.prefix(40), as: UTF8.self))… is too long"
        case .missing(let path): "\(path.displayText): no such file; nothing was added"
        case .notAPhoto(let path, let reason): "\(path.displayText) \(reason); nothing was added"
        case .damaged(let name, let path):
            "the selection \(String(decoding: name, as: UTF8.self)) cannot be read: \(path.displayText) is damaged; "
                + "restore it from a backup, or remove it"
        case .damagedPairs(let path):
            "the pairs of --not-alike cannot be read: \(path.displayText) is damaged; restore it from a backup, "
                + "or remove it, which forgets them"
        case .library(let error): error.description
        case .incomplete(let warning): "\(warning.description); nothing was selected"
        case .failed(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        }
    }
}

/// What a photo record says of the group of its photo.
package struct ListedGroup: Hashable, Sendable {
    package var kind: GroupMembership.Kind
    package var role: GroupMembership.Role
    /// The photo that stays.
    package var keep: FilePath
    /// Nil for look-alikes and bursts.
    package var sameness: ContentSameness?
}

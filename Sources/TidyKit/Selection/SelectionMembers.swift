/// Finds the members of a selection by the paths that a user names.
package enum SelectionMembers {
    /// The absolute path, without following links, as selections store it.
    package static func path(_ named: FilePath) throws(SelectionError) -> FilePath {
        do throws(POSIXError) { return try named.absolute() } catch { throw .failed(error) }
    }

    /// The photos that operands refer to: the photos of each folder in the order of `list`, and every other operand
    /// itself.
    package static func photos(
        named operands: [FilePath], now: WallClock, environment: Environment, progress: Progress = .none
    ) throws(SelectionError) -> [FilePath] {
        var photos: [FilePath] = []
        for operand in operands {
            guard (try? FileStatus.of(operand, followLinks: true))?.kind == .directory else {
                photos.append(operand)
                continue
            }
            let query = LibraryQuery(operands: [operand], order: SortOrder(.taken, reversed: true), now: now)
            let found: LibraryResult
            do throws(LibraryError) {
                found = try PhotoLibrary.photos(query, environment: environment, progress: progress)
            } catch { throw .library(error) }
            if let warning = found.warnings.first { throw .incomplete(warning) }
            photos += found.photos.map(\.path)
        }
        return photos
    }

    /// Splits `named` into the members of `selection`, as absolute paths, and the others, unchanged.
    static func parted(
        _ named: [FilePath], by selection: Selection
    ) throws(SelectionError) -> (members: Set<FilePath>, others: [FilePath]) {
        let known = Set(selection.members.map(\.path))
        var parts: (members: Set<FilePath>, others: [FilePath]) = ([], [])
        for name in named {
            let path = try path(name)
            if known.contains(path) { parts.members.insert(path) } else { parts.others.append(name) }
        }
        return parts
    }

    /// Reads the status of each file. Throws for the first that does not exist or is not a photo.
    static func members(_ named: [FilePath]) throws(SelectionError) -> [Selection.Member] {
        var members: [Selection.Member] = []
        members.reserveCapacity(named.count)
        for name in named {
            let path = try path(name)
            let status: FileStatus
            do throws(POSIXError) { status = try FileStatus.of(path) } catch {
                if error.isMissing { throw .missing(name) }
                throw .failed(error)
            }
            switch status.kind {
            case .regular where !NamedMedia.isIn(name): throw .notAPhoto(name, reason: "is not a photo or video")
            case .regular: members.append(Selection.Member(path: path, identity: status.identity))
            case .directory: throw .notAPhoto(name, reason: "is a folder: name the photos in it, or the folder as PATH")
            case .symbolicLink: throw .notAPhoto(name, reason: "is a symbolic link: name the photo itself")
            case .other: throw .notAPhoto(name, reason: "is not a file that holds a photo")
            }
        }
        return members
    }

    /// The state of a member compared with the time when it was added.
    package enum State: Sendable, Equatable {
        case same
        case vanished
        /// What differs since the photo was added.
        case changed(String)
    }

    /// Compares the file of a member with its identity.
    package static func state(of member: Selection.Member) -> State {
        guard let status = try? FileStatus.of(member.path) else { return .vanished }
        return status.identity.difference(from: member.identity).map { .changed($0) } ?? .same
    }
}

extension SelectionStore {
    /// How named photos change the members.
    package enum Change: String, Sendable { case set, add, toggle }

    /// Changes the members, all or nothing: a missing photo or an exceeded limit leaves the selection as it was.
    /// - Parameters:
    ///   - limit: the new limit; nil leaves it as it is.
    /// - Returns: the number of members afterwards.
    package func apply(
        _ change: Change, _ paths: [FilePath], limit: Int?, to name: [UInt8]
    ) throws(SelectionError) -> Int {
        var count = 0
        try self.change(name) { (selection) throws(SelectionError) in
            var new = selection
            // A photo that is removed need not exist any more.
            var (leaving, coming) = (Set<FilePath>(), paths)
            if change == .toggle { (leaving, coming) = try SelectionMembers.parted(paths, by: new) }
            let members = try SelectionMembers.members(coming)
            if change == .set { new.clear() }
            new.remove(leaving)
            if let limit { try new.setLimit(limit) }
            try new.add(members)
            selection = new
            count = new.members.count
        }
        return count
    }

    /// Removes photos, whether they exist or not.
    /// - Parameter takesFolders: if true, a path also removes all members below it.
    /// - Returns: the number of members that were removed.
    package func remove(_ paths: [FilePath], takesFolders: Bool, from name: [UInt8]) throws(SelectionError) -> Int {
        var absolute: Set<FilePath> = []
        for path in paths { absolute.insert(try SelectionMembers.path(path)) }
        var removed = 0
        try change(name) { selection in
            removed = takesFolders ? selection.remove(below: absolute) : selection.remove(absolute)
        }
        return removed
    }
}

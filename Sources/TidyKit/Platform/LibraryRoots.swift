internal import Glibc
internal import Synchronization

/// The folders that the paths of a run start from: operands, and the folders of files that were named. What leads to one
/// may hold links (a linked `~/Pictures` goes on working) and is followed once; below it no link is followed. Whoever
/// exchanges a folder for a link while the run is at work leads it nowhere.
package final class LibraryRoots: Sendable {
    private struct Root: Sendable {
        /// Absolute, without links.
        let path: FilePath
        /// Nil where too many are open: it is opened by its path again, and no link followed then.
        let folder: OpenFolder?
    }

    private struct State {
        var roots: [FilePath: Result<Root, POSIXError>] = [:]
        var open = 0
    }

    private let state = Mutex(State())
    private static let mostOpen = 64
    /// Links that are exchanged faster than they can be followed.
    private static let attempts = 16

    package init() {}

    /// Notes a folder, by the words that the paths below it will begin with.
    package func add(_ folder: FilePath) {
        let folder = folder.withoutTrailingSlashes
        state.withLock { state in _ = Self.root(folder, &state) }
    }

    /// Notes a folder that was resolved before: no link is followed on the way to it either.
    func add(resolved folder: FilePath) {
        state.withLock { state in
            if state.roots[folder] == nil { state.roots[folder] = .success(Root(path: folder, folder: nil)) }
        }
    }

    /// Opens a folder, and follows no link below the one that was noted. A path which lies below none that was noted is resolved
    /// now, and counts from now on.
    func open(folder: FilePath) throws(POSIXError) -> OpenFolder {
        let (root, below) = try place(of: folder.withoutTrailingSlashes)
        let location = below.bytes.isEmpty ? root.path : root.path.appending(below.bytes)
        if below.bytes.isEmpty, let open = root.folder { return open }
        guard let open = root.folder else { return try OpenFolder(location) }
        return OpenFolder(
            location, try open.descriptor.openBeneath(below, [.pathOnly, .directory, .noFollow]))
    }

    /// The root that `folder` lies below, the nearest by name.
    private func place(of folder: FilePath) throws(POSIXError) -> (root: Root, below: FilePath) {
        let found: Result<(Root, FilePath), POSIXError> = state.withLock { state in
            var above = folder
            while true {
                if let root = state.roots[above], let below = folder.below(above) { return root.map { ($0, below) } }
                let next = above.directory
                if next == above { break }
                above = next
            }
            return Self.root(folder, &state).map { ($0, FilePath([])) }
        }
        return try found.get()
    }

    private static func root(_ folder: FilePath, _ state: inout State) -> Result<Root, POSIXError> {
        if let known = state.roots[folder] { return known }
        let result = Result { () throws(POSIXError) in try resolve(folder, isKept: state.open < mostOpen) }
        if case .success(let root) = result, root.folder != nil { state.open += 1 }
        state.roots[folder] = result
        return result
    }

    private static func resolve(_ folder: FilePath, isKept: Bool) throws(POSIXError) -> Root {
        var failure = POSIXError(code: ELOOP, operation: "open", path: folder)
        for _ in 0..<attempts {
            let path = try folder.resolved()
            do throws(POSIXError) {
                let open = try OpenFolder(path)
                return Root(path: path, folder: isKept ? open : nil)
            } catch {
                // A folder further up may not be passable when this program was started below it.
                if error.code == EACCES {
                    let open = try FileDescriptor.open(folder, [.pathOnly, .directory])
                    return Root(path: path, folder: OpenFolder(path, open))
                }
                guard error.code == ELOOP || error.isMissing else { throw error }
                failure = error
            }
        }
        throw failure
    }
}

extension FilePath {
    /// The part of this path below `folder`, compared as text; nil where it is not below, or leads out by `..`.
    fileprivate func below(_ folder: FilePath) -> FilePath? {
        let rest: ArraySlice<UInt8>
        if folder == .current, !isAbsolute {
            rest = self == .current ? [] : bytes[...]
        } else {
            guard bytes.starts(with: folder.bytes) else { return nil }
            rest = bytes.dropFirst(folder.bytes.count).drop { $0 == UInt8(ascii: "/") }
        }
        let parts = rest.split(separator: UInt8(ascii: "/"))
        return parts.contains { $0.elementsEqual("..".utf8) } ? nil : FilePath(rest)
    }
}

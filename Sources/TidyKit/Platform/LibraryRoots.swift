internal import Glibc
internal import Synchronization

/// The folders that the paths of a run start from: operands, and the folders of files that were named. The path to a
/// root may contain links, such as a linked `~/Pictures`; they are followed once. Below a root no link is followed.
/// Replacing a folder with a link during a run therefore has no effect.
package final class LibraryRoots: Sendable {
    private struct Root: Sendable {
        /// Absolute, without links.
        let path: FilePath
        /// Nil if too many are open. The folder is then opened again by its path, without following links.
        let folder: OpenFolder?
    }

    private struct State {
        var roots: [FilePath: Result<Root, POSIXError>] = [:]
        var open = 0
    }

    private let state = Mutex(State())
    private static let maximumOpen = 64
    /// Gives up if links are changed faster than they can be followed.
    private static let attempts = 16

    package init() {}

    /// Adds a folder, spelled as the paths below it will be.
    package func add(_ folder: FilePath) {
        let folder = folder.withoutTrailingSlashes
        state.withLock { state in _ = Self.root(folder, &state) }
    }

    /// Adds a folder whose links are already resolved: none is followed on the way to it either.
    func add(resolved folder: FilePath) {
        state.withLock { state in
            if state.roots[folder] == nil { state.roots[folder] = .success(Root(path: folder, folder: nil)) }
        }
    }

    /// Opens a folder without following links below its root. A path that is below no root is resolved now and becomes
    /// a root.
    func open(folder: FilePath) throws(POSIXError) -> OpenFolder {
        let (root, below) = try place(of: folder.withoutTrailingSlashes)
        let location = below.bytes.isEmpty ? root.path : root.path.appending(below.bytes)
        if below.bytes.isEmpty, let open = root.folder { return open }
        guard let open = root.folder else { return try OpenFolder(location) }
        return OpenFolder(
            location, try open.descriptor.openBeneath(below, [.pathOnly, .directory, .noFollow]))
    }

    /// The nearest root above `folder`, by name.
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
        let result = Result { () throws(POSIXError) in try resolve(folder, isKept: state.open < maximumOpen) }
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
                // A folder above the one in which this program was started may deny passage.
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
    /// The part of this path below `folder`, compared as text; nil if it is not below, or leads out with `..`.
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

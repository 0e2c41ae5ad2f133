internal import Glibc
internal import Synchronization

/// The folders that outputs are written to. The path to the output folder may contain links, which are followed once;
/// below it no link is followed, even if one is created during the run.
final class OutputFolders: Sendable {
    private struct State {
        var isRootThere = false
        /// Folders from which leftovers of killed runs were removed.
        var cleared: Set<FilePath> = []
    }

    private let root: FilePath
    private let roots = LibraryRoots()
    private let state: Mutex<State>

    /// - Parameter root: as the user named it; it need not exist.
    init(root: FilePath) {
        self.root = root.bytes.isEmpty ? .current : root
        let isThere = (try? FileStatus.of(self.root, followLinks: true))?.kind == .directory
        if isThere { roots.add(self.root) }
        state = Mutex(State(isRootThere: isThere))
    }

    /// Nil if the folder does not exist yet.
    func existing(_ folder: FilePath) throws(POSIXError) -> OpenFolder? {
        guard state.withLock({ $0.isRootThere }) else { return nil }
        do throws(POSIXError) { return try roots.open(folder: folder) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a folder, after creating it and all folders above it if necessary.
    func make(_ folder: FilePath) throws(POSIXError) -> OpenFolder {
        let open = try makeAll(folder)
        if state.withLock({ $0.cleared.insert(open.path).inserted }) { OutputFile.removeLeftovers(in: open) }
        return open
    }

    private func makeAll(_ folder: FilePath) throws(POSIXError) -> OpenFolder {
        let made: Result<Void, POSIXError> = state.withLock { state in
            Result { () throws(POSIXError) in
                if state.isRootThere { return }
                try FileSystem.createFolders(root)
                roots.add(root)
                state.isRootThere = true
            }
        }
        try made.get()
        if let open = try existing(folder) { return open }
        guard folder != root, folder.directory != folder else {
            throw POSIXError(code: ENOENT, operation: "open", path: folder)
        }
        let above = try makeAll(folder.directory)
        do throws(POSIXError) {
            try FileSystem.createFolder(FilePath(folder.lastComponent), in: above.descriptor)
        } catch { if !error.isOccupied { throw error } }
        return OpenFolder(
            above.path.appending(folder.lastComponent),
            try above.descriptor.open(FilePath(folder.lastComponent), [.pathOnly, .directory, .noFollow]))
    }
}

/// Where outputs really are. Two paths name the same file if they name the same entry of the same folder, with any
/// spelling and through any links.
struct OutputPlaces {
    struct Place: Hashable {
        /// The nearest existing folder above; nil if there is none.
        fileprivate var folder: FileID?
        /// The folders to create, and the name.
        fileprivate var rest: [UInt8]
    }

    /// A cache by folder: there may be hundreds of pictures in each.
    private var folders: [FilePath: Place] = [:]

    mutating func place(of path: FilePath) -> Place {
        let folder = path.directory
        var place = folders[folder] ?? Self.place(ofFolder: folder)
        folders[folder] = place
        place.rest += path.lastComponent
        return place
    }

    private static func place(ofFolder folder: FilePath) -> Place {
        var (there, missing) = (folder, [ArraySlice<UInt8>]())
        while true {
            if let id = try? FileStatus.of(there, followLinks: true).id {
                let rest = missing.reversed().reduce(into: [UInt8]()) { $0 += $1 + [UInt8(ascii: "/")] }
                return Place(folder: id, rest: rest)
            }
            let above = there.directory
            guard above != there, !there.bytes.isEmpty else {
                return Place(folder: nil, rest: folder.bytes + [UInt8(ascii: "/")])
            }
            missing.append(ArraySlice(there.lastComponent))
            there = above
        }
    }
}

/// Assigns output names while a plan is made; no two outputs share one.
struct OutputNames {
    enum Outcome {
        case free(FilePath)
        /// The desired name belongs to another input or to an existing file.
        case numbered(FilePath, namesake: FilePath)
        /// The input was added before, under another path.
        case sameFile
        case taken(by: FilePath)
    }

    private let isInPlace: Bool
    private let numbers: Bool
    private var places = OutputPlaces()
    private var taken: [OutputPlaces.Place: FilePath] = [:]
    /// In place: the names of the inputs, which no other output may get.
    private var sources: [OutputPlaces.Place: FilePath] = [:]

    init(isInPlace: Bool, numbers: Bool, _ inputs: [CompressionPlan.Input]) {
        self.isInPlace = isInPlace
        self.numbers = numbers
        guard isInPlace, numbers else { return }
        for input in inputs { sources[places.place(of: input.path)] = input.path }
    }

    /// Reserves a name for the output of `input`: the wanted one, or with `numbers` the first free numbered one.
    mutating func reserve(_ wanted: FilePath, for input: FilePath) -> Outcome {
        guard let other = owner(of: wanted, for: input) else {
            taken[places.place(of: wanted)] = input
            return .free(wanted)
        }
        if CompressionPlan.file(other) == CompressionPlan.file(input) { return .sameFile }
        guard numbers else { return .taken(by: other) }
        for number in 2..<1_000_000 {
            let output = Self.numbered(wanted, number)
            guard owner(of: output, for: input) == nil else { continue }
            taken[places.place(of: output)] = input
            return .numbered(output, namesake: other)
        }
        return .taken(by: other)
    }

    /// The owner of a name; nil if `input` may use it.
    private mutating func owner(of output: FilePath, for input: FilePath) -> FilePath? {
        let place = places.place(of: output)
        if let other = taken[place] { return other }
        guard isInPlace, numbers, output != input else { return nil }
        if let other = sources[place] { return other == input ? nil : other }
        return (try? FileStatus.of(output)) == nil ? nil : output
    }

    /// `a.jpg` to `a-2.jpg`.
    private static func numbered(_ path: FilePath, _ number: Int) -> FilePath {
        let name = path.lastComponent
        let ending = name.dropFirst(path.stem.count)
        let folder = path.bytes.dropLast(name.count)
        return FilePath(Array(folder) + path.stem + Array("-\(number)".utf8) + Array(ending))
    }
}

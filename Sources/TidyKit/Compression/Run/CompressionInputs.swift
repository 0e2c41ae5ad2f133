/// The pictures that the operands name, and where each belongs below an output folder.
package struct CompressionInputs: Sendable {
    package private(set) var inputs: [CompressionPlan.Input] = []
    /// Files in the folders that cannot be compressed.
    package private(set) var passedOver = 0
    package private(set) var warnings: [LibraryWarning] = []
    /// The folders above the inputs, resolved when they are named.
    package let roots = LibraryRoots()

    /// No inputs; `add` adds them.
    package init() {}

    /// Adds a file whatever its content: it was named explicitly, so the report lists it.
    package mutating func add(file path: FilePath, bytes: Int64, recorded: FileIdentity? = nil) {
        roots.add(path.withoutTrailingSlashes.directory)
        inputs.append(
            CompressionPlan.Input(
                path: path, relative: FilePath(path.lastComponent), bytes: bytes, recorded: recorded))
    }

    /// Adds the picture from standard input, which must be the only input.
    package mutating func add(_ picture: StreamedPicture) {
        add(file: StreamedPicture.path, bytes: picture.byteCount)
    }

    /// Adds the files of a list or a selection. One that no longer exists becomes a failed item and does not end the
    /// run.
    package mutating func add(listed photos: [ListedPhoto]) {
        for photo in photos {
            let bytes = (try? FileStatus.of(photo.path, followLinks: true).identity.bytes) ?? 0
            add(file: photo.path, bytes: bytes, recorded: photo.identity)
        }
    }

    /// How the folders among the operands are read.
    package struct FolderOptions {
        package var includeHidden = false
        /// Folders to skip, such as the output of this run.
        package var excludedFolders: [FilePath] = []
        package let environment: Environment
        package let now: WallClock

        package init(environment: Environment, now: WallClock) {
            self.environment = environment
            self.now = now
        }
    }

    /// Adds a file as `add(file:bytes:)` does, or the pictures below a folder.
    package mutating func add(
        operand: FilePath, _ options: FolderOptions, progress: Progress = .none
    ) throws(LibraryError) {
        let status: FileStatus
        do throws(POSIXError) { status = try FileStatus.of(operand, followLinks: true) } catch {
            throw error.isMissing ? .missing(operand) : .unreadable(error)
        }
        guard status.kind == .directory else { return add(file: operand, bytes: status.identity.bytes) }
        var query = LibraryQuery(operands: [operand], now: options.now)
        query.includeHidden = options.includeHidden
        query.units = false
        query.excludedFolders = options.excludedFolders
        query.detail = .file
        query.roots = roots
        let result = try PhotoLibrary.photos(query, environment: options.environment, progress: progress)
        warnings += result.warnings
        passedOver += result.statistics.skipped[.noMedia] ?? 0
        let place = Self.place(of: operand)
        for photo in result.photos {
            guard let format = photo.format, Self.formats.contains(format), !photo.isOffline else {
                passedOver += 1
                continue
            }
            let below = photo.path.bytes.dropFirst(operand == .current ? 0 : operand.bytes.count)
            let relative = place + Array(below.drop { $0 == UInt8(ascii: "/") })
            var input = CompressionPlan.Input(
                path: photo.path, relative: FilePath(relative), bytes: photo.identity.bytes)
            input.found = photo.identity
            inputs.append(input)
        }
    }

    static let formats: Set<MediaFormat> = [.jpeg, .png, .heic, .avif, .webp]

    /// As `cp -r` does: a folder with the operand's own name, none for `.` and `..`.
    private static func place(of operand: FilePath) -> [UInt8] {
        let name = Array(operand.lastComponent)
        if name.isEmpty || name.allSatisfy({ $0 == UInt8(ascii: ".") }) && name.count <= 2 { return [] }
        return name + [UInt8(ascii: "/")]
    }

    /// Refuses a plan that would write to a file that it reads, under whatever name.
    package static func check(_ plan: CompressionPlan) throws(CompressionPlan.Refusal) {
        func id(_ path: FilePath) -> FileID? { try? FileStatus.of(path, followLinks: true).id }
        let sources = Set(plan.jobs.compactMap { id($0.source) })
        for job in plan.jobs {
            if let output = job.output, let id = id(output), sources.contains(id) {
                throw .outputIsInput(output)
            }
        }
    }
}

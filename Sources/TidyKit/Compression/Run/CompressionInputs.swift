internal import Glibc

/// The pictures that operands amount to, and where each stands below an output folder.
package struct CompressionInputs: Sendable {
    package private(set) var inputs: [CompressionPlan.Input] = []
    /// Files met in folders that are not pictures that can be compressed.
    package private(set) var passedOver = 0
    package private(set) var warnings: [LibraryWarning] = []
    /// What leads to the inputs, resolved when they are named.
    package let roots = LibraryRoots()

    package init() {}

    /// Adds a file, whatever it holds: it was named outright, so it is an item of the report.
    package mutating func add(file path: FilePath, bytes: Int64, recorded: FileIdentity? = nil) {
        roots.add(path.withoutTrailingSlashes.directory)
        inputs.append(
            CompressionPlan.Input(
                path: path, relative: FilePath(path.lastComponent), bytes: bytes, recorded: recorded))
    }

    /// Adds the picture of standard input, to be the only one.
    package mutating func add(_ picture: StreamedPicture) {
        add(file: StreamedPicture.path, bytes: picture.byteCount)
    }

    /// Adds files of a list or a selection: one that is gone is an item that failed, not the end of the run.
    package mutating func add(listed photos: [ListedPhoto]) {
        for photo in photos {
            let bytes = (try? FileStatus.of(photo.path, followLinks: true).identity.bytes) ?? 0
            add(file: photo.path, bytes: bytes, recorded: photo.identity)
        }
    }

    /// Adds files as `add(file:bytes:)` does and, of a folder, the pictures below it.
    /// - Parameter excluded: folders that are passed over, such as the output of this very run.
    package mutating func add(
        operand: FilePath, includeHidden: Bool, excluding excluded: [FilePath], environment: Environment,
        now: WallClock, progress: Progress = .none
    ) throws(LibraryError) {
        let status: FileStatus
        do throws(POSIXError) { status = try FileStatus.of(operand, followLinks: true) } catch {
            throw error.isMissing ? .missing(operand) : .unreadable(error)
        }
        guard status.kind == .directory else { return add(file: operand, bytes: status.identity.bytes) }
        var query = LibraryQuery(operands: [operand], now: now)
        query.includeHidden = includeHidden
        query.units = false
        query.excludedFolders = excluded
        query.detail = .file
        query.roots = roots
        let result = try PhotoLibrary.photos(query, environment: environment, progress: progress)
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

    /// What `cp -r` makes below its target: a folder by the operand's own name, nothing for `.` and `..`.
    private static func place(of operand: FilePath) -> [UInt8] {
        let name = Array(operand.lastComponent)
        if name.isEmpty || name.allSatisfy({ $0 == UInt8(ascii: ".") }) && name.count <= 2 { return [] }
        return name + [UInt8(ascii: "/")]
    }

    /// Refuses a plan whose outputs are files that it reads, under whatever name.
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

/// A picture that came through a pipe, kept as a file in memory.
package final class StreamedPicture: Sendable {
    /// `-`, as the operand is written.
    package static let path = FilePath("-")

    let file: FileDescriptor
    package let byteCount: Int64

    package enum Failure: Error {
        case interrupted
        /// There is more than the memory that the run may use.
        case tooLong(limit: Int64)
        case file(POSIXError)
    }

    /// Reads standard input to its end; a signal ends the wait.
    /// - Parameter limit: in bytes.
    package init(limit: Int64) throws(Failure) {
        do throws(POSIXError) {
            let input = try FileDescriptor.standardInput()
            let file = try FileDescriptor.inMemory()
            var count: Int64 = 0
            try input.readToEnd(limit: Int(limit), pieceLength: 1 << 18) { (piece) throws(POSIXError) in
                try file.write(piece)
                count += Int64(piece.count)
            }
            self.file = file
            byteCount = count
        } catch {
            switch error.code {
            case EINTR: throw .interrupted
            case EFBIG: throw .tooLong(limit: limit)
            default: throw .file(error)
            }
        }
    }
}

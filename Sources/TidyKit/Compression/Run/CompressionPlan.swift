/// Which file becomes which, decided before any picture is read or written.
package struct CompressionPlan: Sendable {
    /// One source and the output that it becomes.
    package struct Job: Sendable, Equatable {
        package var source: FilePath
        /// Nil for standard output.
        package var output: FilePath?
        package var bytes: Int64
        /// What the list or selection recorded; a source that is to be replaced must still match it.
        package var recorded: FileIdentity?
        /// Its identity when its folder was read; nil for a file that was named.
        package var found: FileIdentity?
        /// What already has the name of the output, which therefore got a number.
        package var namesake: FilePath?
    }

    /// Where outputs go.
    package enum Destination: Sendable, Equatable {
        /// Each at its `Input.relative` below the folder.
        case folder(FilePath)
        /// The only output.
        case file(FilePath)
        case stream
        /// Beside the source, under its name.
        case inPlace
    }

    /// One picture that the user chose, before it has an output.
    package struct Input: Sendable, Equatable {
        package var path: FilePath
        /// The path below an output folder, as `cp -r` would place it.
        package var relative: FilePath
        package var bytes: Int64
        /// What the list or selection recorded of it.
        package var recorded: FileIdentity?
        /// Its identity when its folder was read; nil for a file that was named.
        package var found: FileIdentity?

        package init(path: FilePath, relative: FilePath, bytes: Int64, recorded: FileIdentity? = nil) {
            self.path = path
            self.relative = relative
            self.bytes = bytes
            self.recorded = recorded
        }
    }

    /// Why a plan is refused as a whole.
    package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        case clash(FilePath, FilePath, output: FilePath)
        case outputIsInput(FilePath)
        case severalToOne(Int)

        package var description: String {
            switch self {
            case .clash(let first, let second, let output):
                "\(first.displayText) and \(second.displayText) would both become \(output.displayText)"
            case .outputIsInput(let path): "\(path.displayText) is an input of this run; --in-place replaces originals"
            case .severalToOne(let count): "\(count) pictures cannot become one file"
            }
        }
    }

    package let jobs: [Job]
    /// Outputs replace their sources.
    package let isInPlace: Bool
    /// The output folder as the user named it; nil for standard output and in place.
    package let outputRoot: FilePath?

    /// Resolves output folders, because two outputs must not be one file, and inputs that may be the same.
    /// - Parameters:
    ///   - suffix: appended to the stem of each output's name.
    ///   - numbers: if two outputs would have the same name, all but the first get a number; otherwise the plan is
    ///     refused.
    package init(
        _ inputs: [Input], to destination: Destination, suffix: [UInt8] = [], numbers: Bool = false
    ) throws(Refusal) {
        var inputs = inputs
        switch destination {
        case .file, .stream:
            var files: Set<FilePath> = []
            inputs.removeAll { !files.insert(Self.file($0.path)).inserted }
            if inputs.count > 1 { throw .severalToOne(inputs.count) }
        case .folder, .inPlace: break
        }
        var jobs: [Job] = []
        var names = OutputNames(isInPlace: destination == .inPlace, numbers: numbers, inputs)
        var seen: Set<FilePath> = []
        for input in inputs where seen.insert(input.path).inserted {
            let wanted: FilePath? =
                switch destination {
                case .folder(let folder):
                    folder.appending(Self.outputName(input.relative, suffix: suffix).bytes)
                case .file(let path): path
                case .stream: nil
                case .inPlace: Self.outputName(input.path, suffix: suffix)
                }
            var job = Job(
                source: input.path, output: wanted, bytes: input.bytes, recorded: input.recorded, found: input.found)
            if let wanted {
                switch names.reserve(wanted, for: input.path) {
                case .free(let output): job.output = output
                case .numbered(let output, let namesake): (job.output, job.namesake) = (output, namesake)
                // `a.jpg` and `./a.jpg` are the same input. Hard links are separate files.
                case .sameFile: continue
                case .taken(let other): throw .clash(other, input.path, output: wanted)
                }
            }
            jobs.append(job)
        }
        self.jobs = jobs
        isInPlace = destination == .inPlace
        outputRoot =
            switch destination {
            case .folder(let folder): folder.withoutTrailingSlashes
            case .file(let path): path.directory
            case .stream, .inPlace: nil
            }
    }

    /// A single name for a file with several spellings; the given one if the file does not exist.
    static func file(_ path: FilePath) -> FilePath { (try? path.resolved()) ?? path }

    /// A JPEG keeps its name; another extension becomes `.jpg`, and a name without one gets it.
    static func outputName(_ path: FilePath, suffix: [UInt8]) -> FilePath {
        let folder = path.bytes.dropLast(path.lastComponent.count)
        let ending: [UInt8]
        if path.endsLikeJPEG {
            ending = Array(path.lastComponent.dropFirst(path.stem.count))
        } else {
            ending = Array(".jpg".utf8)
        }
        return FilePath(Array(folder) + path.stem + suffix + ending)
    }
}

extension CompressionPlan.Destination {
    /// What `--output` names: a file if it exists as one or has the name of one, otherwise a folder; nil means
    /// `--in-place`. The plan refuses several pictures for one file, because nobody wants a folder called `one.jpg`.
    package init(output: FilePath?) {
        guard let output else {
            self = .inPlace
            return
        }
        if output == FilePath("-") {
            self = .stream
            return
        }
        let kind = try? FileStatus.of(output, followLinks: true).kind
        let isFile = kind == .regular || (kind == nil && output.endsLikeJPEG && output.bytes.last != UInt8(ascii: "/"))
        self = isFile ? .file(output) : .folder(output)
    }

    /// True for a file type that is never written: `one.png`. An existing folder, or a trailing slash, is a folder.
    package static func namesAnotherFormat(_ output: FilePath) -> Bool {
        guard output.bytes.last != UInt8(ascii: "/") else { return false }
        let others = ["png", "heic", "heif", "avif", "webp", "gif", "tif", "tiff", "bmp", "jxl", "jp2"]
        return others.contains { output.lowercasedExtension == Array($0.utf8) }
            && (try? FileStatus.of(output, followLinks: true).kind) != .directory
    }

    /// The first folder among `operands` that contains the output folder: every later run would treat copies among the
    /// originals as photos. Nil if there is none, and for other destinations.
    package func folder(around operands: [FilePath]) -> FilePath? {
        guard case .folder(let output) = self, let place = Self.resolved(output) else { return nil }
        return operands.first { operand in
            guard let root = try? operand.resolved(), place.isSameOrBelow(root) else { return false }
            return (try? FileStatus.of(root).kind) == .directory
        }
    }

    /// The output may not exist yet: then the nearest existing folder above it.
    private static func resolved(_ path: FilePath) -> FilePath? {
        guard var place = try? path.absolute() else { return nil }
        while place != .root {
            if let found = try? place.resolved() { return found }
            place = place.directory
        }
        return nil
    }
}

extension FilePath {
    fileprivate var endsLikeJPEG: Bool {
        ["jpg", "jpeg", "jpe", "jfif"].contains { lowercasedExtension == Array($0.utf8) }
    }
}

/// Which file becomes which, decided before anything is read or written.
public struct CompressionPlan: Sendable {
    public struct Job: Sendable, Equatable {
        public var source: FilePath
        /// Nil for standard output.
        public var output: FilePath?
        public var bytes: Int64
        /// What the list or the selection recorded; the source must still be that where it is to be replaced.
        public var recorded: FileIdentity?
    }

    /// Where outputs go.
    public enum Destination: Sendable, Equatable {
        /// Each at its `Input.relative` below the folder.
        case folder(FilePath)
        /// The one output.
        case file(FilePath)
        case stream
        /// Beside the source, under its name.
        case inPlace
    }

    public struct Input: Sendable, Equatable {
        public var path: FilePath
        /// The path below an output folder, as `cp -r` would place it.
        public var relative: FilePath
        public var bytes: Int64
        /// What the list or the selection that names it recorded of it.
        public var recorded: FileIdentity?

        public init(path: FilePath, relative: FilePath, bytes: Int64, recorded: FileIdentity? = nil) {
            self.path = path
            self.relative = relative
            self.bytes = bytes
            self.recorded = recorded
        }
    }

    /// Why a plan is refused as a whole.
    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        case clash(FilePath, FilePath, output: FilePath)
        case outputIsInput(FilePath)
        case severalToOne(Int)

        public var description: String {
            switch self {
            case .clash(let first, let second, let output):
                "\(first.displayText) and \(second.displayText) would both become \(output.displayText)"
            case .outputIsInput(let path): "\(path.displayText) is an input of this run; --in-place replaces originals"
            case .severalToOne(let count): "\(count) pictures cannot become one file"
            }
        }
    }

    public let jobs: [Job]
    /// Outputs take the place of their sources.
    public let isInPlace: Bool

    /// - Parameter suffix: put behind the stem of each output's name.
    public init(_ inputs: [Input], to destination: Destination, suffix: [UInt8] = []) throws(Refusal) {
        let count = Set(inputs.map(\.path)).count
        switch destination {
        case .file, .stream: if count > 1 { throw .severalToOne(count) }
        case .folder, .inPlace: break
        }
        var jobs: [Job] = []
        var taken: [FilePath: FilePath] = [:]
        var seen: Set<FilePath> = []
        for input in inputs where seen.insert(input.path).inserted {
            let output: FilePath? =
                switch destination {
                case .folder(let folder):
                    folder.appending(Self.outputName(input.relative, suffix: suffix).bytes)
                case .file(let path): path
                case .stream: nil
                case .inPlace: Self.outputName(input.path, suffix: suffix)
                }
            if let output {
                if let other = taken[output] { throw .clash(other, input.path, output: output) }
                taken[output] = input.path
            }
            jobs.append(Job(source: input.path, output: output, bytes: input.bytes, recorded: input.recorded))
        }
        self.jobs = jobs
        isInPlace = destination == .inPlace
    }

    /// A JPEG keeps its name; another extension becomes `.jpg`, and a name without one gets it.
    static func outputName(_ path: FilePath, suffix: [UInt8]) -> FilePath {
        let folder = path.bytes.dropLast(path.lastComponent.count)
        let isJPEG = ["jpg", "jpeg", "jpe", "jfif"].contains { path.lowercasedExtension == Array($0.utf8) }
        let ending: [UInt8]
        if isJPEG {
            ending = Array(path.lastComponent.dropFirst(path.stem.count))
        } else {
            ending = Array(".jpg".utf8)
        }
        return FilePath(Array(folder) + path.stem + suffix + ending)
    }
}

/// Which output has which name, while a plan is made: no name is had by two.
struct OutputNames {
    enum Outcome {
        case free(FilePath)
        /// The name that was wanted belongs to another input, or to a file that is there.
        case numbered(FilePath, namesake: FilePath)
        /// The input was met before, under another path.
        case sameFile
        case taken(by: FilePath)
    }

    private let isInPlace: Bool
    private let numbers: Bool
    private var places = OutputPlaces()
    private var taken: [OutputPlaces.Place: FilePath] = [:]
    /// In place: the names that inputs have, which no other output may get.
    private var sources: [OutputPlaces.Place: FilePath] = [:]

    init(isInPlace: Bool, numbers: Bool, _ inputs: [CompressionPlan.Input]) {
        self.isInPlace = isInPlace
        self.numbers = numbers
        guard isInPlace, numbers else { return }
        for input in inputs { sources[places.place(of: input.path)] = input.path }
    }

    mutating func take(_ wanted: FilePath, for input: FilePath) -> Outcome {
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

    /// Who has a name; nil where `input` may have it.
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

internal import TidyKit

/// The list that `--from` names, read from a file or from standard input.
enum PhotoList {
    /// Nil without `--from`.
    static func read(_ arguments: ParsedArguments) throws -> [ListedPhoto]? {
        guard let path = arguments.path(.from) else {
            guard !arguments.has(.nulInput) else { throw arguments.usageError("-0 is for the list that --from reads") }
            return nil
        }
        let content: [UInt8]
        if path.bytes == Array("-".utf8) {
            content = try FileDescriptor.standardInput().readToEnd(limit: PathListReader.sizeLimit)
        } else {
            content = try FileSystem.contents(of: path, limit: PathListReader.sizeLimit)
        }
        do { return try PathListReader.photos(content, nul: arguments.has(.nulInput)) } catch {
            throw CommandError(.usage, "--from \(TerminalText.escaped(path)): \(error); nothing was done")
        }
    }
}

internal import TidyKit

/// File names that read as options: in a folder with a photo `--permanent`, a wildcard or xargs would turn a name into a
/// wish.
enum OptionLikeFile {
    /// - Parameter arguments: those in front of `--`.
    /// - Throws: `UsageError` for the first that is spelled like an option and names a file here.
    static func refuse(_ arguments: some Sequence<[UInt8]>, command: String) throws {
        for argument in arguments where argument.count > 1 && argument.first == UInt8(ascii: "-") {
            let path = FilePath(argument)
            guard (try? FileStatus.of(path)) != nil else { continue }
            let name = TerminalText.escaped(path)
            throw UsageError(
                "'\(name)' may be an option or the file of that name in this folder: write ./\(name) for the file, or "
                    + "'--' in front of names that a pattern or xargs fills in; for the option, call from another folder",
                command: command)
        }
    }
}

internal import TidyKit

/// The list that `--from` names, read from a file or from standard input.
enum PhotoList {
    /// Nil without `--from`.
    static func read(_ arguments: ParsedArguments, _ context: CommandContext) throws -> [ListedPhoto]? {
        guard let path = arguments.path(.from) else {
            guard !arguments.has(.nulInput) else { throw arguments.usageError("-0 is for the list that --from reads") }
            return nil
        }
        let content: [UInt8]
        if path.bytes == Array("-".utf8) {
            content = try FileDescriptor.standardInput().readToEnd(limit: PathListReader.sizeLimit)
        } else {
            if isNamedPipe(path) {
                context.diagnostics.note(
                    "--from \(TerminalText.escaped(path)) is a named pipe: reading it waits for a program that writes to "
                        + "it (Ctrl-C ends the wait)")
            }
            content = try FileSystem.contents(of: path, limit: PathListReader.sizeLimit)
        }
        do {
            let photos = try PathListReader.photos(content, nul: arguments.has(.nulInput))
            if let marks = ForeignMarks.first(in: photos) {
                context.diagnostics.warning("--from \(TerminalText.escaped(path)): \(hint(marks))")
            }
            return photos
        } catch {
            throw CommandError(.usage, "--from \(TerminalText.escaped(path)): \(error); nothing was done")
        }
    }

    /// True for a named pipe in a folder, which may never have a writer; those that a shell creates (`<(…)`) have one.
    private static func isNamedPipe(_ path: FilePath) -> Bool {
        let isOfShell = path.bytes.starts(with: "/dev/".utf8) || path.bytes.starts(with: "/proc/".utf8)
        return !isOfShell && (try? FileStatus.of(path, followLinks: true))?.kind == .other
    }

    private static func hint(_ marks: ForeignMarks) -> String {
        let extra =
            (marks.hasByteOrderMark ? ["begins with a byte order mark"] : [])
            + (marks.hasCarriageReturn ? ["ends with a carriage return"] : [])
        return "\(TerminalText.escaped(marks.path)) \(extra.joined(separator: " and ")); a file without it exists. "
            + "Names are used exactly as written: save the list as UTF-8 with LF"
    }
}

/// Detects file names that look like options: in a folder with a photo `--permanent`, a wildcard or xargs would turn a
/// file name into an option.
enum OptionLikeFile {
    /// - Parameter arguments: those before `--`.
    /// - Throws: `UsageError` for the first that looks like an option and is the name of a file in the current folder.
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

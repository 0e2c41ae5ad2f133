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
            content = try FileSystem.contents(of: path, limit: PathListReader.sizeLimit)
        }
        do {
            let photos = try PathListReader.photos(content, nul: arguments.has(.nulInput))
            if let hint = hint(photos) { context.diagnostics.warning("--from \(TerminalText.escaped(path)): \(hint)") }
            return photos
        } catch {
            throw CommandError(.usage, "--from \(TerminalText.escaped(path)): \(error); nothing was done")
        }
    }

    /// Names are bytes, so nothing is stripped; but for the first name that is there only without what other systems put
    /// around lines, it is said.
    private static func hint(_ photos: [ListedPhoto]) -> String? {
        func isThere(_ bytes: some Sequence<UInt8>) -> Bool { (try? FileStatus.of(FilePath(Array(bytes)))) != nil }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for (index, photo) in photos.enumerated() {
            var (bytes, extra) = (photo.path.bytes[...], [String]())
            if index == 0, bytes.starts(with: mark) {
                bytes = bytes.dropFirst(mark.count)
                extra.append("begins with a byte order mark")
            }
            if bytes.last == 0x0D {
                bytes = bytes.dropLast()
                extra.append("ends with a carriage return")
            }
            guard !extra.isEmpty, !bytes.isEmpty, !isThere(photo.path.bytes), isThere(bytes) else { continue }
            return "\(TerminalText.escaped(photo.path)) \(extra.joined(separator: " and ")), and is there without: "
                + "names are taken as they are; write the list as UTF-8 with LF"
        }
        return nil
    }
}

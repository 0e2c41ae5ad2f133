/// Reads the input of `--from`: one path a line, paths that end with NUL, or JSON in any layout (photo records, arrays
/// of them, or arrays of paths). The content decides which. Paths are bytes: a carriage return or a broken UTF-8
/// sequence is a part of the name.
package enum PathListReader {
    /// A record that cannot be understood. Nothing of the list is used.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The line, from 1; 0 for the list as a whole.
        package let line: Int
        package let reason: String
        package var description: String { (line > 0 ? "line \(line) of the list: " : "the list: ") + reason }
    }

    /// More bytes than a list of any library.
    package static let sizeLimit = 1 << 30

    /// - Parameters:
    ///   - nul: paths end with NUL (`-0`), and the list is not JSON.
    ///   - isThere: true if a path exists; called only for a first line that begins like JSON but is not.
    package static func photos(
        _ content: [UInt8], nul: Bool,
        isThere: (FilePath) -> Bool = { (try? FileStatus.of($0)) != nil }
    ) throws(Failure) -> [ListedPhoto] {
        if nul {
            // A single path without its NUL is accepted, lines are not; but a name may end with a newline.
            guard content.last != UInt8(ascii: "\n") || content.contains(0) || isThere(FilePath(content)) else {
                throw Failure(line: 0, reason: "it contains no NUL; leave out -0 to read one path per line")
            }
            return paths(content, separator: 0)
        }
        let text = content.starts(with: byteOrderMark) ? content.dropFirst(byteOrderMark.count) : content[...]
        let rest = text.drop(while: isSpace)
        if let first = rest.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            !isPathLine(content, rest, isThere)
        {
            return try records(Array(text))
        }
        // No name contains NUL. C would cut the path there, which could name another file.
        guard !content.contains(0) else {
            throw Failure(line: 0, reason: "it holds NUL bytes; -0 reads paths that end with NUL")
        }
        return paths(content, separator: UInt8(ascii: "\n"))
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// White space, and the record separator that precedes values in JSON text sequences.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0x1E }

    private static func paths(_ content: [UInt8], separator: UInt8) -> [ListedPhoto] {
        content.split(separator: separator).map { ListedPhoto(path: FilePath($0)) }
    }

    /// True for a path such as `[2024] trip.jpg`. Broken or truncated records must never be read as paths, so the path
    /// must exist, the line must be invalid as JSON before its end, and it must not begin as only records do.
    private static func isPathLine(
        _ content: [UInt8], _ rest: ArraySlice<UInt8>, _ isThere: (FilePath) -> Bool
    ) -> Bool {
        let start = content[..<rest.startIndex].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = content[start...].prefix { $0 != UInt8(ascii: "\n") }
        let dense = line.filter { !isSpace($0) }
        guard !["{\"", "[{", "[\""].contains(where: { dense.starts(with: $0.utf8) }) else { return false }
        let json = Array(content[rest.startIndex..<line.endIndex])
        var reader = JSONReader(stream: json)
        do throws(JSONReader.Failure) {
            while reader.nextStart() != nil { _ = try reader.nextValue() }
            return false
        } catch {
            return error.position < json.count && isThere(FilePath(Array(line)))
        }
    }

    private static func records(_ content: [UInt8]) throws(Failure) -> [ListedPhoto] {
        var photos: [ListedPhoto] = []
        var reader = JSONReader(stream: content)
        var line = 1
        var counted = 0
        /// The number of the line that contains the byte at `position`.
        func lineNumber(_ position: Int) -> Int {
            let end = min(position, content.count)
            for byte in content[min(counted, end)..<end] where byte == UInt8(ascii: "\n") { line += 1 }
            counted = max(counted, end)
            return line
        }
        while let start = reader.nextStart() {
            let number = lineNumber(start)
            let value: JSONValue
            do throws(JSONReader.Failure) { value = try reader.nextValue() } catch {
                throw Failure(
                    line: lineNumber(error.position),
                    reason: "it begins like JSON and breaks here (byte \(error.position) of all); "
                        + "paths that begin with { or [ are read with -0, each ended with NUL")
            }
            do throws(RecordFault) { try add(value, to: &photos) } catch {
                throw Failure(line: number, reason: "JSON with \(error.rawValue); -0 reads paths that end with NUL")
            }
        }
        return photos
    }

    /// A photo record, an array of them, or an array of paths.
    private static func add(_ value: JSONValue, to photos: inout [ListedPhoto]) throws(RecordFault) {
        guard case .array(let values) = value else { return photos.append(try ListedPhoto(value)) }
        for value in values {
            if let path = value.string {
                guard !path.isEmpty, !path.contains(0) else { throw .path }
                photos.append(ListedPhoto(path: FilePath(path)))
            } else {
                photos.append(try ListedPhoto(value))
            }
        }
    }
}

private enum RecordFault: String, Error {
    case path = "a record that has no path"
    /// Ignoring it would omit a check that the user relies on.
    case identity = "an identity that cannot be read"
    /// What stays for it is looked at before it goes.
    case group = "a group that cannot be read"
}

extension ListedPhoto {
    /// From a photo record. `pathBase64` has priority over `path`, which cannot represent every name.
    fileprivate init(_ record: JSONValue) throws(RecordFault) {
        let path: FilePath
        if let exact = record["pathBase64"]?.text {
            guard let bytes = Base64.decode(exact), !bytes.isEmpty else { throw .path }
            path = FilePath(bytes)
        } else {
            guard let bytes = record["path"]?.string, !bytes.isEmpty else { throw .path }
            path = FilePath(bytes)
        }
        guard !path.bytes.contains(0) else { throw .path }
        self.init(path: path, isOffline: record["offline"]?.bool ?? false)
        if let value = record["identity"], !value.isNull {
            guard let identity = value.recordedIdentity else { throw .identity }
            self.identity = identity
        }
        if let value = record["group"], !value.isNull {
            guard let group = ListedGroup(value) else { throw .group }
            self.group = group
        }
    }
}

extension ListedGroup {
    fileprivate init?(_ group: JSONValue) {
        guard let kind = group["kind"]?.text.flatMap(GroupMembership.Kind.init),
            let role = group["role"]?.text.flatMap(GroupMembership.Role.init), let keep = group["keep"]?.string,
            !keep.isEmpty, !keep.contains(0)
        else { return nil }
        var sameness: ContentSameness?
        if let compared = group["compare"], !compared.isNull {
            sameness = compared.text.flatMap(ContentSameness.init)
            if sameness == nil { return nil }
        }
        // A record that does not say by what its photo is a copy is held to the stricter of the two.
        if kind == .duplicate { sameness = sameness ?? .bytes }
        self.init(kind: kind, role: role, keep: FilePath(keep), sameness: sameness)
    }
}

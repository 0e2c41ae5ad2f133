/// Reads what `--from` gives: paths a line, paths that end with NUL, or photo records as a JSON array or NDJSON, told apart
/// by content. Bytes throughout: a carriage return or a broken UTF-8 sequence is a part of the name.
public enum PathListReader {
    /// A record that cannot be understood; nothing of the list is used then.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// From 1; 0 for the list as a whole.
        public let line: Int
        public let reason: String
        public var description: String { (line > 0 ? "line \(line) of the list: " : "the list: ") + reason }
    }

    /// More than any library; what is longer is no list.
    public static let sizeLimit = 1 << 30

    /// - Parameter nul: paths end with NUL (`-0`); records are not looked for.
    public static func photos(_ content: [UInt8], nul: Bool) throws(Failure) -> [ListedPhoto] {
        if nul { return paths(content, separator: 0) }
        let first = content.first { !isSpace($0) }
        if first == UInt8(ascii: "["), let array = try array(content) { return array }
        if first == UInt8(ascii: "{"), let lines = try lines(content) { return lines }
        // No name holds NUL, and C would cut the path there: another file than the one that was written.
        guard !content.contains(0) else {
            throw Failure(line: 0, reason: "it holds NUL bytes; -0 reads paths that end with NUL")
        }
        return paths(content, separator: UInt8(ascii: "\n"))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func paths(_ content: [UInt8], separator: UInt8) -> [ListedPhoto] {
        content.split(separator: separator).map { ListedPhoto(path: FilePath($0)) }
    }

    /// Nil where the bytes are no JSON array of objects: a path may begin with a bracket.
    private static func array(_ content: [UInt8]) throws(Failure) -> [ListedPhoto]? {
        let value: JSONValue
        do throws(JSONReader.Failure) { value = try JSONReader.value(content[...]) } catch {
            // `[{` begins no path that anybody has, and a record cut off must never be taken for one.
            guard content.filter({ !isSpace($0) }).starts(with: "[{".utf8) else { return nil }
            throw Failure(line: 0, reason: "the JSON ends or breaks at byte \(error.position)")
        }
        guard let values = value.array, values.allSatisfy({ if case .object = $0 { true } else { false } }) else {
            return nil
        }
        var photos: [ListedPhoto] = []
        for (index, value) in values.enumerated() {
            do throws(RecordFault) { photos.append(try ListedPhoto(value)) } catch {
                throw Failure(line: 0, reason: "record \(index + 1) has \(error.rawValue)")
            }
        }
        return photos
    }

    /// Nil where the first line is no JSON object: a path may begin with a brace.
    private static func lines(_ content: [UInt8]) throws(Failure) -> [ListedPhoto]? {
        var photos: [ListedPhoto] = []
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
            let value: JSONValue
            do throws(JSONReader.Failure) { value = try JSONReader.value(line) } catch {
                if photos.isEmpty, !line.starts(with: "{\"".utf8) { return nil }
                throw Failure(line: index + 1, reason: "no whole JSON (at byte \(error.position))")
            }
            do throws(RecordFault) { photos.append(try ListedPhoto(value)) } catch {
                throw Failure(line: index + 1, reason: "a record with \(error.rawValue)")
            }
        }
        return photos
    }
}

private enum RecordFault: String, Error {
    case path = "no path"
    /// Going on without it would leave out a check that the user believes in.
    case identity = "an identity that cannot be read"
}

extension ListedPhoto {
    /// From a photo record; `pathBase64` counts more than `path`, which cannot hold every name.
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
    }
}

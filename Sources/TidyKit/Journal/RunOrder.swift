internal import Glibc

/// The order in which runs began, independent of the clock. A run appends a line to the file `order` beside the
/// journals when it begins or continues. Runs older than the order file come first, in the order of their times.
struct RunOrder {
    /// The place of a run: the number of its last line.
    private(set) var places: [RunID: Int] = [:]
    private static let name = "order"
    /// A line has at most 64 + 18 bytes, so this is more runs than any user makes.
    private static let sizeLimit = 1 << 26

    static func path(_ folder: FilePath) -> FilePath { folder.appending(name) }

    /// Reads the file. For runs that are not in it, the clock decides.
    init(_ folder: FilePath) {
        guard let content = try? FileSystem.stateContents(of: Self.path(folder), limit: Self.sizeLimit) else { return }
        for (number, line) in content.split(separator: UInt8(ascii: "\n")).enumerated() {
            if let id = Self.id(line) { places[id] = number }
        }
    }

    /// Notes that `id` begins or continues now. A single `write` with O_APPEND, so that two runs that begin at once are
    /// both recorded.
    static func note(_ id: RunID, in folder: FilePath) throws(POSIXError) {
        let file = try FileDescriptor.open(
            path(folder), [.readWrite, .create, .append, .noFollow, .nonBlocking], permissions: 0o600)
        let status = try file.status()
        guard status.kind == .regular else { throw POSIXError(code: EINVAL, operation: "open", path: path(folder)) }
        var text: [UInt8] = []
        let length = status.identity.bytes
        if length > 0 {
            // A line that a power cut tore must not swallow this one, so the file must end with a newline.
            let last = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
            defer { last.deallocate() }
            if try file.read(into: last, at: length - 1) != 1 || last[0] != UInt8(ascii: "\n") {
                text.append(UInt8(ascii: "\n"))
            }
        }
        var line = LineWriter()
        line.word(id.text)
        line.finish(into: &text, seed: Array(name.utf8))
        try file.write(text)
    }

    private static func id(_ line: ArraySlice<UInt8>) -> RunID? {
        guard var fields = LineReader(line, seed: Array(name.utf8)), let word = fields.word() else { return nil }
        return RunID(word.utf8)
    }
}

/// The content of a `.trashinfo` file (FreeDesktop Trash specification 1.0), with keys of our own, which the
/// specification allows. Anybody may have written it: a path that is read cannot lead out of the top folder of its
/// trash, and the keys prove nothing.
struct TrashInfo: Hashable, Sendable {
    /// The original path: absolute, without `.` and `..`, and below the top folder of its trash.
    let location: FilePath
    /// `YYYY-MM-DDThh:mm:ss` in local time.
    var deletionDate: String
    /// The run that put the file here; nil if another program did.
    var origin: Origin?

    /// What undo needs if the journal is lost.
    struct Origin: Hashable, Sendable {
        var run: RunID
        var file: Int
        var unit: Int
        var operation: JournalEntry.Operation
        /// The identity before the move.
        var identity: FileIdentity
        /// The state folder with the journal, because the trash of a disk may serve several home folders of one user.
        /// Nil if written by a version that did not have this key.
        var state: FilePath?
    }

    static let suffix = ".trashinfo"
    static let sizeLimit = 1 << 16
    private static let runKey = "X-Phototidy-Run="
    private static let fileKey = "X-Phototidy-File="
    private static let stateKey = "X-Phototidy-State="

    init(location: FilePath, deletionDate: String, origin: Origin?) {
        self.location = location
        self.deletionDate = deletionDate
        self.origin = origin
    }

    /// The text of the file in that trash. `Path` is relative to the top folder, or absolute in the home trash.
    func text(in site: TrashSite) -> [UInt8] {
        var text = Array("[Trash Info]\nPath=".utf8)
        text.reserveCapacity(location.bytes.count + 256)
        text += PercentEncoding.encode(site.notedPath(of: location).bytes)
        text += Array("\nDeletionDate=\(deletionDate)\n".utf8)
        if let origin {
            let identity = origin.identity
            text += Array(Self.runKey.utf8) + origin.run.bytes + Array("\n\(Self.fileKey)".utf8)
            text += Array("\(origin.file) \(origin.unit) \(origin.operation.rawValue) ".utf8)
            text += Array("\(identity.device) \(identity.inode) \(identity.bytes) ".utf8)
            text += Array("\(identity.modifiedNs) \(identity.changedNs)\n".utf8)
            if let state = origin.state {
                text += Array(Self.stateKey.utf8) + PercentEncoding.encode(state.bytes) + [UInt8(ascii: "\n")]
            }
        }
        return text
    }

    /// Nil if it is not a trash info (the first line is not `[Trash Info]`, or there is no `Path`), or if its `Path`
    /// leads out of the trash's top folder.
    init?(_ content: [UInt8], in site: TrashSite) {
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.first?.elementsEqual("[Trash Info]".utf8) == true else { return nil }
        var path: FilePath?
        var date = ""
        var run: RunID?
        var file: ArraySlice<UInt8>?
        var state: FilePath?
        for line in lines.dropFirst() {
            if line.first == UInt8(ascii: "[") { break }
            func value(_ key: String) -> ArraySlice<UInt8>? {
                line.starts(with: key.utf8) ? line.dropFirst(key.utf8.count) : nil
            }
            // The specification says that the first key counts.
            if path == nil, let text = value("Path=") { path = FilePath(PercentEncoding.decode(text)) }
            if date.isEmpty, let text = value("DeletionDate=") { date = String(decoding: text, as: UTF8.self) }
            if let text = value(Self.runKey) { run = RunID(text) }
            if let text = value(Self.fileKey) { file = text }
            if let text = value(Self.stateKey) { state = FilePath(PercentEncoding.decode(text)) }
        }
        guard let path, let location = site.location(ofNoted: path) else { return nil }
        self.location = location
        deletionDate = date
        if let run, let file {
            origin = Origin(run: run, fields: file)
            origin?.state = state
        }
    }
}

extension TrashInfo.Origin {
    fileprivate init?(run: RunID, fields: ArraySlice<UInt8>) {
        let words = fields.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 8, let file = Int(words[0]), let unit = Int(words[1]),
            let operation = JournalEntry.Operation(rawValue: words[2]), let device = UInt64(words[3]),
            let inode = UInt64(words[4]), let bytes = Int64(words[5]), let modified = Int128(words[6]),
            let changed = Int128(words[7]), JournalEntry.Intent.isNumber(file), JournalEntry.Intent.isNumber(unit)
        else { return nil }
        self.init(
            run: run, file: file, unit: unit, operation: operation,
            identity: FileIdentity(
                device: device, inode: inode, bytes: bytes, modifiedNs: modified, changedNs: changed))
    }
}

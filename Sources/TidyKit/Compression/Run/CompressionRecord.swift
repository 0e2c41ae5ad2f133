internal import Synchronization

/// The outputs that earlier runs made, so that a second run over unchanged files decodes nothing. An entry is valid
/// only if the source and the output are unchanged, for the same settings of the same program version. If the file
/// cannot be read or is damaged, only time is lost.
package final class CompressionRecord: Sendable {
    static let reason = "the output is there already"

    /// The key of an entry.
    private struct Key: Hashable {
        var settings: UInt64
        var source: FileID
        var output: FileID
    }

    private struct Entry {
        var source: FileIdentity
        var output: FileIdentity
        var sourceWidth: Int
        var sourceHeight: Int
        var width: Int
        var height: Int
        /// Entries that were used most recently are kept longest.
        var order: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var isLoaded = false
        var next = 0
        var isChanged = false
    }

    /// About 200 bytes each.
    private static let maximumEntries = 50_000
    private static let maximumBytes = 32 << 20
    private static let seed = Array("phototidy.made/1".utf8)

    private let path: FilePath
    private let version: String
    private let state = Mutex(State())

    /// The file is read when the first entry is needed.
    /// - Parameter version: the version of the program; entries of other versions are ignored.
    package init(_ environment: Environment, version: String) {
        path = environment.state.appending("compressed")
        self.version = version
    }

    /// The item of a job whose output exists unchanged; nil if the source must be read.
    func item(
        for job: CompressionPlan.Job, _ settings: CompressionSettings, isInPlace: Bool, _ run: InPlaceRun?
    ) -> CompressionItem? {
        guard let output = job.output, job.source != StreamedPicture.path,
            let source = try? FileStatus.of(job.source, followLinks: !isInPlace), source.kind == .regular,
            let made = try? FileStatus.of(isInPlace ? job.source : output, followLinks: !isInPlace),
            made.kind == .regular
        else { return nil }
        // A source that changed since it was chosen must be reported.
        if let recorded = job.recorded, source.identity != (run?.current(recorded) ?? recorded) { return nil }
        let key = key(source.identity, made.identity, settings, isInPlace: isInPlace)
        let found = state.withLock { state -> Entry? in
            load(&state)
            guard let entry = state.entries[key], entry.source == source.identity, entry.output == made.identity else {
                return nil
            }
            state.entries[key]?.order = state.next
            state.next += 1
            return entry
        }
        guard let found else { return nil }
        var item = CompressionItem(
            source: job.source, sourceBytes: source.identity.bytes, target: settings.maximumBytes, action: .copied,
            reason: isInPlace ? "fits already" : Self.reason)
        item.wasThere = !isInPlace
        item.output = isInPlace ? job.source : output
        item.bytes = made.identity.bytes
        (item.sourceWidth, item.sourceHeight) = (found.sourceWidth, found.sourceHeight)
        (item.width, item.height) = (found.width, found.height)
        return item
    }

    /// Records an output that was made or found now.
    /// - Parameter source: its state when it was read.
    func add(
        _ job: CompressionPlan.Job, _ item: CompressionItem, _ source: FileIdentity, _ settings: CompressionSettings,
        isInPlace: Bool
    ) {
        guard let output = item.output, job.source != StreamedPicture.path, item.bytes != nil,
            let made = try? FileStatus.of(output, followLinks: !isInPlace), made.kind == .regular,
            made.identity.bytes == item.bytes, let width = item.width, let height = item.height,
            let sourceWidth = item.sourceWidth, let sourceHeight = item.sourceHeight
        else { return }
        // The source may have been replaced meanwhile: in place, the new file is its own source.
        let origin = isInPlace ? made.identity : source
        let key = key(origin, made.identity, settings, isInPlace: isInPlace)
        state.withLock { state in
            load(&state)
            state.entries[key] = Entry(
                source: origin, output: made.identity, sourceWidth: isInPlace ? width : sourceWidth,
                sourceHeight: isInPlace ? height : sourceHeight, width: width, height: height, order: state.next)
            state.next += 1
            state.isChanged = true
        }
    }

    /// Writes new entries. If two runs end at once, one of them is recorded; if the state folder is not writable, only
    /// time is lost.
    package func save() {
        let text = state.withLock { state -> [UInt8]? in
            guard state.isChanged else { return nil }
            state.isChanged = false
            var text: [UInt8] = []
            let latest = state.entries.sorted { $0.value.order < $1.value.order }.suffix(Self.maximumEntries)
            for (key, entry) in latest { Self.write(key, entry, into: &text) }
            return text
        }
        guard let text else { return }
        do throws(POSIXError) {
            try FileSystem.createFolders(path.directory)
            try AtomicFile.write(
                text, to: path, replacing: true, attributes: AtomicFile.Attributes(permissions: 0o600))
        } catch {}
    }

    /// A hash of the settings that an output depends on, the version, and whether photos are replaced.
    private func key(
        _ source: FileIdentity, _ output: FileIdentity, _ settings: CompressionSettings, isInPlace: Bool
    ) -> Key {
        var settings = settings
        settings.decoding.memory = 0
        let text = "\(version) \(isInPlace) \(settings)"
        var hash = FNV1a()
        hash.add(text.utf8)
        return Key(settings: hash.value, source: source.id, output: output.id)
    }

    // MARK: - The file

    private func load(_ state: inout State) {
        guard !state.isLoaded else { return }
        state.isLoaded = true
        guard let text = try? FileSystem.stateContents(of: path, limit: Self.maximumBytes) else { return }
        for line in text.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumEntries) {
            guard let (key, entry) = Self.read(line, order: state.next) else { continue }
            state.entries[key] = entry
            state.next += 1
        }
    }

    private static func write(_ key: Key, _ entry: Entry, into text: inout [UInt8]) {
        var line = LineWriter()
        line.number(key.settings)
        line.identity(entry.source)
        line.identity(entry.output)
        for number in [entry.sourceWidth, entry.sourceHeight, entry.width, entry.height] { line.number(number) }
        line.finish(into: &text, seed: seed)
    }

    private static func read(_ line: ArraySlice<UInt8>, order: Int) -> (Key, Entry)? {
        guard var reader = LineReader(line, seed: seed), let settings = reader.number(UInt64.self),
            let source = reader.identity(), let output = reader.identity()
        else { return nil }
        let sizes = (0..<4).compactMap { _ in reader.number(Int.self) }
        guard sizes.count == 4, sizes.allSatisfy({ (1...1_000_000_000).contains($0) }) else { return nil }
        let key = Key(settings: settings, source: source.id, output: output.id)
        return (
            key,
            Entry(
                source: source, output: output, sourceWidth: sizes[0], sourceHeight: sizes[1], width: sizes[2],
                height: sizes[3], order: order)
        )
    }
}

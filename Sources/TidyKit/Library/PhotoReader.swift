/// Opens files and reads their content. Each thread has its own.
struct PhotoReader: ~Copyable {
    private var metadata: MetadataReader
    private let now: WallClock
    private(set) var filesOpened = 0
    private var bytesRead: Int64 = 0

    /// The maximum size of a sidecar, in bytes; a larger file is not one.
    private static let sidecarLimit: Int64 = 4 << 20

    private let roots: LibraryRoots
    /// The folder of the file that was opened last, because files come folder by folder.
    private var folder: (prefix: ArraySlice<UInt8>, open: OpenFolder)?

    init(now: WallClock, roots: LibraryRoots = LibraryRoots()) {
        metadata = MetadataReader(now: now)
        self.now = now
        self.roots = roots
    }

    /// Opens a file below one of the roots. No link below the root is followed.
    mutating func open(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        let name = path.lastComponent
        let prefix = path.bytes[..<name.startIndex]
        do throws(POSIXError) {
            if let folder, folder.prefix == prefix { return try folder.open.descriptor.openForReading(FilePath(name)) }
            let open = try roots.open(folder: path.directory)
            folder = (prefix, open)
            return try open.descriptor.openForReading(FilePath(name))
        } catch { throw POSIXError(code: error.code, operation: error.operation, path: path) }
    }

    /// The bytes read from all files so far.
    var totalBytesRead: Int64 { bytesRead + metadata.bytesRead }

    /// The metadata of a file, and its identity right before it was read. Nil if it is not a regular file.
    mutating func read(
        _ path: FilePath, formatOnly: Bool
    ) throws(POSIXError) -> (content: IndexedContent, identity: FileIdentity)? {
        let file = try open(path)
        let status = try file.status()
        guard status.kind == .regular else { return nil }
        filesOpened += 1
        let content: IndexedContent? =
            if formatOnly {
                try metadata.format(file, byteCount: status.identity.bytes).map { .format($0) }
            } else {
                try metadata.read(file, byteCount: status.identity.bytes).map { .metadata($0) }
            }
        return (content ?? .noMedia, status.identity)
    }

    /// The metadata in a sidecar; empty if it is not a regular file or is too large.
    mutating func sidecar(_ path: FilePath, _ kind: SidecarKind) throws(POSIXError) -> SidecarMetadata {
        guard let content = try sidecarContent(path) else { return SidecarMetadata() }
        return switch kind {
        case .xmp: .xmp(content, now: now)
        case .takeout: .takeout(content, now: now)
        default: SidecarMetadata()
        }
    }

    /// The content of a sidecar; nil if it is not a regular file or is too large. Follows no link and does not wait for
    /// a pipe.
    mutating func sidecarContent(_ path: FilePath) throws(POSIXError) -> [UInt8]? {
        let file = try open(path)
        let status = try file.status()
        guard status.kind == .regular, status.identity.bytes <= Self.sidecarLimit else { return nil }
        filesOpened += 1
        let content = try file.readFully(Int(status.identity.bytes))
        bytesRead += Int64(content.count)
        return content
    }
}

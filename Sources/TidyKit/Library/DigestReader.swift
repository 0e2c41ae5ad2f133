/// Computes digests of pictures without their metadata. Each thread has its own.
struct DigestReader: ~Copyable {
    private var metadata: MetadataReader
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0

    /// The end of a JPEG belongs to its picture. Most differ there already.
    private static let endLength: Int64 = 32
    /// What the files and the samples of all threads may take together.
    private static let budget = SharedBudget(min(DecodingOptions().memory, ResourceLimits.memory / 2))

    /// - Parameter now: decides which dates are valid; no date is used here.
    init(now: WallClock = WallClock(seconds: 0)) { metadata = MetadataReader(now: now) }

    /// SHA-256 of the coded picture with its orientation. Nil for formats of which the samples or the whole file count,
    /// and for files that are damaged.
    mutating func codedDigest(of file: ComparedFile) throws(POSIXError) -> [UInt8]? {
        try read(file, memory: { _ in 0 }, { bytes, format, _ in CodedPicture.digest(of: bytes, format) })
    }

    /// SHA-256 of the decoded samples with the orientation. Nil for formats of which the whole file counts, for files
    /// that are damaged, and for those of several pictures.
    mutating func decodedDigest(of file: ComparedFile) throws(POSIXError) -> [UInt8]? {
        try read(
            file,
            memory: { metadata in
                let (pixels, overflow) = (metadata.width ?? 0).multipliedReportingOverflow(by: metadata.height ?? 0)
                return DecodedSamples.memory(metadata.format, pixels: overflow ? .max : pixels)
            },
            { bytes, format, memory in
                var options = DecodingOptions()
                options.memory = memory
                return (try? DecodedSamples.digest(of: bytes, format, options)) ?? nil
            })
    }

    private mutating func read(
        _ file: ComparedFile, memory: (MediaMetadata) -> Int64,
        _ digest: (_ file: [UInt8], MediaFormat, _ memory: Int64) -> [UInt8]?
    ) throws(POSIXError) -> [UInt8]? {
        let opened = try file.open()
        let byteCount = opened.identity.bytes
        // Larger files are compared byte by byte.
        guard byteCount <= DecodingOptions.longestFile else { return nil }
        filesOpened += 1
        guard let metadata = try metadata.read(opened.descriptor, byteCount: byteCount),
            CodedPicture.formats.contains(metadata.format)
        else { return nil }
        try Interrupt.check("read")
        let memory = memory(metadata)
        let need = byteCount.addingClamped(memory)
        guard need <= Self.budget.total else { return nil }
        let share = Self.budget.share(need)
        let content = try opened.descriptor.readFully(Int(byteCount))
        bytesRead = bytesRead.addingClamped(Int64(content.count))
        let found = digest(content, metadata.format, memory)
        _ = consume share
        try opened.checkUnchanged()
        return found.map { $0 + [UInt8(metadata.orientation?.rawValue ?? 1)] }
    }

    /// True if both files show the same picture, or, if the picture of one of them has no digest, hold the same bytes.
    mutating func areEqual(_ left: ComparedFile, _ right: ComparedFile) throws(POSIXError) -> Bool {
        let (first, second) = (try codedDigest(of: left), try codedDigest(of: right))
        if let first, first == second { return true }
        if let first = try decodedDigest(of: left), let second = try decodedDigest(of: right), first == second {
            return true
        }
        var comparison = FileComparison()
        return try comparison.areEqual(left, right)
    }

    /// A hash of the last bytes of a JPEG; 0 for what need not end with its picture.
    mutating func endHash(of photo: Photo) throws(POSIXError) -> UInt64 {
        guard photo.format == .jpeg, photo.identity.bytes >= Self.endLength else { return 0 }
        let file = try ComparedFile(photo).open()
        filesOpened += 1
        var hash = KeyedHash()
        let end = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(Self.endLength), alignment: 8)
        defer { end.deallocate() }
        let count = try file.descriptor.readFully(into: end, at: photo.identity.bytes - Self.endLength)
        bytesRead += Int64(count)
        hash.update(UnsafeRawBufferPointer(rebasing: end[..<count]))
        return hash.finish()
    }
}

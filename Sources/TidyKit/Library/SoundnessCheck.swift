/// Finds out from a decoder whether the coded data of a picture are complete.
package struct DamageDetector: Sendable {
    /// The formats that it supports.
    let formats: Set<MediaFormat>
    /// Gets an open file and its length in bytes; returns nil if it cannot decide.
    let isDamaged: @Sendable (borrowing FileDescriptor, Int64) throws(POSIXError) -> Bool?
}

/// Checks whether a file is complete. Formats of the detector are decoded to the last scan. For others, and if the
/// detector cannot decide, the lengths of boxes and chunks are followed to the end of the file.
struct SoundnessCheck: Sendable {
    let damageDetector: DamageDetector?

    /// True if the file is damaged or incomplete; nil if that cannot be decided.
    func isBroken(_ photo: Photo, opened: inout Int, bytes: inout Int64) throws(POSIXError) -> Bool? {
        guard let format = photo.format else { return nil }
        if format.kind == .photo, photo.pixels ?? 0 == 0 { return true }
        opened += 1
        if let damageDetector, damageDetector.formats.contains(format) {
            let file = try FileDescriptor.openForReading(photo.path)
            let status = try file.status()
            guard status.kind == .regular else { return nil }
            bytes = bytes.addingClamped(status.identity.bytes)
            if let isDamaged = try damageDetector.isDamaged(file, status.identity.bytes) { return isDamaged }
        }
        switch format {
        case .png: return try !Self.isWhole(photo.path, &bytes, Self.reachesEnd)
        case .webp: return try !Self.isWhole(photo.path, &bytes, Self.isWholeRIFF)
        case .heic, .avif, .cr3, .mov, .mp4, .threeGP: return try !Self.isWhole(photo.path, &bytes, Self.hasWholeBoxes)
        case .jpeg: return nil
        default: return false
        }
    }

    private static func isWhole(
        _ path: FilePath, _ bytes: inout Int64, _ check: (inout HeaderSource) throws(POSIXError) -> Bool
    ) throws(POSIXError) -> Bool {
        var source = try HeaderSource.open(path)
        defer { bytes = bytes.addingClamped(source.bytesRead) }
        return try check(&source)
    }

    /// PNG (third edition), section 5.3: the last chunk is IEND.
    private static func reachesEnd(_ source: inout HeaderSource) throws(POSIXError) -> Bool {
        var walker = PNGWalker()
        while let chunk = try walker.next(in: &source) {
            try Interrupt.check("read")
            // A hole in a sparse file would be an endless series of empty chunks.
            guard chunk.name != nil, chunk.end <= source.byteCount else { return false }
            if chunk.type == PNGChunk.code("IEND") { return true }
        }
        return false
    }

    /// RIFF: the total length follows the first four bytes.
    private static func isWholeRIFF(_ source: inout HeaderSource) throws(POSIXError) -> Bool {
        var walker = RIFFWalker(from: 0, to: source.byteCount)
        guard let file = try walker.next(in: &source) else { return false }
        return !file.isCut
    }

    /// ISO/IEC 14496-12, section 4.2: top-level boxes follow each other to the end of the file; a length of 0 means up
    /// to the end. Bytes that a writer left after the last box are not damage.
    private static func hasWholeBoxes(_ source: inout HeaderSource) throws(POSIXError) -> Bool {
        var walker = ISOBoxWalker(to: source.byteCount)
        var hasIndex = false
        while let box = try walker.next(in: &source) {
            try Interrupt.check("read")
            // No writer produces such a length: this is not a box.
            if box.claimed > .max / 2 { return hasIndex }
            if box.isCut { return false }
            if box.type == ISOBox.code("meta") || box.type == ISOBox.code("moov") { hasIndex = true }
        }
        let isCut = try isCutWithinLength(&source, at: walker.at)
        return hasIndex && !isCut
    }

    /// True if the file ends within the 64-bit length of a box whose visible part already claims more than the rest of
    /// the file.
    private static func isCutWithinLength(_ source: inout HeaderSource, at offset: Int64) throws(POSIXError) -> Bool {
        guard (8..<16).contains(source.byteCount - offset) else { return false }
        let header = try source.view(at: offset, 16)
        guard header.u32(0) == 1, let highest = header[8], highest < 0x40 else { return false }
        return header.from(8).buffer.contains { $0 > 0 }
    }
}

/// A file of which only the headers of its parts are read, and no more bytes than requested.
private struct HeaderSource: ByteSource, ~Copyable {
    typealias Failure = POSIXError

    private let file: FileDescriptor
    let byteCount: Int64
    private(set) var bytesRead: Int64 = 0
    /// The range of the file that is in `buffer`.
    private var held: Range<Int64> = 0..<0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)

    private init(_ file: consuming FileDescriptor, byteCount: Int64) {
        self.file = file
        self.byteCount = byteCount
    }

    static func open(_ path: FilePath) throws(POSIXError) -> HeaderSource {
        let file = try FileDescriptor.openForReading(path)
        let byteCount = try file.status().identity.bytes
        return HeaderSource(file, byteCount: byteCount)
    }

    deinit { buffer.deallocate() }

    /// - Parameter length: at most 16.
    mutating func view(at offset: Int64, _ length: Int) throws(POSIXError) -> ByteView {
        let length = min(length, buffer.count)
        if held.lowerBound != offset || held.count < length && held.upperBound < byteCount {
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]), at: offset)
            held = offset..<offset + Int64(count)
            bytesRead += Int64(count)
        }
        return ByteView(UnsafeRawBufferPointer(rebasing: buffer[..<min(length, held.count)]))
    }
}

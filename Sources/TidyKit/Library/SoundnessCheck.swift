/// Tells whether the coded data of a picture are whole, as its decoder sees it.
public struct PictureJudge: Sendable {
    /// Formats that it knows.
    let formats: Set<MediaFormat>
    /// Of an open file and its length; nil where it cannot be told.
    let isDamaged: @Sendable (borrowing FileDescriptor, Int64) throws(POSIXError) -> Bool?
}

/// Whether a photo's file is whole. What the judge knows is decoded to the last scan; of other boxes and chunks, and where
/// no decoder can tell, the lengths are followed to the end of the file.
struct SoundnessCheck: Sendable {
    let judge: PictureJudge?

    /// Nil where it cannot be told.
    func isBroken(_ photo: Photo, opened: inout Int, bytes: inout Int64) throws(POSIXError) -> Bool? {
        guard let format = photo.format else { return nil }
        if format.kind == .photo, photo.pixels ?? 0 == 0 { return true }
        opened += 1
        if let judge, judge.formats.contains(format) {
            let file = try FileDescriptor.openForReading(photo.path)
            let status = try file.status()
            guard status.kind == .regular else { return nil }
            bytes = bytes.addingClamped(status.identity.bytes)
            if let isDamaged = try judge.isDamaged(file, status.identity.bytes) { return isDamaged }
        }
        switch format {
        case .jpeg: return nil
        case .png: return try !Self.hasChunks(photo.path, &bytes)
        case .webp: return try !Self.hasWholeRIFF(photo.path, &bytes)
        case .heic, .avif, .cr3, .mov, .mp4, .threeGP: return try !Self.hasBoxes(photo.path, &bytes)
        default: return false
        }
    }

    /// PNG (third edition), section 5.3: length, type, data, CRC; the last chunk is IEND.
    private static func hasChunks(_ path: FilePath, _ bytes: inout Int64) throws(POSIXError) -> Bool {
        let file = try FileDescriptor.openForReading(path)
        let size = try file.status().identity.bytes
        var offset: Int64 = 8
        while let head = try head(of: file, at: offset, &bytes) {
            try Interrupt.check("read")
            // A hole in a sparse file would be chunks without end.
            guard head[4..<8].allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return false }
            let length = 12 + Int64(word(head, 0))
            guard length <= size - offset else { return false }
            if word(head, 4) == 0x4945_4E44 { return true }
            offset += length
        }
        return false
    }

    /// RIFF: the length of the whole stands behind the first four bytes.
    private static func hasWholeRIFF(_ path: FilePath, _ bytes: inout Int64) throws(POSIXError) -> Bool {
        let file = try FileDescriptor.openForReading(path)
        guard let head = try head(of: file, at: 0, &bytes) else { return false }
        return try Int64(word(head, 4).byteSwapped) + 8 <= file.status().identity.bytes
    }

    /// ISO/IEC 14496-12, section 4.2: boxes at the top follow each other to the end; a length of 0 reaches there by
    /// definition. What a writer left behind the last box is no damage.
    private static func hasBoxes(_ path: FilePath, _ bytes: inout Int64) throws(POSIXError) -> Bool {
        let file = try FileDescriptor.openForReading(path)
        let size = try file.status().identity.bytes
        var offset: Int64 = 0
        var hasIndex = false
        while let head = try head(of: file, at: offset, &bytes) {
            try Interrupt.check("read")
            let type = word(head, 4)
            let length: Int64
            switch word(head, 0) {
            case 0: length = size - offset
            case 1:
                let long = UInt64(word(head, 8)) << 32 | UInt64(word(head, 12))
                guard long >= 16, long <= UInt64(Int64.max / 2) else { return hasIndex }
                length = Int64(long)
            case let short: length = Int64(short)
            }
            guard length >= 8 else { return hasIndex }
            guard length <= size - offset else { return false }
            if type == 0x6D65_7461 || type == 0x6D6F_6F76 { hasIndex = true }
            offset += length
        }
        return hasIndex
    }

    /// 16 bytes, or as many as there are behind `offset`, the rest 0; nil where fewer than 8 are left.
    private static func head(
        of file: borrowing FileDescriptor, at offset: Int64, _ bytes: inout Int64
    ) throws(POSIXError) -> [UInt8]? {
        var failure: POSIXError?
        var head = [UInt8](repeating: 0, count: 16)
        var count = 0
        head.withUnsafeMutableBytes { buffer in
            do throws(POSIXError) { count = try file.read(into: buffer, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
        bytes = bytes.addingClamped(Int64(count))
        return count >= 8 ? head : nil
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

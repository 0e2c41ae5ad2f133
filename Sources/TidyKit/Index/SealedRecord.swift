/// What the rows of both tables begin with: a check value and the identity of the file that the row describes.
///
///     check 8 | bytes 8 | modifiedNs 8 | changedNs 8
///
/// The check value covers the rest of the row, the inode, and a seed that stands for what wrote the row.
enum SealedRecord {
    static let headLength = 32

    static func append(
        of file: FileIdentity, seed: UInt64, to bytes: inout [UInt8], _ body: (inout RecordWriter) -> Void
    ) {
        let start = bytes.count
        var out = RecordWriter(bytes: bytes)
        bytes = []
        out.fixed(UInt64(0))
        out.fixed(UInt64(bitPattern: file.bytes))
        out.fixed(UInt64(truncatingIfNeeded: file.modifiedNs))
        out.fixed(UInt64(truncatingIfNeeded: file.changedNs))
        body(&out)
        let check = out.bytes.withUnsafeBytes { all in
            Self.check(UnsafeRawBufferPointer(rebasing: all[(start + 8)...]), of: file, seed: seed)
        }
        for index in 0..<8 { out.bytes[start + index] = UInt8(truncatingIfNeeded: check >> (8 * UInt64(index))) }
        bytes = out.bytes
    }

    /// False for a row that describes another state of the file, that something else wrote, or that is damaged.
    static func isSound(_ row: ByteView, of file: FileIdentity, seed: UInt64) -> Bool {
        guard row.count >= headLength, row.u64(8, .little) == UInt64(bitPattern: file.bytes),
            let modified = Int64(exactly: file.modifiedNs), let changed = Int64(exactly: file.changedNs)
        else { return false }
        return row.u64(16, .little) == UInt64(bitPattern: modified)
            && row.u64(24, .little) == UInt64(bitPattern: changed)
            && row.u64(0, .little) == check(row.from(8).buffer, of: file, seed: seed)
    }

    private static func check(_ bytes: UnsafeRawBufferPointer, of file: FileIdentity, seed: UInt64) -> UInt64 {
        var hash = Checksum(seed: seed)
        hash.add(file.device)
        hash.add(file.inode)
        hash.add(bytes)
        return hash.value
    }
}

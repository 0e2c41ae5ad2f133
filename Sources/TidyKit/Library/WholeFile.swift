/// All bytes of a file, in memory.
enum WholeFile {
    /// No photo is larger; what is, is not looked at.
    private static let limit: Int64 = 1 << 29

    /// Nil for a file that is too large. `bytes` are those that were read.
    static func read<Result>(
        _ path: FilePath, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(POSIXError) -> (result: Result, bytes: Int64)? {
        let file = try FileDescriptor.openForReading(path)
        let status = try file.status()
        guard status.kind == .regular, status.identity.bytes <= limit else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(status.identity.bytes), alignment: 16)
        defer { buffer.deallocate() }
        var count = 0
        while count < buffer.count {
            let more = try file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), at: Int64(count))
            if more == 0 { break }
            count += more
        }
        return (body(UnsafeRawBufferPointer(rebasing: buffer[..<count])), Int64(count))
    }
}

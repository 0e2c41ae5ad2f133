/// Where a reader gets bytes by their offset: a file, or a block that is in memory already.
protocol ByteSource: ~Copyable {
    var byteCount: Int64 { get }
    /// The bytes from `offset` on: `length` of them, or as many as there are. Good until the next call.
    mutating func view(at offset: Int64, _ length: Int) throws(POSIXError) -> ByteView
}

extension FileWindow: ByteSource {}

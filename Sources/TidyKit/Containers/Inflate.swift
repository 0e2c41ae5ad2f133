internal import CZlib

/// The compressed text of PNG: a zlib stream (RFC 1950).
enum Inflate {
    /// Nil for damaged data, and for what grows past `limit` bytes.
    static func zlib(_ input: ByteView, limit: Int = 1 << 20) -> [UInt8]? {
        var capacity = min(limit, max(4096, input.count * 4))
        while true {
            var length = uLongf(capacity)
            var status = Z_OK
            let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                status = uncompress(
                    buffer.baseAddress, &length, input.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    uLong(input.count))
                count = status == Z_OK ? min(Int(length), buffer.count) : 0
            }
            if status == Z_OK { return output }
            guard status == Z_BUF_ERROR, capacity < limit else { return nil }
            capacity = min(limit, capacity * 4)
        }
    }
}

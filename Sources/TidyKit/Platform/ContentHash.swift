internal import CNettle

/// SHA-256 (FIPS 180-4) of files.
enum ContentHash {
    /// The 32 bytes of the digest of an open file. Reads 256 KiB at a time. Throws EINTR once `Interrupt.isRequested`.
    static func sha256(of file: borrowing FileDescriptor) throws(POSIXError) -> [UInt8] {
        var hash = SHA256()
        var offset: Int64 = 0
        let size = 1 << 18
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            try Interrupt.check("read")
            let count = try file.readFully(into: buffer, at: offset)
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < size { return hash.finish() }
            offset += Int64(count)
        }
    }
}

/// SHA-256 by Nettle, which uses the processor's instructions for it if there are any.
struct SHA256 {
    private var state = sha256_ctx()

    init() { nettle_sha256_init(&state) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        nettle_sha256_update(&state, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// The 32 bytes of the digest.
    mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { buffer, count in
            count = Int(SHA256_DIGEST_SIZE)
            nettle_sha256_digest(&state, count, buffer.baseAddress)
        }
    }
}

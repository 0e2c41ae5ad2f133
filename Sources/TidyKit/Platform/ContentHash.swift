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

/// A hash of 64 bits by UMAC (RFC 4418) under a key that each process draws anew. Without the key, nobody can make
/// files that collide. Its values are never stored.
struct KeyedHash {
    private static let key: [UInt8] = {
        var random = SystemRandomNumberGenerator()
        return (0..<Int(UMAC_KEY_SIZE)).map { _ in random.next() }
    }()
    private var state = umac64_ctx()

    init() { nettle_umac64_set_key(&state, Self.key) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        nettle_umac64_update(&state, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// The hash of what was added since the last one.
    mutating func finish() -> UInt64 {
        // Each digest counts the nonce up. Equal bytes need the same one.
        let nonce: [UInt8] = [0]
        nettle_umac64_set_nonce(&state, nonce.count, nonce)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(UMAC64_DIGEST_SIZE)) { digest in
            nettle_umac64_digest(&state, digest.count, digest.baseAddress)
            return UnsafeRawPointer(digest.baseAddress!).loadUnaligned(as: UInt64.self)
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

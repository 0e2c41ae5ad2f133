// The metadata readers under libFuzzer: any bytes as a file, as a sidecar, and as a name. See `run` beside this file.
import Glibc
import TidyKit

private let path = FilePath("/dev/shm/phototidy-fuzz-\(getpid())")

private struct Target: ~Copyable {
    let writing: Int32
    let reading: FileDescriptor
    var reader = MetadataReader(now: WallClock(year: 2025, month: 6, day: 15)!)

    init() throws {
        writing = path.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC, 0o600) }
        reading = try FileDescriptor.openForReading(path)
    }

    mutating func run(_ bytes: UnsafeRawBufferPointer) throws {
        ftruncate(writing, 0)
        pwrite(writing, bytes.baseAddress, bytes.count, 0)
        _ = try reader.read(reading, byteCount: Int64(bytes.count))
    }
}

nonisolated(unsafe) private var target: Target? = nil

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    do {
        if target == nil {
            target = try Target()
            // The open descriptors keep it alive; nothing stays behind when the fuzzer is stopped.
            try FileSystem.remove(path)
        }
        try target?.run(bytes)
    } catch {
        fatalError("a file in memory could not be read: \(error)")
    }
    let now = WallClock(year: 2025, month: 6, day: 15)!
    if count < 1 << 14 {
        _ = XMPReader.read(Array(bytes), now: now)
        _ = TakeoutMetadata.read(Array(bytes), now: now)
    }
    _ = FileNameDate.parse(Array(bytes.prefix(80))[...], now: now)
    return 0
}

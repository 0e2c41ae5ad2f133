// What `--similar` and `--duplicate=pixels` read of pictures under libFuzzer: any bytes as a file of each format, whole,
// by its thumbnail and by its samples. See `run` beside this file.
//
// The last two bytes of an input are the format and the size that the metadata tell, so that a seed is a picture with
// two bytes more.
import Glibc
import TidyKit

private let path = FilePath("/dev/shm/phototidy-fuzz-\(getpid())")
nonisolated(unsafe) private var writing: CInt = -1
nonisolated(unsafe) private var reading: FileDescriptor? = nil
/// What this costs under a sanitizer must stay far from the limit of time.
private let reducer = PictureReducer(memory: 100_000_000, maximumPixels: 300_000)
private let options = {
    var options = DecodingOptions()
    (options.memory, options.maximumPixels) = (100_000_000, 300_000)
    return options
}()

private func setUp() throws {
    writing = path.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC, 0o600) }
    reading = try FileDescriptor.openForReading(path)
    // The open descriptors keep it alive; nothing stays behind when the fuzzer is stopped.
    try FileSystem.remove(path)
}

/// What is compared has the samples that it claims.
private func check(_ picture: ReducedPicture) {
    precondition(picture.width > 0 && picture.height > 0, "no pixels")
    precondition(picture.luma.count == picture.width * picture.height, "another number of samples")
    precondition(picture.blue.isEmpty || picture.blue.count == 256, "colour of another size")
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 2, let start else { return 0 }
    if writing < 0 {
        do { try setUp() } catch { fatalError("no file in memory: \(error)") }
    }
    let formats = MediaFormat.allCases.filter { $0.kind != .video }
    let format = formats[Int(start[count - 2]) % formats.count]
    let (width, height) = [(72, 50), (640, 480), (1, 65_535), (0, 0)][Int(start[count - 1] & 3)]
    ftruncate(writing, 0)
    pwrite(writing, start, count - 2, 0)
    let bytes = Int64(count - 2)
    if let picture = try? reducer.picture(reading!, byteCount: bytes, format, duration: nil) { check(picture) }
    let thumbnail = try? reducer.thumbnail(reading!, byteCount: bytes, format, width: width, height: height)
    if let thumbnail { check(thumbnail) }
    let samples = try? DecodedSamples.digest(
        of: Array(UnsafeBufferPointer(start: start, count: count - 2)), format, options)
    if let samples { precondition(samples.count == 32, "a digest of another length") }
    return 0
}

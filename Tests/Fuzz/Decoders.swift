// The decoders of `compress` under libFuzzer: any bytes as a picture, by the way that the program goes, and truths about
// what comes out. See `run` beside this file.
//
// The last two bytes of an input are options, so that a seed is a picture with two bytes more.
import Glibc
import TidyKit

private let path = FilePath("/dev/shm/phototidy-fuzz-\(getpid())")
nonisolated(unsafe) private var file: CInt = -1

private func setUp() {
    file = path.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC, 0o600) }
    atexit { _ = try? FileSystem.remove(path) }
}

/// Target, metadata policy and the rest, as the bits of two bytes say.
private func settings(_ first: UInt8, _ second: UInt8) -> CompressionSettings {
    var settings = CompressionSettings()
    settings.maximumBytes = [600, 2_000, 8_000, 1_000_000][Int(first & 3)]
    settings.metadata = [.safe, .none, .all, .safe][Int(first >> 2 & 3)]
    settings.effort = first & 0x10 != 0 ? .fast : .best
    settings.isProgressive = first & 0x20 == 0
    settings.decoding.allowsDamaged = first & 0x40 != 0
    settings.decoding.color = first & 0x80 != 0 ? .srgb : .keep
    settings.chroma = [.auto, .quarter, .full, .auto][Int(second & 3)]
    settings.maximumEdge = second & 4 != 0 ? 33 : nil
    settings.minimumEdge = second & 8 != 0 ? 20 : 320
    settings.minimumSavings = second & 0x10 != 0 ? 5 : 0
    // What this costs under a sanitizer must stay far from the limit of time.
    settings.decoding.maximumPixels = 300_000
    settings.decoding.memory = 100_000_000
    return settings
}

private func compress(_ bytes: UnsafeRawBufferPointer, _ settings: CompressionSettings) -> CompressionRun.Outcome {
    ftruncate(file, 0)
    pwrite(file, bytes.baseAddress, bytes.count, 0)
    var inputs = CompressionInputs()
    inputs.add(file: path, bytes: Int64(bytes.count))
    guard let plan = try? CompressionPlan(inputs.inputs, to: .stream) else { fatalError("no plan for one file") }
    var run = CompressionRun(plan: plan, settings: settings)
    run.jobs = 1
    return run.run()
}

/// What came out is sound: it fits already, decodes to its end without a warning, and has the size that was reported.
private func check(_ item: CompressionItem, _ stream: [UInt8], _ limit: Int64) {
    precondition(stream.starts(with: [0xFF, 0xD8]), "no JPEG")
    precondition(item.bytes == Int64(stream.count), "another number of bytes was reported")
    precondition(item.bytes! <= limit, "over the target")
    var strict = CompressionSettings()
    strict.maximumBytes = Int64(stream.count)
    strict.metadata = .all
    let again = stream.withUnsafeBytes { compress($0, strict) }
    let second = again.items[0]
    precondition(second.action == .copied, "the output: \(second.reason ?? "")")
    precondition(again.stream == stream, "a copy that differs")
    precondition(second.width == item.width && second.height == item.height, "another size was reported")
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 2, let start else { return 0 }
    if file < 0 { setUp() }
    let settings = settings(start[count - 2], start[count - 1])
    let picture = UnsafeRawBufferPointer(start: start, count: count - 2)
    let outcome = compress(picture, settings)
    let item = outcome.items[0]
    switch item.action {
    case .failed: precondition(item.reason?.isEmpty == false, "failed without a reason")
    case .recompressed: check(item, outcome.stream!, settings.maximumBytes)
    case .rewritten, .copied:
        // What is passed on is as damaged as it was allowed to be.
        if !settings.decoding.allowsDamaged { check(item, outcome.stream!, settings.maximumBytes) }
    }
    return 0
}

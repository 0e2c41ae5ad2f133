/// The coded pictures (tiles, layers and alpha too) that make up the main picture of a HEIF file, with the sizes in
/// their own streams. libheif trusts `ispe` while its decoders follow the stream, so memory is counted by the larger
/// size before decoding.
struct HEIFCodedPictures {
    /// The largest of them.
    private(set) var largest = CodedFrame()
    /// The pixels that are decoded at a time.
    private(set) var pixels = 0

    /// The tiles of a grid that libheif decodes in parallel.
    private static let threads = 4

    /// - Parameter trustsFrames: the AV1 decoder refuses frames larger than their sequence header says.
    /// - Throws: `damaged` for a stream whose header cannot be read, and for items that together are longer than the
    ///   file: libheif copies data as often as items refer to them.
    init(_ file: ByteView, trustsFrames: Bool) throws(PictureError) {
        let directories = Array(ISOBoxes(file).lazy.filter { $0.type == ISOBox.code("meta") }.map(\.content).prefix(2))
        guard let meta = directories.first.map({ $0.from(4) }) else { return }
        if directories.count > 1 { throw .unsupported("cannot be read: the file has two directories of items") }
        var items = HEIFItemTable(meta, fileBytes: file.count)
        guard items.fitsFile else { throw .damaged("an item is longer than the file") }
        guard let primary = items.primary else { return }
        var frames: [Int: CodedFrame] = [:]
        var open = [primary]
        var seen: Set<Int> = [primary]
        while let item = open.popLast() {
            do throws(UnreadableFrame) {
                frames[item] = try items.frame(of: item, in: file, trustsFrames: trustsFrames)
            } catch {
                throw .damaged(
                    items.missingConfiguration(of: item).map { "a coded picture has no \($0) box" }
                        ?? "the header of a coded picture cannot be read")
            }
            for part in items.parts[item, default: []] + items.auxiliaries[item, default: []]
            where seen.insert(part).inserted { open.append(part) }
        }
        for item in seen { count(item, items, frames) }
    }

    private mutating func count(_ item: Int, _ items: HEIFItemTable, _ frames: [Int: CodedFrame]) {
        if let frame = frames[item] {
            largest.widen(frame)
            pixels = max(pixels, frame.pixels)
        }
        let parts = items.parts[item, default: []]
        let tile = parts.reduce(0) { max($0, frames[$1]?.pixels ?? 0) }
        let (together, overflow) = tile.multipliedReportingOverflow(by: min(parts.count, Self.threads))
        pixels = max(pixels, overflow ? .max : together)
    }
}

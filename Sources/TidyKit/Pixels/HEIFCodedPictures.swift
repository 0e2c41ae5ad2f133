/// The coded pictures that the main picture of a HEIF file is made of (tiles, layers and alpha too), as large as their own
/// streams say. libheif believes `ispe`, and its decoders make what the stream says: memory is to be counted by the larger
/// before anything is decoded.
struct HEIFCodedPictures {
    /// The largest of them.
    private(set) var largest = CodedFrame()
    /// Of all that are decoded at a time.
    private(set) var pixels = 0

    /// libheif decodes so many tiles of a grid side by side.
    private static let threads = 4

    /// - Parameter trustsFrames: of AV1: the decoder refuses frames larger than their sequence.
    /// - Throws: `damaged` for a stream whose header cannot be read, and for items that claim more data than the file has:
    ///   libheif copies them as often as they are claimed.
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

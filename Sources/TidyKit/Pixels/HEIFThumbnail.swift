/// The first thumbnail of the main picture of a HEIF file (`thmb`), decoded without reading the rest of the file.
struct HEIFThumbnail {
    /// The longest edge of a thumbnail that is decoded; a larger one saves nothing.
    private static let longestEdge = 1024
    /// What libheif may read for it: the directory, EXIF and XMP, the coded thumbnail. Cameras write 100 kB.
    private static let mostRead: Int64 = 16 << 20
    /// Of a pixel, with all that the decoders hold (`HEIFStructure.decoderBytes`).
    private static let bytesPerPixel: Int64 = 32

    /// Where the types of references are that libheif before 1.18 may refuse, and that no thumbnail needs.
    private let hidden: [Int64]
    private let byteCount: Int64
    private let pixels: Int

    /// The memory that decoding takes, in bytes.
    var need: Int64 { Self.mostRead + Int64(pixels) * Self.bytesPerPixel }

    /// Nil if there is no thumbnail, or if it is not of the kind that cameras write.
    init?(_ file: borrowing FileDescriptor, byteCount: Int64) throws(POSIXError) {
        self.byteCount = byteCount
        var window = FileWindow()
        window.attach(file, byteCount: byteCount)
        var boxes = ISOBoxWalker(to: byteCount, most: 1000)
        var found: ISOBox?
        while found == nil, let box = try boxes.next(in: &window) {
            if box.type == ISOBox.code("meta") { found = box }
        }
        guard let box = found, !box.isCut, box.length <= FileWindow.maximumPiece else { return nil }
        let meta = Array(try window.view(at: box.start, box.length).buffer)
        guard meta.count == box.length else { return nil }
        hidden = meta.withView { view in
            HEIFReferences.offsets(
                ofReferences: ["cdsc", "auxl"], inMeta: MemorySource(bytes: view), from: 0, to: Int64(view.count)
            ).map { box.start + Int64($0) }
        }
        let size = try meta.withView { (view) throws(POSIXError) in
            var items = HEIFItemTable(view.from(4), fileBytes: Int(clamping: byteCount))
            return try Self.size(&items, &window)
        }
        guard let size else { return nil }
        pixels = size
    }

    /// The pixels of the thumbnail in its own stream: libheif would trust what the directory says. Nil where it has too
    /// many, or is composed of other pictures.
    private static func size(_ items: inout HEIFItemTable, _ window: inout FileWindow) throws(POSIXError) -> Int? {
        guard let primary = items.primary, let thumbnail = items.thumbnails[primary]?.first, items.fitsFile,
            let location = items.location(of: thumbnail), location.isWhole, location.method == 0,
            location.length.addingClamped(items.bytesReadOnOpening) <= mostRead / 2
        else { return nil }
        var data: [UInt8] = []
        for extent in location.extents {
            // An extent longer than one piece of the window is refused.
            let piece = try window.view(at: extent.offset, Int(clamping: extent.length))
            guard piece.count == Int(extent.length) else { return nil }
            data += piece.buffer
        }
        let frame = data.withView { view in
            (try? items.frame(of: thumbnail, coded: view, trustsFrames: false)) ?? nil
        }
        guard let frame, (1...longestEdge).contains(frame.width), (1...longestEdge).contains(frame.height) else {
            return nil
        }
        return frame.pixels
    }

    /// Turned as the file says.
    func planes(_ file: borrowing FileDescriptor) throws(PictureError) -> Planes? {
        let library = try HEIFLibrary.shared()
        let reader = HEIFFileReader(file, byteCount: byteCount, mostRead: Self.mostRead, hiding: hidden)
        let context = try HEIFContext(thumbnailOf: reader, library)
        let header = HEIFHeader(context)
        guard max(header.storedWidth, header.storedHeight) <= Self.longestEdge else { return nil }
        let image = try HEIFImage(context, allowsDamaged: true)
        guard image.width <= Self.longestEdge, image.height <= Self.longestEdge else { return nil }
        let builder = try PlaneBuilder(width: image.width, height: image.height)
        var row = [UInt8](repeating: 255, count: 4 * image.width)
        for y in 0..<image.height {
            image.read(y, from: 0, alpha: nil, into: &row)
            row.withUnsafeBufferPointer { builder.setRow(y, rgba: $0.baseAddress!) }
        }
        return builder.planes
    }
}

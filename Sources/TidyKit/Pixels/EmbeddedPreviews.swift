/// The JPEGs that a camera puts into its file beside the picture: the thumbnail of EXIF, the previews of RAW photos.
enum EmbeddedPreviews {
    struct Place: Equatable {
        var offset: Int64
        var length: Int

        /// Throws where the bytes are not those of a JPEG.
        func read(_ file: borrowing FileDescriptor) throws(POSIXError) -> [UInt8] {
            var failure: POSIXError?
            let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                do throws(POSIXError) {
                    count = try file.readFully(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
                } catch { failure = error }
            }
            if let failure { throw failure }
            return bytes
        }
    }

    /// A preview with a shorter long edge does not stand for the picture of a RAW photo.
    static let leastPictureEdge = 160
    /// Directories of one file; offsets may form cycles.
    private static let maximumDirectories = 16
    private static let maximumPreviews = 16
    /// The longest preview; those of 100-megapixel cameras have 30 MB.
    private static let longest = 64 << 20
    private static let shortest = 256

    /// The shortest first. What they hold is not checked.
    static func find(in file: borrowing FileDescriptor, byteCount: Int64) throws(POSIXError) -> [Place] {
        var window = FileWindow()
        window.attach(file, byteCount: byteCount, firstRead: 64 << 10)
        let head = try window.view(at: 0, ContentType.headLength)
        var places: [Place] = []
        switch ContentType.format(of: head) {
        case .jpeg:
            if let start = try exifBlock(&window) { places = try inTIFF(&window, base: start) }
        case .raf:
            let header = try window.view(at: 84, 8)
            if let offset = header.int32(0), let length = header.int32(4) {
                places = [Place(offset: Int64(offset), length: length)]
            }
        case .cr3: places = try inCanonBoxes(&window)
        case .x3f: places = try inSigmaSections(&window)
        default: places = try inTIFF(&window, base: 0)
        }
        let sound = places.filter {
            (shortest...longest).contains($0.length) && $0.offset >= 0 && $0.offset <= byteCount - Int64($0.length)
        }
        return Array(sound.sorted { $0.length < $1.length }.prefix(maximumPreviews))
    }

    /// Where the TIFF header of the first EXIF segment is.
    private static func exifBlock(_ window: inout FileWindow) throws(POSIXError) -> Int64? {
        var walker = JPEGWalker(from: 2, maximumPassedOver: 1 << 16)
        for _ in 0..<100 {
            guard case .marker(let marker) = try walker.next(in: &window), let length = marker.length, length >= 2,
                marker.code != JPEGMarker.startOfScan, marker.code != JPEGMarker.endOfImage
            else { return nil }
            guard marker.code == JPEGFile.app1 else { continue }
            let head = try window.view(at: marker.start, 16)
            if let skip = EXIFSegment.exifStart(head) { return marker.start + Int64(skip) + 6 }
        }
        return nil
    }

    // MARK: TIFF

    private enum Tag {
        static let compression = 0x103
        static let stripOffsets = 0x111
        static let stripByteCounts = 0x117
        static let subDirectories = 0x14A
        static let offset = 0x201
        static let length = 0x202
        /// The whole JPEG as the value, in RW2.
        static let panasonicPreview = 0x2E
        static let wanted: Set = [
            compression, stripOffsets, stripByteCounts, subDirectories, offset, length, panasonicPreview,
        ]
    }

    /// JPEGInterchangeFormat of any directory, and single strips of JPEG.
    private static func inTIFF(_ window: inout FileWindow, base: Int64) throws(POSIXError) -> [Place] {
        guard let header = TIFFHeader(try window.view(at: base, 16)) else { return [] }
        var (waiting, places) = ([header.first], [Place]())
        var seen: Set<Int64> = []
        while let start = waiting.popLast(), seen.count < maximumDirectories {
            guard seen.insert(start).inserted,
                let directory = try TIFFDirectory.read(
                    from: &window, base: base, at: start, header.coding, most: 1000)
            else { continue }
            // The view of the directory ends with the next read.
            var values: [Int: TIFFEntry.Place] = [:]
            for entry in directory where Tag.wanted.contains(entry.tag) { values[entry.tag] = entry.place }
            if let next = directory.next, next > 0 { waiting.append(next) }
            func integers(_ tag: Int, most: Int) throws(POSIXError) -> [Int] {
                guard let place = values[tag], place.count <= most else { return [] }
                let bytes = try window.view(at: base + place.offset, place.byteCount)
                let value = TIFFValue(type: place.type, count: place.count, bytes: bytes, order: header.coding.order)
                return (0..<place.count).compactMap { value.integer($0) }
            }
            waiting += try integers(Tag.subDirectories, most: 8).map(Int64.init)
            if let preview = values[Tag.panasonicPreview], preview.byteCount > shortest {
                places.append(Place(offset: base + preview.offset, length: preview.byteCount))
            }
            if let offset = try integers(Tag.offset, most: 1).first,
                let length = try integers(Tag.length, most: 1).first
            {
                places.append(Place(offset: base + Int64(offset), length: length))
            }
            // 6 and 7: JPEG, old and new (TIFF 6.0, section 22; TIFF Technical Note 2).
            if let compression = try integers(Tag.compression, most: 1).first, [6, 7].contains(compression),
                let offset = try integers(Tag.stripOffsets, most: 1).first,
                let length = try integers(Tag.stripByteCounts, most: 1).first
            {
                places.append(Place(offset: base + Int64(offset), length: length))
            }
        }
        return places
    }

    // MARK: Other RAW containers

    /// `THMB` in the `uuid` box of `moov`, and `PRVW` in the one after it; each ends with the JPEG.
    private static func inCanonBoxes(_ window: inout FileWindow) throws(POSIXError) -> [Place] {
        var places: [Place] = []
        var boxes = ISOBoxWalker(to: window.byteCount, most: 100)
        while let box = try boxes.next(in: &window) {
            if box.type == ISOBox.code("moov") {
                var inner = ISOBoxWalker(from: box.start, to: box.end, most: 100)
                while let box = try inner.next(in: &window) {
                    if box.type == ISOBox.code("uuid") { places += try inBox(box, skip: 16, &window) }
                }
            } else if box.type == ISOBox.code("uuid") {
                places += try inBox(box, skip: 24, &window)
            }
        }
        return places
    }

    private static func inBox(_ box: ISOBox, skip: Int64, _ window: inout FileWindow) throws(POSIXError) -> [Place] {
        var places: [Place] = []
        var boxes = ISOBoxWalker(from: box.start + skip, to: box.end, most: 100)
        while let box = try boxes.next(in: &window) {
            guard box.type == ISOBox.code("THMB") || box.type == ISOBox.code("PRVW") else { continue }
            let head = try window.view(at: box.start, 64)
            if let start = (0..<32).first(where: { head.u16($0) == 0xFFD8 }) {
                places.append(Place(offset: box.start + Int64(start), length: box.length - start))
            }
        }
        return places
    }

    /// Sigma X3F: the sections that the directory at the end of the file names.
    private static func inSigmaSections(_ window: inout FileWindow) throws(POSIXError) -> [Place] {
        let end = window.byteCount - 4
        guard let start = try window.view(at: end, 4).int32(0, .little).map(Int64.init) else { return [] }
        let table = try window.view(at: start, 12)
        guard table.starts(with: "SECd"), let count = table.int32(8, .little), count <= 100 else { return [] }
        var places: [Place] = []
        for index in 0..<Int64(count) {
            let entry = try window.view(at: start + 12 + index * 12, 12)
            guard let offset = entry.int32(0, .little), let length = entry.int32(4, .little), length > 28 else {
                continue
            }
            if entry.starts(with: "IMA2", at: 8) || entry.starts(with: "IMAG", at: 8) {
                places.append(Place(offset: Int64(offset) + 28, length: length - 28))
            }
        }
        return places
    }
}

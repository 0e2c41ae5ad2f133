internal import CTIFF
internal import Glibc

/// libtiff, opened when the first TIFF file is decoded.
struct TIFFLibrary {
    private static let missing: String? = ctiff_open_library().map { String(cString: $0) }

    static func shared() throws(PictureError) -> TIFFLibrary {
        if let missing { throw .unsupported("TIFF needs \(missing), which the package libtiff6 brings") }
        return TIFFLibrary()
    }
}

/// The first picture of a TIFF file, decoded by libtiff, which turns it as its tag says.
enum TIFFDecoder {
    /// The memory for one strip or tile, which may be as large as the picture.
    static func partBytes(_ pixels: Int) -> Int { max(headBytes, 8 * pixels) }
    /// The memory for a directory of tags.
    private static let headBytes = 16 << 20

    static func picture(_ bytes: [UInt8], _ options: DecodingOptions) throws(PictureError) -> SourcePicture {
        _ = try TIFFLibrary.shared()
        let (width, height) = try open(bytes, mostMemory: headBytes) { (_, width, height) throws(PictureError) in
            (width, height)
        }
        try options.checkSize(width, height)
        var picture = SourcePicture(width: width, height: height) { (_) throws(PictureError) in
            try open(bytes, mostMemory: partBytes(width * height)) { (file, _, _) throws(PictureError) in
                try planes(file, width, height)
            }
        }
        // libtiff returns four bytes a pixel.
        picture.decoderBytes = 4 * width * height + partBytes(width * height)
        return picture
    }

    private static func open<Result>(
        _ bytes: [UInt8], mostMemory: Int, _ body: (OpaquePointer, Int, Int) throws(PictureError) -> Result
    ) throws(PictureError) -> Result {
        try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            var (width, height) = (UInt32(0), UInt32(0))
            let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let file = ctiff_open(start, raw.count, mostMemory, &width, &height) else {
                throw .damaged("TIFF without a picture")
            }
            defer { ctiff_close(file) }
            return try body(file, Int(width), Int(height))
        }
    }

    private static func planes(_ file: OpaquePointer, _ width: Int, _ height: Int) throws(PictureError) -> Planes {
        // Zeros are transparent: what cannot be decoded is white.
        guard let pixels = calloc(width * height, 4) else { throw .needsMemory(Int64(4 * width * height), limit: 0) }
        defer { free(pixels) }
        let samples = pixels.assumingMemoryBound(to: UInt8.self)
        guard ctiff_read(file, UInt32(width), UInt32(height), samples) != 0 else { throw .damaged("TIFF") }
        let builder = try PlaneBuilder(width: width, height: height)
        for y in 0..<height { builder.setRow(y, rgba: UnsafePointer(samples + 4 * width * y)) }
        return builder.planes
    }
}

/// The samples of a TIFF file, to compare two files by what they show.
extension TIFFDecoder {
    /// Tags of metadata, and of how samples are packed. All others decide how they are shown, or may.
    private static let otherTags: Set<Int> = [
        254, 259, 266, 269, 270, 271, 272, 273, 274, 278, 279, 282, 283, 285, 292, 293, 296, 297, 305, 306, 315, 316,
        317,
        324, 325, 347, 700, 18246, 18249, 33432, 33723, 34377, 34665, 34853, 40091, 40092, 40093, 40094, 40095,
    ]
    private static let subdirectories = 330

    /// Adds the samples as they are stored, behind all tags that say how they are read. False for files of several
    /// pictures, and for damaged ones.
    static func samples(
        _ bytes: [UInt8], _ options: DecodingOptions, _ digest: inout PictureDigest
    ) throws(PictureError) -> Bool {
        guard bytes.withView({ addTags($0, to: &digest) }) else { return false }
        let most = Int(clamping: min(options.memory, Int64(DecodedSamples.maximumBytes)))
        _ = try TIFFLibrary.shared()
        return try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            var (width, height) = (UInt32(0), UInt32(0))
            guard
                let file = ctiff_open(
                    raw.baseAddress?.assumingMemoryBound(to: UInt8.self), raw.count, most, &width, &height)
            else { return false }
            defer { ctiff_close(file) }
            try options.checkSize(Int(width), Int(height))
            var samples = Samples(digest: digest)
            let isWhole = withUnsafeMutablePointer(to: &samples) { samples in
                ctiff_visit_samples(
                    file, most,
                    { user, bytes, count in
                        let samples = user?.assumingMemoryBound(to: Samples.self)
                        samples?.pointee.digest.extend(UnsafeRawBufferPointer(start: bytes, count: count))
                        samples?.pointee.count += count
                    }, samples)
            }
            digest = samples.digest
            digest.add(samples.count)
            return isWhole != 0
        }
    }

    private struct Samples {
        var digest: PictureDigest
        var count = 0
    }

    private static func addTags(_ file: ByteView, to digest: inout PictureDigest) -> Bool {
        var source = MemorySource(bytes: file)
        guard let header = TIFFHeader(file),
            let directory = TIFFDirectory.read(from: &source, at: header.first, header.coding, most: 1000),
            directory.next == 0
        else { return false }
        // Values and samples are stored in this order.
        digest.add(header.coding.order == .big ? 1 : 0)
        for entry in directory where !otherTags.contains(entry.tag) {
            guard entry.tag != subdirectories, entry.isWhole, let place = entry.place,
                let value = file.slice(Int(clamping: place.offset), place.byteCount)
            else { return false }
            digest.add(entry.tag)
            digest.add(Int(place.type))
            digest.add(value)
        }
        return true
    }
}

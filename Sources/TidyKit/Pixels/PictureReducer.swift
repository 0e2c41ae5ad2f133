/// Decodes pictures of every format that can be read, as small as a comparison allows.
package struct PictureReducer: Sendable {
    private let options: DecodingOptions
    /// Shared by all that decode at the same time.
    private let budget: SharedBudget

    /// - Parameter memory: for all pictures that are decoded at a time, in bytes.
    package init(
        memory: Int64 = DecodingOptions().memory, maximumPixels: Int = DecodingOptions().maximumPixels
    ) {
        var options = DecodingOptions()
        options.maximumPixels = maximumPixels
        options.allowsDamaged = true
        options.memory = memory
        self.options = options
        budget = SharedBudget(memory)
    }

    /// Why no file of this format can be decoded here, in words; nil where it can.
    package static func obstacle(_ format: MediaFormat?) -> String? {
        switch format {
        case .jpeg, .png, .webp, .bmp: nil
        case .gif: (try? GIFLibrary.shared()) == nil ? "libgif7 is not installed" : nil
        case .heic, .avif: (try? HEIFLibrary.shared()) == nil ? "libheif1 is not installed" : nil
        case .tiff: (try? TIFFLibrary.shared()) == nil ? "libtiff6 is not installed" : nil
        case .jxl, .jp2: "JPEG XL and JPEG 2000 are not read"
        case .crw, .mrw, .kdc, .mos: "RAW formats without a readable preview"
        case let format? where format.kind == .raw: nil
        case let format? where format.kind == .video: VideoFrame.program == nil ? "ffmpeg is not installed" : nil
        default: "no picture"
        }
    }

    /// The picture itself, or what stands for it: the largest preview of a RAW photo, four frames of a video.
    package func picture(
        _ file: borrowing FileDescriptor, byteCount: Int64, _ format: MediaFormat, duration: Double?
    ) throws(PictureError) -> ReducedPicture {
        switch format.kind {
        case .video:
            let share = budget.share(VideoFrame.need)
            let frame = try VideoFrame.planes(of: file, duration: duration, options)
            _ = consume share
            return try ReducedPicture(frame)
        case .raw: return try rawPreview(file, byteCount)
        case .photo: break
        }
        guard byteCount <= DecodingOptions.longestFile else { throw .unsupported("the file is too long") }
        let whole = EmbeddedPreviews.Place(offset: 0, length: Int(byteCount))
        return try ReducedPicture(
            planes(whole, file) { (bytes) throws(PictureError) in try source(bytes, format) })
    }

    private func source(_ bytes: [UInt8], _ format: MediaFormat) throws(PictureError) -> SourcePicture {
        switch format {
        case .jpeg: try jpeg(bytes, least: ReducedPicture.longEdge)
        case .png: try PNGDecoder.picture(bytes, options)
        case .webp: try WebPDecoder.picture(bytes, options)
        case .heic, .avif: try HEIFDecoder.picture(bytes, options)
        case .gif: try GIFDecoder.picture(bytes, options)
        case .bmp: try BitmapDecoder.picture(bytes, options)
        case .tiff: try TIFFDecoder.picture(bytes, options)
        default: throw .unsupported("not read")
        }
    }

    /// A JPEG at the smallest scale that leaves a long edge of `least` samples.
    private func jpeg(_ bytes: [UInt8], least: Int) throws(PictureError) -> SourcePicture {
        let limit = Int(clamping: options.memory / 4)
        let (width, height, isProgressive) = try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            let header = try JPEGDecoder.open(raw, memory: limit).header
            return (header.width, header.height, header.isProgressive)
        }
        try options.checkSize(width, height)
        let denominator = Self.denominator(width, height, least: least)
        let reduction = SourcePicture.Reduction(denominator: denominator)
        var picture = SourcePicture(width: width / denominator + 16, height: height / denominator + 16) {
            (_) throws(PictureError) in
            try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
                try JPEGDecoder.open(raw, memory: limit).planes(reduction, profile: nil, allowDamaged: true)
            }
        }
        // A progressive file keeps its coefficients, two bytes a sample.
        picture.decoderBytes = isProgressive ? width * height * 6 : 0
        return picture
    }

    /// By how much a JPEG is scaled down while it is decoded, so that its long edge keeps `least` samples.
    static func denominator(_ width: Int, _ height: Int, least: Int) -> Int {
        [8, 4, 2].first { max(width, height) / $0 >= least } ?? 1
    }

    // MARK: Memory

    /// Reads a part of the file once there is memory for it, and decodes it once there is memory for that too.
    private func planes(
        _ place: EmbeddedPreviews.Place, _ file: borrowing FileDescriptor,
        _ source: ([UInt8]) throws(PictureError) -> SourcePicture
    ) throws(PictureError) -> Planes {
        var need = Int64(place.length)
        for _ in 0..<Self.mostReads {
            var share = budget.share(need)
            let bytes = try PictureError.reading { () throws(POSIXError) in try place.read(file) }
            let picture = try source(bytes)
            need = try self.need(picture, bytes.count)
            // A thread never waits while it holds a share.
            guard share.grow(to: need) else { continue }
            let planes = try picture.decode(SourcePicture.Reduction())
            _ = consume share
            return planes
        }
        throw .damaged("the file changes while it is read")
    }

    /// Twice, unless the file changes in between.
    private static let mostReads = 4

    /// The bytes of the file, three planes, and what the decoder holds.
    private func need(_ picture: SourcePicture, _ byteCount: Int) throws(PictureError) -> Int64 {
        try options.checkSize(picture.width, picture.height)
        let need = Int64(byteCount).addingClamped(Int64(picture.decoderBytes))
            .addingClamped(Int64(picture.width * picture.height) * 3)
        guard need <= budget.total else { throw .needsMemory(need, limit: budget.total) }
        return need
    }

    // MARK: Previews

    private func rawPreview(
        _ file: borrowing FileDescriptor, _ byteCount: Int64
    ) throws(PictureError) -> ReducedPicture {
        let previews = try PictureError.reading { () throws(POSIXError) in
            try EmbeddedPreviews.find(in: file, byteCount: byteCount)
        }
        for preview in previews.reversed() {
            if let planes = try Self.ifSound({ () throws(PictureError) in
                try planes(preview, file, least: ReducedPicture.longEdge)
            }), max(planes.width, planes.height) >= EmbeddedPreviews.leastPictureEdge {
                return try ReducedPicture(planes)
            }
        }
        throw .unsupported("a RAW photo without a preview")
    }

    /// Nil for a preview that is not one. Throws errors that say nothing about it: the next run may read it.
    private static func ifSound(_ decode: () throws(PictureError) -> Planes) throws(PictureError) -> Planes? {
        do throws(PictureError) { return try decode() } catch {
            if error.mayPass { throw error }
            return nil
        }
    }

    private func planes(
        _ preview: EmbeddedPreviews.Place, _ file: borrowing FileDescriptor, least: Int
    ) throws(PictureError) -> Planes {
        if let planes = try thumbnail(preview, file, least: least) { return planes }
        return try planes(preview, file) { (bytes) throws(PictureError) in try jpeg(bytes, least: least) }
    }

    /// Nil for a preview that is not a small JPEG.
    private func thumbnail(
        _ preview: EmbeddedPreviews.Place, _ file: borrowing FileDescriptor, least: Int
    ) throws(PictureError) -> Planes? {
        guard preview.length <= JPEGThumbnail.longest else { return nil }
        let share = budget.share(Int64(preview.length) + JPEGThumbnail.need)
        let bytes = try PictureError.reading { () throws(POSIXError) in try preview.read(file) }
        let planes = try JPEGThumbnail.planes(bytes, least: least)
        _ = consume share
        return planes
    }

    // MARK: Thumbnails

    /// The edge at which a thumbnail is decoded.
    private static let thumbnailEdge = 160

    /// The thumbnail that the file holds beside the picture, without bars; nil where there is none, or where its aspect
    /// shows that it is not one of the whole picture.
    /// - Parameters: width and height of the picture, upright.
    package func thumbnail(
        _ file: borrowing FileDescriptor, byteCount: Int64, _ format: MediaFormat, width: Int, height: Int
    ) throws(PictureError) -> ReducedPicture? {
        if format == .heic || format == .avif { return try heifThumbnail(file, byteCount, width, height) }
        guard format == .jpeg || format.kind == .raw else { return nil }
        let previews = try PictureError.reading { () throws(POSIXError) in
            try EmbeddedPreviews.find(in: file, byteCount: byteCount)
        }
        // Of a JPEG only the first counts: a further one may be a picture of its own.
        if format == .jpeg {
            guard let preview = previews.first, let planes = try thumbnail(preview, file, least: Self.thumbnailEdge)
            else { return nil }
            return try Self.reduced(planes, width, height)
        }
        for preview in previews {
            if let planes = try Self.ifSound({ () throws(PictureError) in
                try planes(preview, file, least: Self.thumbnailEdge)
            }), let reduced = try Self.reduced(planes, width, height) {
                return reduced
            }
        }
        return nil
    }

    private func heifThumbnail(
        _ file: borrowing FileDescriptor, _ byteCount: Int64, _ width: Int, _ height: Int
    ) throws(PictureError) -> ReducedPicture? {
        let found = try PictureError.reading { () throws(POSIXError) in
            try HEIFThumbnail(file, byteCount: byteCount)
        }
        guard let found, found.need <= budget.total else { return nil }
        let share = budget.share(found.need)
        let planes = try found.planes(file)
        _ = consume share
        return try planes.flatMap { (planes) throws(PictureError) in try Self.reduced(planes, width, height) }
    }

    private static func reduced(_ planes: Planes, _ width: Int, _ height: Int) throws(PictureError) -> ReducedPicture? {
        guard let part = ReducedPicture.shown(of: planes, width: width, height: height) else { return nil }
        return try ReducedPicture(planes, part: part)
    }
}

extension PictureError {
    /// Runs `body`, whose errors are those of reading.
    static func reading<Result: ~Copyable>(
        _ body: () throws(POSIXError) -> Result
    ) throws(PictureError) -> Result {
        do throws(POSIXError) { return try body() } catch { throw .file(error) }
    }
}

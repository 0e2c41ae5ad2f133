/// Decodes pictures of every format that can be read, as small as a comparison allows.
package struct PictureReducer: Sendable {
    private let options: DecodingOptions
    /// Shared by all that decode at the same time.
    private let budget: SharedBudget

    /// No more of a file is read.
    package static let longestFile: Int64 = 1 << 29

    /// - Parameter memory: for all pictures that are decoded at a time, in bytes.
    package init(memory: Int64 = DecodingOptions().memory) {
        var options = DecodingOptions()
        options.allowsDamaged = true
        options.memory = memory
        self.options = options
        budget = SharedBudget(memory)
    }

    /// Why no file of this format can be decoded here, in words; nil where it can.
    package static func obstacle(_ format: MediaFormat?) -> String? {
        switch format {
        case .jpeg, .png, .webp, .gif, .bmp: nil
        case .heic, .avif: (try? HEIFLibrary.shared()) == nil ? "libheif1 is not installed" : nil
        case .tiff: (try? TIFFLibrary.shared()) == nil ? "libtiff6 is not installed" : nil
        case .jxl, .jp2: "JPEG XL and JPEG 2000 are not read"
        case .crw, .mrw, .kdc, .mos: "no preview is read from these RAW files"
        case let format? where format.kind == .raw: nil
        case let format? where format.kind == .video: VideoFrame.program == nil ? "ffmpeg is not installed" : nil
        default: "no picture"
        }
    }

    /// The picture itself, or what stands for it: the largest preview of a RAW photo, a frame of a video.
    package func picture(
        _ file: borrowing FileDescriptor, byteCount: Int64, _ format: MediaFormat, duration: Double?
    ) throws(PictureError) -> ReducedPicture {
        switch format.kind {
        case .video: return try ReducedPicture(VideoFrame.planes(of: file, duration: duration, options))
        case .raw: return try rawPreview(file, byteCount)
        case .photo: break
        }
        guard byteCount <= Self.longestFile else { throw .unsupported("the file is too long") }
        let bytes = try PictureError.reading { () throws(POSIXError) in try file.readFully(Int(byteCount)) }
        switch format {
        case .jpeg: return try ReducedPicture(jpeg(bytes, least: ReducedPicture.longEdge))
        case .png: return try decode(try PNGDecoder.picture(bytes, options), bytes.count)
        case .webp: return try decode(try WebPDecoder.picture(bytes, options), bytes.count)
        case .heic, .avif: return try decode(try HEIFDecoder.picture(bytes, options), bytes.count)
        case .gif: return try ReducedPicture(GIFDecoder.firstFrame(bytes, options))
        case .bmp: return try ReducedPicture(BitmapDecoder.planes(bytes, options))
        case .tiff: return try ReducedPicture(TIFFDecoder.planes(bytes, options))
        default: throw .unsupported("not read")
        }
    }

    private func decode(_ picture: SourcePicture, _ byteCount: Int) throws(PictureError) -> ReducedPicture {
        // Three planes, and what the decoder holds.
        let (pixels, overflow) = picture.width.multipliedReportingOverflow(by: picture.height)
        try options.checkSize(picture.width, picture.height)
        let need = Int64(byteCount).addingClamped(Int64(picture.decoderBytes))
            .addingClamped(overflow ? .max : Int64(pixels) * 3)
        guard need <= budget.total else { throw .needsMemory(need, limit: budget.total) }
        let share = budget.share(need)
        let reduced = try ReducedPicture(try picture.decode(SourcePicture.Reduction()))
        _ = consume share
        return reduced
    }

    /// Decodes a JPEG at the smallest scale that leaves a long edge of `least` samples.
    private func jpeg(_ bytes: [UInt8], least: Int) throws(PictureError) -> Planes {
        try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            let decoder = try JPEGDecoder.open(raw, memory: Int(clamping: options.memory / 4))
            let (width, height) = (decoder.header.width, decoder.header.height)
            try options.checkSize(width, height)
            let denominator = [8, 4, 2].first { max(width, height) / $0 >= least } ?? 1
            let samples = Int64(width / denominator + 16) * Int64(height / denominator + 16)
            // A progressive file keeps its coefficients, two bytes a sample.
            let held = decoder.header.isProgressive ? Int64(width) * Int64(height) * 6 : 0
            let share = budget.share(Int64(bytes.count) + samples * 3 + held)
            let planes = try decoder.planes(
                SourcePicture.Reduction(denominator: denominator), profile: nil, allowDamaged: true)
            _ = consume share
            return planes
        }
    }

    private func rawPreview(
        _ file: borrowing FileDescriptor, _ byteCount: Int64
    ) throws(PictureError) -> ReducedPicture {
        let previews = try PictureError.reading { () throws(POSIXError) in
            try EmbeddedPreviews.find(in: file, byteCount: byteCount)
        }
        for preview in previews.reversed() {
            if let planes = try? planes(preview, file, least: ReducedPicture.longEdge),
                max(planes.width, planes.height) >= EmbeddedPreviews.leastPictureEdge
            {
                return try ReducedPicture(planes)
            }
        }
        throw .unsupported("a RAW photo without a preview")
    }

    private func planes(
        _ preview: EmbeddedPreviews.Place, _ file: borrowing FileDescriptor, least: Int
    ) throws(PictureError) -> Planes {
        let bytes = try PictureError.reading { () throws(POSIXError) in try preview.read(file) }
        if let planes = try JPEGThumbnail.planes(bytes, least: least) { return planes }
        return try jpeg(bytes, least: least)
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
        if format == .heic || format == .avif {
            guard byteCount <= Self.longestFile else { return nil }
            let bytes = try PictureError.reading { () throws(POSIXError) in try file.readFully(Int(byteCount)) }
            guard let planes = try HEIFDecoder.thumbnail(bytes, options) else { return nil }
            return try Self.reduced(planes, width, height)
        }
        guard format == .jpeg || format.kind == .raw else { return nil }
        let previews = try PictureError.reading { () throws(POSIXError) in
            try EmbeddedPreviews.find(in: file, byteCount: byteCount)
        }
        for preview in previews {
            if let planes = try? planes(preview, file, least: Self.thumbnailEdge),
                let reduced = try Self.reduced(planes, width, height)
            {
                return reduced
            }
            // Of a JPEG only the first counts: a further one may be a picture of its own.
            if format == .jpeg { return nil }
        }
        return nil
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

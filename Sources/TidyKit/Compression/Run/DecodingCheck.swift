/// Whether a picture is sound, by the decoders of `compress` and equally strict.
struct DecodingCheck: Sendable {
    private let compressor: PhotoCompressor

    /// - Parameter memory: the limit for all pictures that are checked at a time, in bytes.
    init(memory: Int64, now: WallClock) {
        var settings = CompressionSettings()
        settings.decoding.memory = memory
        compressor = PhotoCompressor(settings: settings, budget: SharedBudget(memory), now: now)
    }

    /// Nil if unknown: no decoder supports the picture, or it is too large.
    func isDamaged(_ file: borrowing FileDescriptor, byteCount: Int64) throws(POSIXError) -> Bool? {
        if byteCount > compressor.budget.total { return nil }
        var amount = byteCount
        while true {
            var share = compressor.budget.share(amount)
            let content = try file.readFully(Int(byteCount))
            do throws(PictureError) {
                if try compressor.decodes(content, of: file, share: &share) { return false }
            } catch {
                switch error {
                case .damaged: return true
                case .file(let cause): throw cause
                default: return nil
                }
            }
            amount = share.wanted
        }
    }
}

extension DamageDetector {
    /// The decoders of `compress`, with half of the available memory.
    package static func decoders(now: WallClock) -> DamageDetector {
        let soundness = DecodingCheck(memory: ResourceLimits.memory / 2, now: now)
        return DamageDetector(formats: CompressionInputs.formats) { (file, byteCount) throws(POSIXError) in
            try soundness.isDamaged(file, byteCount: byteCount)
        }
    }
}

extension PhotoCompressor {
    /// Decodes a picture as for a copy of its pixels. Returns false if `share` cannot grow to the memory that it needs.
    func decodes(
        _ bytes: [UInt8], of file: borrowing FileDescriptor, share: inout SharedBudget.Share
    ) throws(PictureError) -> Bool {
        let picture: SourcePicture
        var reduction = SourcePicture.Reduction()
        if let segments = JPEGFile(bytes) {
            picture = try jpeg(bytes, segments).picture
            reduction.denominator = 8
        } else {
            picture = try other(bytes, file)
        }
        try checkPixels(picture)
        guard share.grow(to: try memory(picture, bytes.count)) else { return false }
        _ = try picture.decode(reduction)
        return true
    }
}

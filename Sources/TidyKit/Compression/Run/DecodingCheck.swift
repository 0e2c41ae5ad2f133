/// Whether a picture is whole, by the decoders of `compress` and as strict as they are.
struct DecodingCheck: Sendable {
    private let compressor: PhotoCompressor

    /// - Parameter memory: what all pictures in hand may take together, in bytes.
    init(memory: Int64, now: WallClock) {
        var settings = CompressionSettings()
        settings.decoding.memory = memory
        compressor = PhotoCompressor(settings: settings, budget: SharedBudget(memory), now: now)
    }

    /// Nil where it cannot be told: a kind of picture that no decoder knows, or one that is too large.
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
    /// By the decoders of `compress`, with half of the memory that there is.
    package static func decoders(now: WallClock) -> DamageDetector {
        let soundness = DecodingCheck(memory: ResourceLimits.memory / 2, now: now)
        return DamageDetector(formats: CompressionInputs.formats) { (file, byteCount) throws(POSIXError) in
            try soundness.isDamaged(file, byteCount: byteCount)
        }
    }
}

extension PhotoCompressor {
    /// Decodes a picture as it is decoded before its pixels are passed on. False where `share` cannot grow to what that
    /// needs.
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

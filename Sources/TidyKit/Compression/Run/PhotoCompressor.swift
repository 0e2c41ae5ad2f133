/// Turns one source in memory into one JPEG in memory, as Docs/Reference.md promises.
struct PhotoCompressor {
    let settings: CompressionSettings
    /// The memory that all current photos share.
    let budget: SharedBudget
    /// The result replaces the source: a file of any format that fits is left as it is.
    var isInPlace = false
    /// Threads without a photo of their own.
    var workers = IdleWorkers()
    /// Limits the years of plausible dates.
    var now = WallClock.now()

    /// Returns nil if `share`, which includes the bytes of the file, cannot grow to the memory that the picture needs.
    /// - Parameter file: the open file with the content `bytes`.
    func compress(
        _ bytes: [UInt8], of file: borrowing FileDescriptor, share: inout SharedBudget.Share
    ) throws(CompressionError) -> CompressedPhoto? {
        guard let segments = JPEGFile(bytes) else {
            var need: Int64 = 0
            let picture = try CompressionError.wrapping { () throws(PictureError) in
                var picture = try other(bytes, file)
                if !isInPlace { picture.metadata.contentIdentifier = nil }
                try checkPixels(picture)
                need = try memory(picture, bytes.count)
                return picture
            }
            guard share.grow(to: need) else { return nil }
            if let untouched = try untouched(bytes, picture) { return untouched }
            return try recompress(picture, cap: settings.maximumBytes)
        }
        return try compressJPEG(bytes, segments, of: file, share: &share)
    }

    /// A picture that is not a JPEG.
    func other(_ bytes: [UInt8], _ file: borrowing FileDescriptor) throws(PictureError) -> SourcePicture {
        var picture = try OtherFormats.picture(bytes, file, settings.decoding, now: now)
        if !bytes.starts(with: PNGChunk.signature) { picture.expectBytes(codedIn: bytes.count) }
        return picture
    }

    /// In place, a picture of another format that fits is kept: as a JPEG it would lose detail, and often grow. Nil if
    /// it must be made smaller.
    private func untouched(_ bytes: [UInt8], _ picture: SourcePicture) throws(CompressionError) -> CompressedPhoto? {
        let (width, height) = (picture.uprightWidth, picture.uprightHeight)
        guard isInPlace, bytes.count <= settings.maximumBytes, max(width, height) <= settings.maximumEdge ?? .max else {
            return nil
        }
        _ = try CompressionError.wrapping { () throws(PictureError) in try picture.decode(SourcePicture.Reduction()) }
        var photo = CompressedPhoto(
            bytes: bytes, action: .copied, sourceWidth: width, sourceHeight: height, width: width, height: height,
            notes: ["fits already: left as it is, metadata too"])
        photo.staysAsItIs = true
        return photo
    }

    private func compressJPEG(
        _ bytes: [UInt8], _ segments: JPEGFile, of file: borrowing FileDescriptor, share: inout SharedBudget.Share
    ) throws(CompressionError) -> CompressedPhoto? {
        var need: Int64 = 0
        let (picture, header) = try CompressionError.wrapping { () throws(PictureError) in
            var (picture, header) = try jpeg(bytes, segments)
            try readMetadata(bytes, file, into: &picture.metadata)
            picture.orientation = picture.metadata.orientation
            if let note = segments.leftOut(in: bytes) { picture.notes.append(note) }
            try checkPixels(picture)
            need = try memory(picture, bytes.count)
            return (picture, header)
        }
        let rewriting = rewritingMemory(picture, header, bytes.count, hasEnd: segments.hasEnd)
        guard share.grow(to: max(need, rewriting ?? 0)) else { return nil }
        return try compressJPEG(bytes, segments, picture, header, canRewrite: rewriting != nil)
    }

    /// The picture of a JPEG, after checking that no scan is missing.
    func jpeg(
        _ bytes: [UInt8], _ segments: JPEGFile
    ) throws(PictureError) -> (picture: SourcePicture, header: JPEGDecoder.Header) {
        let header = try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            try JPEGDecoder.open(raw, memory: Int(clamping: settings.decoding.memory)).header
        }
        if segments.hasEnd, !settings.decoding.allowsDamaged, segments.lacksScans(in: bytes) {
            throw .damaged("scans are missing")
        }
        var picture = SourcePicture.jpeg(bytes, segments: segments, header: header, options: settings.decoding)
        picture.expectBytes(of: header, in: segments)
        return (picture, header)
    }

    /// Reads the date that `list` shows, as far as it comes from the content, and the XMP that may contain it.
    private func readMetadata(
        _ bytes: [UInt8], _ file: borrowing FileDescriptor, into metadata: inout SourceMetadata
    ) throws(PictureError) {
        let found = try OtherFormats.readMetadata(file, Int64(bytes.count), now)
        metadata.add(found.blocks, now: now)
        metadata.taken = found.metadata?.captureDate
        // A separate copy says no more than its policy allows.
        if isInPlace { metadata.contentIdentifier = found.metadata?.contentIdentifier }
    }

    private func compressJPEG(
        _ bytes: [UInt8], _ segments: JPEGFile, _ picture: SourcePicture, _ header: JPEGDecoder.Header,
        canRewrite: Bool
    ) throws(CompressionError) -> CompressedPhoto {
        let cap = min(settings.maximumBytes, Int64(bytes.count))
        let needsBaseline = needsBaseline(header)
        // Does not build a copy of a large file whose scans alone are too long.
        if segments.imageBytes > cap { return try recompress(picture, cap: cap) }
        var copy = JPEGCopy(bytes, segments, picture, settings)
        if copy.untouched.count > cap, picture.metadata.carried.hasTexts { copy.leaveTextsOut() }
        let needsColor = settings.decoding.color == .srgb && picture.becomesSRGB(.srgb)
        // If damage is allowed, a file without an end may lack segments: only what was decoded is copied.
        let isWhole = segments.hasEnd || settings.metadata == .all || !settings.decoding.allowsDamaged
        // A missing end marker must not cost quality: a rewritten stream is short enough to include it.
        let marker: Int64 = segments.hasEnd ? 0 : 2
        let fits = isWhole && copy.untouched.count <= (needsBaseline ? settings.maximumBytes : cap + marker)
        if fits, max(picture.width, picture.height) <= settings.maximumEdge ?? .max, !needsColor,
            let photo = try CompressionError.wrapping({ () throws(PictureError) in
                try keepingPixels(copy, needsBaseline: needsBaseline, canRewrite: canRewrite)
            })
        {
            return photo
        }
        let result = try recompress(picture, cap: cap)
        if fits, !copy.needsTurn, !needsBaseline, !needsColor, settings.minimumSavings > 0,
            Double(result.bytes.count) > Double(bytes.count) * (1 - settings.minimumSavings / 100),
            var kept = try CompressionError.wrapping({ () throws(PictureError) in
                try keepingPixels(copy, needsBaseline: false, canRewrite: false)
            })
        {
            kept.notes[0] = "recompressing would save less than \(settings.minimumSavings) %"
            return kept
        }
        return result
    }

    /// Old players support neither progressive nor arithmetic coding.
    private func needsBaseline(_ header: JPEGDecoder.Header) -> Bool {
        !settings.isProgressive && (header.isProgressive || header.isArithmetic)
    }

    /// The unchanged pixels, after a decode at 1/8 has shown that they are sound: the same bytes, or a lossless
    /// rewrite. Nil if neither fits the target.
    private func keepingPixels(
        _ copy: JPEGCopy, needsBaseline: Bool, canRewrite: Bool
    ) throws(PictureError) -> CompressedPhoto? {
        if copy.needsTurn || needsBaseline, !canRewrite { return nil }
        let leftovers = try copy.picture.decode(SourcePicture.Reduction(denominator: 8)).remarks.leftovers
        let most = Int(clamping: min(settings.maximumBytes, Int64(copy.bytes.count)))
        var made: [UInt8]?
        if needsBaseline {
            made = try copy.writtenAnew(isProgressive: false, most: Int(clamping: settings.maximumBytes))
        } else {
            let isProgressive = copy.picture.isProgressive && settings.isProgressive
            if canRewrite, copy.isWrittenAnew { made = try copy.writtenAnew(isProgressive: isProgressive, most: most) }
            if made == nil, !copy.needsTurn {
                made = copy.whole(without: leftovers)
                if let count = made?.count, count > most {
                    // The added end marker takes two bytes.
                    made = canRewrite ? try copy.writtenAnew(isProgressive: isProgressive, most: most) : nil
                }
            }
        }
        guard let made else { return nil }
        let (width, height) = (copy.picture.uprightWidth, copy.picture.uprightHeight)
        var photo = CompressedPhoto(
            bytes: made, action: made == copy.bytes ? .copied : .rewritten, sourceWidth: width, sourceHeight: height,
            width: width, height: height, notes: ["fits already"])
        if needsBaseline { photo.notes.append("written anew as baseline") }
        if photo.action == .rewritten, settings.metadata != .all || copy.leavesTrailerOut(needsBaseline) {
            photo.notes += copy.picture.notes
        }
        if let note = leftovers.note { photo.notes.append(note) }
        return photo
    }

    /// The memory for rewriting a stream, in bytes: the coefficients in the library, and those of the new file at 8
    /// bytes a block and 2 for each nonzero one. 0 if no rewrite is needed, nil if it is not possible.
    private func rewritingMemory(
        _ picture: SourcePicture, _ header: JPEGDecoder.Header, _ fileBytes: Int, hasEnd: Bool
    ) -> Int64? {
        if needsBaseline(header) {
            if !header.hasNarrowTables { return nil }
        } else if hasEnd || settings.decoding.allowsDamaged {
            switch settings.metadata {
            case .none:
                if picture.orientation == .upright { return 0 }
                if !header.turnsWhole(from: picture.orientation) { return nil }
            case .safe:
                let isCarried = [.xmp, .iptc].contains(picture.metadata.taken?.source)
                if !isCarried, picture.metadata.carried.texts.isEmpty { return 0 }
            case .all: return 0
            }
        }
        let components = picture.hasFullChroma ? Double(header.components) : 2
        let samples = Double(header.width * header.height) * components
        let need = Int64(samples * 2.25 + Double(fileBytes) * 8)
        return need <= budget.total ? need : nil
    }

    func checkPixels(_ picture: SourcePicture) throws(PictureError) {
        let pixels = picture.width * picture.height
        guard pixels > 0 else { throw .damaged("no pixels") }
        if pixels > settings.decoding.maximumPixels {
            throw .tooManyPixels(pixels, limit: settings.decoding.maximumPixels)
        }
    }

    /// The memory of this picture; throws if it exceeds the whole budget.
    func memory(_ picture: SourcePicture, _ fileBytes: Int) throws(PictureError) -> Int64 {
        let need = MemoryEstimate(picture: picture, fileBytes: fileBytes, settings: settings).bytes
        if need > budget.total { throw .needsMemory(need, limit: budget.total) }
        return need
    }
}

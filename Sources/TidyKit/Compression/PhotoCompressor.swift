/// One source in memory to one JPEG in memory that keeps the promises of SPEC.md section 6.
struct PhotoCompressor {
    let settings: CompressionSettings
    /// Memory that all photos in hand share.
    let budget: SharedBudget
    /// The result takes the place of the source: what fits is left alone whatever its format.
    var isInPlace = false
    /// Threads that have no photo of their own.
    var workers = IdleWorkers()
    /// Bounds the years of dates that are believed.
    var now = WallClock.now()

    /// Nil where `share`, which counts the bytes of the file already, cannot grow to what the picture needs.
    /// - Parameter file: the open file that `bytes` are the content of.
    func compress(
        _ bytes: [UInt8], of file: borrowing FileDescriptor, share: inout SharedBudget.Share
    ) throws(CompressionError) -> CompressedPhoto? {
        guard let segments = JPEGFile(bytes) else {
            let picture = try OtherFormats.picture(bytes, file, settings, now: now)
            try checkPixels(picture)
            guard share.grow(to: try memory(picture, bytes.count)) else { return nil }
            if let untouched = try untouched(bytes, picture) { return untouched }
            return try recompress(picture, cap: settings.maximumBytes)
        }
        return try compressJPEG(bytes, segments, of: file, share: &share)
    }

    /// In place, a picture of another format that fits: as a JPEG it would lose pixels, and often grow. Nil where it is to
    /// be made smaller.
    private func untouched(_ bytes: [UInt8], _ picture: SourcePicture) throws(CompressionError) -> CompressedPhoto? {
        let (width, height) = (picture.uprightWidth, picture.uprightHeight)
        guard isInPlace, bytes.count <= settings.maximumBytes, max(width, height) <= settings.maximumEdge ?? .max else {
            return nil
        }
        _ = try picture.decode(SourcePicture.Reduction())
        var photo = CompressedPhoto(
            bytes: bytes, action: .copied, sourceWidth: width, sourceHeight: height, width: width, height: height,
            note: "fits already: left as it is, metadata too")
        photo.staysAsItIs = true
        return photo
    }

    private func compressJPEG(
        _ bytes: [UInt8], _ segments: JPEGFile, of file: borrowing FileDescriptor, share: inout SharedBudget.Share
    ) throws(CompressionError) -> CompressedPhoto? {
        let header = try bytes.span.withUnsafeBytes { (raw) throws(CompressionError) in
            try JPEGDecoder.open(raw, memory: Int(clamping: settings.memory)).header
        }
        if segments.hasEnd, !settings.allowsDamaged, segments.lacksScans(in: bytes) {
            throw .damaged("scans are missing")
        }
        var picture = SourcePicture.jpeg(bytes, segments: segments, header: header, settings: settings)
        try readMetadata(bytes, file, into: &picture.metadata)
        picture.orientation = picture.metadata.orientation
        try checkPixels(picture)
        let rewriting = rewritingMemory(picture, header, bytes.count)
        let memory = max(try memory(picture, bytes.count), rewriting ?? 0)
        guard share.grow(to: memory) else { return nil }
        var photo = try compressJPEG(bytes, segments, picture, canRewrite: rewriting != nil)
        let behind = bytes.count - segments.end
        if behind >= Self.tellingLength, photo.action == .recompressed || settings.metadata != .all {
            let told =
                "left out: \(ByteSize.describe(Int64(behind))) behind the picture (motion video, gain map or the like)"
            photo.note = photo.note.map { "\($0); \(told)" } ?? told
        }
        return photo
    }

    /// The date that `list` shows, as far as the content tells it, and the XMP that it may have been read from.
    private func readMetadata(
        _ bytes: [UInt8], _ file: borrowing FileDescriptor, into metadata: inout SourceMetadata
    ) throws(CompressionError) {
        let found = try OtherFormats.readMetadata(file, Int64(bytes.count), now)
        metadata.add(found.blocks, now: now)
        metadata.taken = found.metadata?.captureDate
    }

    /// Bytes behind the picture that may be more than padding.
    private static let tellingLength = 512

    private func compressJPEG(
        _ bytes: [UInt8], _ segments: JPEGFile, _ picture: SourcePicture, canRewrite: Bool
    ) throws(CompressionError) -> CompressedPhoto {
        let edge = max(picture.width, picture.height)
        let needsTurn = settings.metadata == .none && picture.orientation != .upright
        let needsColor = settings.color == .srgb && picture.becomesSRGB(.srgb)
        let cap = min(settings.maximumBytes, Int64(bytes.count))
        // A copy of a large file takes memory: none is made where the scans alone are too long.
        if segments.imageBytes > cap { return try recompress(picture, cap: cap) }
        var untouched = segments.rewritten(bytes, settings.metadata, picture.metadata.carried)
        var newHead = needsTurn ? segments.colorHead(in: bytes, swapsDensity: picture.orientation.swapsAxes) : nil
        if untouched.count > cap, picture.metadata.carried.hasTexts {
            // A date that IPTC told in fewer bytes is no reason to touch the pixels.
            newHead = JPEGFile(untouched)?.head(of: untouched)
            untouched = segments.rewritten(bytes, settings.metadata, picture.metadata.carried.withoutTexts)
        }
        // Without an end the segments are not known to be all there: only what was decoded is passed on.
        let isWhole = segments.hasEnd || settings.metadata == .all
        let fits = isWhole && untouched.count <= cap
        if fits, edge <= settings.maximumEdge ?? .max, !needsColor {
            if canRewrite, let newHead, let photo = try writtenAnew(bytes, head: newHead, picture) { return photo }
            if !needsTurn { return try keepingPixels(bytes, untouched, picture) }
        }
        let result = try recompress(picture, cap: cap)
        if fits, !needsTurn, !needsColor, settings.minimumSavings > 0,
            Double(result.bytes.count) > Double(bytes.count) * (1 - settings.minimumSavings / 100)
        {
            var kept = try keepingPixels(bytes, untouched, picture)
            kept.note = "recompressing would save less than \(settings.minimumSavings) %"
            return kept
        }
        return result
    }

    /// The pixels as they are, once a decode at 1/8 has shown that they are sound.
    private func keepingPixels(
        _ bytes: [UInt8], _ untouched: [UInt8], _ picture: SourcePicture
    ) throws(CompressionError) -> CompressedPhoto {
        _ = try picture.decode(SourcePicture.Reduction(denominator: 8))
        let isCopy = untouched == bytes
        return CompressedPhoto(
            bytes: untouched, action: isCopy ? .copied : .rewritten, sourceWidth: picture.uprightWidth,
            sourceHeight: picture.uprightHeight, width: picture.uprightWidth, height: picture.uprightHeight,
            note: "fits already")
    }

    /// The pixels turned upright where their tag goes, and in any case under new Huffman tables: without loss. Nil where
    /// that would take more bytes than are allowed.
    private func writtenAnew(
        _ bytes: [UInt8], head: [UInt8], _ picture: SourcePicture
    ) throws(CompressionError) -> CompressedPhoto? {
        let most = Int(min(settings.maximumBytes, Int64(bytes.count)))
        let stream = try bytes.span.withUnsafeBytes { (raw) throws(CompressionError) -> [UInt8]? in
            let decoder = try JPEGDecoder.open(raw, memory: Int(clamping: settings.memory))
            return decoder.turned(
                from: settings.metadata == .none ? picture.orientation : .upright,
                isProgressive: picture.isProgressive && settings.isProgressive, capacity: most)
        }
        // The stream's own SOI is part of the head.
        guard let stream, head.count + stream.count - 2 <= most else { return nil }
        return CompressedPhoto(
            bytes: head + stream[2...], action: .rewritten, sourceWidth: picture.uprightWidth,
            sourceHeight: picture.uprightHeight, width: picture.uprightWidth, height: picture.uprightHeight,
            note: "fits already")
    }

    /// What writing a stream anew takes in bytes: what the library keeps of the coefficients, and those of the new file, 8
    /// bytes a block and 2 for each that is not zero. 0 where it is not called for, nil where it cannot be had.
    private func rewritingMemory(_ picture: SourcePicture, _ header: JPEGDecoder.Header, _ fileBytes: Int) -> Int64? {
        switch settings.metadata {
        case .none:
            if picture.orientation == .upright { return 0 }
            if !header.turnsWhole(from: picture.orientation) { return nil }
        case .safe:
            let isCarried = [.xmp, .iptc].contains(picture.metadata.taken?.source)
            if !isCarried, picture.metadata.carried.texts.isEmpty { return 0 }
        case .all: return 0
        }
        let components = picture.hasFullChroma ? Double(header.components) : 2
        let samples = Double(header.width * header.height) * components
        let need = Int64(samples * 2.25 + Double(fileBytes) * 8)
        return need <= budget.total ? need : nil
    }

    private func checkPixels(_ picture: SourcePicture) throws(CompressionError) {
        let pixels = picture.width * picture.height
        guard pixels > 0 else { throw .damaged("no pixels") }
        if pixels > settings.maximumPixels { throw .tooManyPixels(pixels, limit: settings.maximumPixels) }
    }

    /// What this picture takes of the budget; more than all of it is an error.
    private func memory(_ picture: SourcePicture, _ fileBytes: Int) throws(CompressionError) -> Int64 {
        let need = MemoryEstimate(picture: picture, fileBytes: fileBytes, settings: settings).bytes
        if need > budget.total { throw .needsMemory(need, limit: budget.total) }
        return need
    }

    // MARK: - Recompression

    private func recompress(_ picture: SourcePicture, cap: Int64) throws(CompressionError) -> CompressedPhoto {
        let (width, height) = largestSize(picture)
        let head = head(picture, width, height)
        // The stream's own SOI is part of the head.
        let target = Int(clamping: cap) - head.count + 2
        var limits = FitLimits(
            target: max(target, 0), width: width, height: height, minimumEdge: settings.minimumEdge,
            topQuality: settings.topQuality, floorQuality: min(settings.floorQuality, settings.topQuality))
        limits.prefersFullChroma = picture.hasFullChroma && !picture.isGray
        switch settings.chroma {
        case .auto: if picture.isGray { limits.fixedChroma = .half }
        case .quarter: limits.fixedChroma = .half
        case .full: limits.fixedChroma = .full
        }
        let reduction = Double(width * height) / Double(picture.width * picture.height)
        var fit = SizeFit(
            limits,
            expectedBytes: picture.expectedBytes.map { $0(limits.floorQuality) * FitModel.pixelFactor(reduction) })
        var stages = FitStages(picture: picture, settings: settings, workers: workers)
        var best: [UInt8] = []
        while let trial = fit.next() {
            switch trial.step {
            case .sample:
                let expected = try stages.sample(trial, target: fit.sampleWanted)
                if expected.isCount { fit.record(count: expected.bytes) } else { fit.record(sample: expected.bytes) }
            case .count: fit.record(count: try stages.count(trial))
            case .write:
                // A target may be larger than any memory.
                let most = trial.mostBytes
                let capacity = fit.isLastResort(trial) ? most : min(most, max(2 * min(target, most), 1 << 16))
                let stream = try stages.encode(trial, capacity: capacity)
                if fit.record(stream: stream?.count ?? capacity + 1), let stream { best = stream }
            }
        }
        // The planes are not needed any more, and the whole file takes its place among them.
        _ = consume stages
        guard let chosen = fit.best else {
            throw unreachable(cap, smallest: fit.smallest + head.count - 2)
        }
        let bytes = self.head(picture, chosen.width, chosen.height) + best[2...]
        guard bytes.count <= cap else { throw unreachable(cap, smallest: bytes.count) }
        return CompressedPhoto(
            bytes: bytes, action: .recompressed, sourceWidth: picture.uprightWidth,
            sourceHeight: picture.uprightHeight, width: chosen.width, height: chosen.height, quality: chosen.quality,
            note: picture.note)
    }

    private func unreachable(_ cap: Int64, smallest: Int) -> CompressionError {
        .unreachable(target: cap, smallest: Int64(smallest), isSizeOfSource: cap < settings.maximumBytes)
    }

    private func head(_ picture: SourcePicture, _ width: Int, _ height: Int) -> [UInt8] {
        picture.metadata.head(
            settings.metadata, width: width, height: height,
            becomesSRGB: picture.becomesSRGB(settings.color), swapsDensity: picture.orientation.swapsAxes)
    }

    /// The upright size after `--max-edge`, aspect within a pixel.
    private func largestSize(_ picture: SourcePicture) -> (width: Int, height: Int) {
        let (width, height) = (picture.uprightWidth, picture.uprightHeight)
        let edge = max(width, height)
        guard let limit = settings.maximumEdge, limit < edge else { return (width, height) }
        let scale = Double(limit) / Double(edge)
        return (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
    }
}

/// Recompression of pixels into a JPEG within the target.
extension PhotoCompressor {
    func recompress(_ picture: SourcePicture, cap: Int64) throws(CompressionError) -> CompressedPhoto {
        let (width, height) = largestSize(picture)
        let head = head(picture, width, height)
        // The head already has an SOI.
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
        let best = try CompressionError.wrapping { () throws(PictureError) in
            try Self.search(&fit, &stages, target: target)
        }
        let notes = notes(picture, stages.remarks, width, height)
        // Frees the planes before the whole file is assembled.
        _ = consume stages
        guard let chosen = fit.best else {
            throw unreachable(cap, smallest: fit.smallest + head.count - 2, picture, head)
        }
        let bytes = self.head(picture, chosen.width, chosen.height) + best[2...]
        guard bytes.count <= cap else { throw unreachable(cap, smallest: bytes.count, picture, head) }
        return CompressedPhoto(
            bytes: bytes, action: .recompressed, sourceWidth: picture.uprightWidth,
            sourceHeight: picture.uprightHeight, width: chosen.width, height: chosen.height, quality: chosen.quality,
            notes: notes)
    }

    /// Runs trials until the search is over.
    /// - Returns: the stream of the best trial; empty if none fits.
    private static func search(
        _ fit: inout SizeFit, _ stages: inout FitStages, target: Int
    ) throws(PictureError) -> [UInt8] {
        var best: [UInt8] = []
        while let trial = fit.next() {
            switch trial.step {
            case .estimate:
                let expected = try stages.estimate(trial, target: fit.wantedEstimate)
                if expected.isCount { fit.record(count: expected.bytes) } else { fit.record(estimate: expected.bytes) }
            case .count: fit.record(count: try stages.count(trial))
            case .write:
                // A target may be larger than any memory.
                let most = trial.maximumBytes
                let capacity = fit.isLastResort(trial) ? most : min(most, max(2 * min(target, most), 1 << 16))
                let stream = try stages.encode(trial, capacity: capacity)
                if fit.record(stream: stream?.count ?? capacity + 1), let stream { best = stream }
            }
        }
        return best
    }

    /// Notes for the user about new pixels.
    private func notes(
        _ picture: SourcePicture, _ remarks: Planes.Remarks, _ width: Int, _ height: Int
    ) -> [String] {
        var notes = picture.notes
        if picture.conversion(.keep) != nil { notes.append(SourcePicture.linearNote) }
        if remarks.liesOnWhite { notes.append("transparent parts became white") }
        if max(picture.width, picture.height) > Self.maximumJPEGEdge, max(width, height) == Self.maximumJPEGEdge {
            notes.append("scaled down to the \(Self.maximumJPEGEdge) pixels that a JPEG can be long")
        }
        if let note = remarks.leftovers.note { notes.append(note) }
        return notes
    }

    /// libjpeg's JPEG_MAX_DIMENSION.
    private static let maximumJPEGEdge = 65500

    private func unreachable(
        _ cap: Int64, smallest: Int, _ picture: SourcePicture, _ head: [UInt8]
    ) -> CompressionError {
        let convertible = picture.conversion(.srgb) != nil && picture.becomesSRGB(.srgb)
        let profile = picture.becomesSRGB(settings.decoding.color) ? 0 : picture.metadata.profile?.count ?? 0
        var overhead: [CompressionError.Overhead] = []
        if profile * 10 >= cap {
            let advice = convertible ? "--color srgb" : nil
            overhead.append(.init(what: "the colour profile", bytes: profile, advice: advice))
        }
        let metadata = max(0, head.count - profile - 20)
        if metadata * 10 >= cap, settings.metadata != .none {
            overhead.append(.init(what: "metadata", bytes: metadata, advice: "--metadata none"))
        }
        return .unreachable(
            target: cap, smallest: Int64(smallest), isSizeOfSource: cap < settings.maximumBytes, overhead: overhead)
    }

    private func head(_ picture: SourcePicture, _ width: Int, _ height: Int) -> [UInt8] {
        picture.metadata.head(
            settings.metadata, width: width, height: height,
            becomesSRGB: picture.becomesSRGB(settings.decoding.color), swapsDensity: picture.orientation.swapsAxes)
    }

    /// The upright size after `--max-edge` and the limit of JPEG; the aspect ratio is exact to a pixel.
    private func largestSize(_ picture: SourcePicture) -> (width: Int, height: Int) {
        let (width, height) = (picture.uprightWidth, picture.uprightHeight)
        let edge = max(width, height)
        let limit = min(settings.maximumEdge ?? .max, Self.maximumJPEGEdge)
        guard limit < edge else { return (width, height) }
        let scale = Double(limit) / Double(edge)
        return (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
    }
}

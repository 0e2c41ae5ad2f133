/// What a source tells of the bytes that its picture will take.
extension SourcePicture {
    mutating func expectBytes(of header: JPEGDecoder.Header, in segments: JPEGFile) {
        let scale = QuantizationTables.scale(ofTable: header.table)
        let entropy = Double(segments.imageBytes)
        expectedBytes = { quality in
            // Tables finer than one step cost bytes that do not follow the power law any more.
            let sourceQuality = QuantizationTables.quality(scale: max(scale, 0.04))
            // Nor does what a block takes however flat it is.
            let blocks = Double(header.width * header.height) / 64
            let flat = blocks * (header.components == 1 ? 1 : header.hasFullChroma ? 3 : 1.5) * 2 / 8
            let detail = max(0, entropy - flat)
            return FitModel.bytes(detail, from: sourceQuality, to: quality, slope: FitModel.slope)
                + blocks * 1.5 * FitModel.bitsOfFlatBlock / 8
        }
    }

    /// Of a picture that is not a JPEG, coded in so many bytes. A PNG's tell nothing.
    mutating func expectBytes(codedIn count: Int) {
        let (pixels, count) = (Double(width * height), Double(count))
        expectedBytes = { FitModel.bytes(ofPixels: pixels, codedIn: count, quality: $0) }
    }

    /// The reduction for a trial, of both luma and chroma.
    func reduction(for trial: FitTrial) -> Reduction {
        let denominator = denominator(forEdge: trial.edge)
        let halves = decodesScaled && !isGray && trial.chroma == .half
        return Reduction(
            denominator: denominator, halvesChroma: halves && leavesEnough(denominator, forEdge: trial.edge))
    }
}

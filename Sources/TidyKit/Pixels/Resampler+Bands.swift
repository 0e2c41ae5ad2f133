extension Resampler {
    /// What a picture will look like at another size, from a few bands of it: for a first estimate of its bytes.
    struct Bands {
        /// The bands one below the other, each of whole rows of blocks.
        var planes: Planes
        /// How many times as many rows the whole picture has.
        var share: Double
    }

    /// Rows of luma in a band: one row of blocks of subsampled chroma.
    private static let bandHeight = 16

    /// One row in `step`, spread evenly, of `source` at `width` x `height`; nil where the source has that size already,
    /// and nothing would be spared.
    static func bands(
        of source: Planes, width: Int, height: Int, chroma: Planes.Chroma, oneIn step: Int
    ) throws(PictureError) -> Bands? {
        let count = height / (bandHeight * step)
        let luma = source.components[0]
        guard count > 0, luma.plane.width != width || luma.plane.height != height else { return nil }
        var components: [Planes.Component] = []
        var graph: ResamplingGraph?
        for (index, component) in source.components.enumerated() {
            let (horizontal, vertical) = index == 0 ? (1, 1) : (chroma.horizontal, chroma.vertical)
            let bandRows = bandHeight / vertical
            let ratio = component.coveredHeight * Double(vertical) / Double(height)
            let margin = Int((ResamplingGraph.taps * max(ratio, 1)).rounded(.up)) + 1
            let sourceRows = Int((Double(bandRows) * ratio).rounded(.up)) + 2 * margin
            guard sourceRows <= component.plane.height else { return nil }
            let geometry = ResamplingGraph.Geometry(
                sourceWidth: component.plane.width, sourceHeight: sourceRows, top: Double(margin),
                width: component.coveredWidth, height: Double(bandRows) * ratio,
                targetWidth: (width + horizontal - 1) / horizontal, targetHeight: bandRows)
            if graph?.geometry != geometry { graph = try ResamplingGraph(geometry) }
            let target = try Plane(width: geometry.targetWidth, height: bandRows * count)
            for band in 0..<count {
                let middle = (Double(band) + 0.5) / Double(count) * component.coveredHeight
                let top = Int(middle - Double(sourceRows) / 2)
                try graph?.run(
                    component.plane, fromRow: max(0, min(top, component.plane.height - sourceRows)), target,
                    toRow: bandRows * band)
            }
            components.append(Planes.Component(target))
        }
        return Bands(
            planes: Planes(width: width, height: bandHeight * count, components: components),
            share: Double(height) / Double(bandHeight * count))
    }
}

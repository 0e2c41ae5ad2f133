/// Lanczos resizing by zimg, one plane at a time, since chroma has a size of its own.
enum Resampler {
    /// What planes become.
    struct Target {
        var width: Int
        var height: Int
        /// The density of chroma; its size is rounded up.
        var chroma: Planes.Chroma
        /// How the picture will be turned afterwards. If a size is odd, the last chroma sample lies half outside the
        /// picture, at the edge that will be the right or the lower one.
        var orientation = Orientation.upright

        var chromaWidth: Int { (width + chroma.horizontal - 1) / chroma.horizontal }
        var chromaHeight: Int { (height + chroma.vertical - 1) / chroma.vertical }
    }

    /// Resizes all planes.
    /// - Parameter workers: one may take the chroma.
    static func resize(
        _ source: Planes, to target: Target, workers: IdleWorkers = IdleWorkers()
    ) throws(PictureError) -> Planes {
        let (width, height) = (target.width, target.height)
        let (columns, rows) = (target.chromaWidth, target.chromaHeight)
        let span = Span(
            width: Double(columns * target.chroma.horizontal) / Double(width),
            height: Double(rows * target.chroma.vertical) / Double(height),
            fromRight: target.orientation.reversesColumns, fromBottom: target.orientation.reversesRows)
        // Each part reads and writes planes of its own.
        nonisolated(unsafe) let (luma, others) = (source.components[0], Array(source.components.dropFirst()))
        let planes = try workers.map(others.isEmpty ? 1 : 2) { (part) throws(PictureError) -> Resized in
            Resized(
                planes: part == 0
                    ? try resize([luma], width: width, height: height, span: Span())
                    : try resize(others, width: columns, height: rows, span: span))
        }
        return Planes(
            width: width, height: height, components: planes.flatMap(\.planes).map { Planes.Component($0) })
    }

    /// Passed between threads.
    private struct Resized {
        var planes: [Plane]
    }

    /// How far a plane extends beyond the picture, as a factor, and past which edges.
    private struct Span {
        var width = 1.0
        var height = 1.0
        var fromRight = false
        var fromBottom = false
    }

    /// The covered part of one plane at a new size.
    static func resize(_ source: Planes.Component, width: Int, height: Int) throws(PictureError) -> Plane {
        try resize([source], width: width, height: height, span: Span())[0]
    }

    /// Resizes the covered parts of planes; planes of one shape share the graph. A plane that already has this size is
    /// returned, not copied.
    private static func resize(
        _ sources: [Planes.Component], width: Int, height: Int, span: Span
    ) throws(PictureError) -> [Plane] {
        var planes: [Plane] = []
        var graph: ResamplingGraph?
        for source in sources {
            let isShifted = span.fromRight && span.width > 1 || span.fromBottom && span.height > 1
            if source.plane.width == width, source.plane.height == height, !isShifted {
                planes.append(source.plane)
                continue
            }
            let (wide, high) = (source.coveredWidth * span.width, source.coveredHeight * span.height)
            let geometry = ResamplingGraph.Geometry(
                sourceWidth: source.plane.width, sourceHeight: source.plane.height,
                left: span.fromRight ? source.coveredWidth - wide : 0,
                top: span.fromBottom ? source.coveredHeight - high : 0, width: wide, height: high, targetWidth: width,
                targetHeight: height)
            if graph?.geometry != geometry { graph = try ResamplingGraph(geometry) }
            let target = try Plane(width: width, height: height)
            try graph?.run(source.plane, target)
            planes.append(target)
        }
        return planes
    }
}

extension Resampler {
    /// A few bands of a picture at another size, for a first estimate of its bytes.
    struct Bands {
        /// The bands stacked vertically, each of whole rows of blocks.
        var planes: Planes
        /// The rows of the whole picture divided by those of the bands.
        var share: Double
    }

    /// Rows of luma in a band: one row of blocks of subsampled chroma.
    private static let bandHeight = 16

    /// Resizes one row in `step`, in bands spread evenly over `source`. Nil if the source already has that size,
    /// because nothing would be saved.
    static func bands(
        of source: Planes, for target: Target, oneIn step: Int
    ) throws(PictureError) -> Bands? {
        let (width, height, chroma) = (target.width, target.height, target.chroma)
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
            let plane = try Plane(width: geometry.targetWidth, height: bandRows * count)
            for band in 0..<count {
                let middle = (Double(band) + 0.5) / Double(count) * component.coveredHeight
                let top = Int(middle - Double(sourceRows) / 2)
                try graph?.run(
                    component.plane, fromRow: max(0, min(top, component.plane.height - sourceRows)), plane,
                    toRow: bandRows * band)
            }
            components.append(Planes.Component(plane))
        }
        return Bands(
            planes: Planes(width: width, height: bandHeight * count, components: components),
            share: Double(height) / Double(bandHeight * count))
    }
}

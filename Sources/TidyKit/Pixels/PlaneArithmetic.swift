internal import Glibc

extension Plane {
    func fill(_ value: UInt8) {
        for y in 0..<height { memset(row(y), Int32(value), width) }
    }

    /// Replaces each sample by `value` of it.
    func map(_ value: (UInt8) -> Int) {
        let table = (0...255).map { UInt8(truncatingIfNeeded: value($0)) }
        table.withUnsafeBufferPointer { table in
            for y in 0..<height {
                let row = row(y)
                for x in 0..<width { row[x] = table[Int(row[x])] }
            }
        }
    }
}

extension Planes {
    /// Blends the picture with white, as `PlaneBuilder` does, but in YCbCr: white is 255, 128, 128, and blending is
    /// linear.
    /// - Parameter alpha: in the size of the picture; 255 is opaque.
    mutating func layOnWhite(_ alpha: Plane) {
        for y in 0..<height {
            let (luma, alpha) = (components[0].plane.row(y), alpha.row(y))
            for x in 0..<width {
                if alpha[x] < 255 { remarks.liesOnWhite = true }
                luma[x] = PlaneBuilder.onWhite(luma[x], Int32(alpha[x]))
            }
        }
        for component in components.dropFirst() { layOnWhite(chroma: component.plane, alpha) }
    }

    /// Weights each chroma sample with the mean alpha of the pixels that it covers.
    private func layOnWhite(chroma plane: Plane, _ alpha: Plane) {
        let horizontal = (width + plane.width - 1) / plane.width
        let vertical = (height + plane.height - 1) / plane.height
        for y in 0..<plane.height {
            let row = plane.row(y)
            let lines = y * vertical..<min((y + 1) * vertical, height)
            for x in 0..<plane.width {
                let columns = x * horizontal..<min((x + 1) * horizontal, width)
                let sum = lines.reduce(0) { sum, line in
                    let alphaRow = alpha.row(line)
                    return columns.reduce(sum) { $0 + Int(alphaRow[$1]) }
                }
                let count = max(1, lines.count * columns.count)
                let difference = Double((Int(row[x]) - 128) * sum) / Double(255 * count)
                row[x] = UInt8(max(0, min(255, 128 + Int(difference.rounded()))))
            }
        }
    }
}

extension Planes {
    /// Averages chroma over several pixels: for pictures whose decoder expanded subsampled chroma.
    func thinned(horizontal: Int, vertical: Int) throws(PictureError) -> Planes {
        var thinned = self
        for index in components.indices.dropFirst() {
            let source = components[index].plane
            let target = try Plane(
                width: (width + horizontal - 1) / horizontal, height: (height + vertical - 1) / vertical)
            for y in 0..<target.height {
                let first = source.row(y * vertical)
                let second = source.row(min(y * vertical + vertical - 1, height - 1))
                let row = target.row(y)
                for x in 0..<target.width {
                    let (left, right) = (x * horizontal, min(x * horizontal + horizontal - 1, width - 1))
                    let sum = UInt32(first[left]) + UInt32(first[right]) + UInt32(second[left]) + UInt32(second[right])
                    row[x] = UInt8((sum + 2) / 4)
                }
            }
            thinned.components[index] = Component(
                target, coveredWidth: Double(width) / Double(horizontal),
                coveredHeight: Double(height) / Double(vertical))
        }
        return thinned
    }
}

/// A picture as others are compared with it: its brightness at a moderate size, and its colour in a few means.
package struct ReducedPicture: Sendable {
    /// Of `luma`, in samples.
    package let width: Int
    package let height: Int
    /// Brightness 0…255, row by row.
    package let luma: [UInt8]
    /// Means of Cb and Cr over equal parts of the picture, 16 × 16; empty for a picture in gray.
    package let blue: [UInt8]
    package let red: [UInt8]

    /// Pictures with a longer edge are scaled down to this, so that sharpness means the same for all sizes.
    package static let longEdge = 960
    private static let colorSide = 16

    /// - Parameter part: of the planes, in pixels; nil for all of it.
    init(_ planes: Planes, part: Part? = nil) throws(PictureError) {
        let part = part ?? Part(left: 0, top: 0, width: planes.width, height: planes.height)
        let edge = max(part.width, part.height)
        let isWhole = part.width == planes.width && part.height == planes.height
        if edge > Self.longEdge, isWhole {
            width = max(1, (part.width * Self.longEdge + edge / 2) / edge)
            height = max(1, (part.height * Self.longEdge + edge / 2) / edge)
            luma = Self.samples(
                try Resampler.resize(planes.components[0], width: width, height: height),
                Part(left: 0, top: 0, width: width, height: height))
        } else {
            (width, height) = (part.width, part.height)
            luma = Self.samples(planes.components[0].plane, part)
        }
        let colors = planes.components.dropFirst().map { Self.means($0, of: part, in: planes) }
        blue = colors.first ?? []
        red = colors.last ?? []
    }

    /// A rectangle in pixels.
    struct Part: Equatable {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    private static func samples(_ plane: Plane, _ part: Part) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: part.width * part.height) { buffer, count in
            for y in 0..<part.height {
                (buffer.baseAddress! + y * part.width).initialize(
                    from: plane.row(min(part.top + y, plane.height - 1)) + part.left, count: part.width)
            }
            count = part.width * part.height
        }
    }

    private static func means(_ component: Planes.Component, of part: Part, in planes: Planes) -> [UInt8] {
        let plane = component.plane
        let (across, down) = (
            component.coveredWidth / Double(planes.width), component.coveredHeight / Double(planes.height)
        )
        func edges(_ start: Int, _ length: Int, _ scale: Double, _ limit: Int) -> [Int] {
            (0...colorSide).map { step in
                let place = (Double(start) + Double(length * step) / Double(colorSide)) * scale
                return min(limit, max(0, Int(place.rounded())))
            }
        }
        let columns = edges(part.left, part.width, across, plane.width)
        let rows = edges(part.top, part.height, down, plane.height)
        var means: [UInt8] = []
        for row in 0..<colorSide {
            let (top, bottom) = (min(rows[row], plane.height - 1), max(rows[row + 1], rows[row] + 1))
            for column in 0..<colorSide {
                let left = min(columns[column], plane.width - 1)
                let right = min(max(columns[column + 1], left + 1), plane.width)
                var sum = 0
                for y in top..<min(bottom, plane.height) {
                    let samples = plane.row(y)
                    for x in left..<right { sum += Int(samples[x]) }
                }
                means.append(UInt8(sum / max(1, (min(bottom, plane.height) - top) * (right - left))))
            }
        }
        return means
    }
}

extension ReducedPicture {
    /// The relative difference of two aspects up to which a thumbnail is that of the whole picture.
    private static let aspectTolerance = 0.015
    /// Brightness of a bar, and how far its samples may differ: JPEG smears them.
    private static let darkestPicture = 40

    /// The part of a thumbnail that shows the picture: without the bars that fill it up to another aspect. Nil where
    /// the aspect is that of another picture, such as the one before a crop.
    /// - Parameters: width and height of the picture in pixels, turned or not.
    static func shown(of thumbnail: Planes, width: Int, height: Int) -> Part? {
        let (own, high) = (Double(thumbnail.width), Double(thumbnail.height))
        let whole = Part(left: 0, top: 0, width: thumbnail.width, height: thumbnail.height)
        guard width > 0, height > 0, thumbnail.width >= 64, thumbnail.height >= 64 else { return nil }
        for aspect in [Double(width) / Double(height), Double(height) / Double(width)] {
            // A thumbnail is a whole number of pixels wide and high.
            let tolerance = aspectTolerance + 0.75 / min(own, high)
            if abs(own / high / aspect - 1) <= tolerance { return whole }
        }
        let aspect =
            (own > high) == (width > height)
            ? Double(width) / Double(height) : Double(height) / Double(width)
        var part = whole
        if own / high < aspect {
            part.height = Int(own / aspect)
            part.top = (thumbnail.height - part.height + 1) / 2
            part.height = min(part.height, thumbnail.height - 2 * part.top)
        } else {
            part.width = Int(high * aspect)
            part.left = (thumbnail.width - part.width + 1) / 2
            part.width = min(part.width, thumbnail.width - 2 * part.left)
        }
        guard part.width >= 48, part.height >= 48, hasBars(around: part, thumbnail) else { return nil }
        return part
    }

    /// True where all outside of `part`, but for the line next to it, is dark.
    private static func hasBars(around part: Part, _ thumbnail: Planes) -> Bool {
        let plane = thumbnail.components[0].plane
        for y in 0..<thumbnail.height {
            let isBar = y < part.top - 1 || y > part.top + part.height
            for x in 0..<thumbnail.width where isBar || x < part.left - 1 || x > part.left + part.width {
                if plane.row(y)[x] > darkestPicture { return false }
            }
        }
        return true
    }
}

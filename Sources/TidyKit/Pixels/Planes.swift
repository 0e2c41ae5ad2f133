/// A picture as planes: luma alone, or Y, Cb, Cr of JFIF (full range, BT.601 matrix).
struct Planes {
    /// Size of the picture in pixels at this scale.
    var width: Int
    var height: Int
    /// One or three.
    var components: [Component]
    var remarks = Remarks()

    /// What a decoder met on the way that the user should know of.
    struct Remarks: Equatable {
        /// Parts of the source could be seen through, and are laid on white.
        var liesOnWhite = false
        var leftovers = JPEGLeftovers()
    }

    struct Component {
        var plane: Plane
        /// How much of the plane the picture covers: the last column and row of a scaled or subsampled plane stand for
        /// less than a whole sample.
        var coveredWidth: Double
        var coveredHeight: Double

        init(_ plane: Plane, coveredWidth: Double? = nil, coveredHeight: Double? = nil) {
            self.plane = plane
            self.coveredWidth = coveredWidth ?? Double(plane.width)
            self.coveredHeight = coveredHeight ?? Double(plane.height)
        }
    }

    init(width: Int, height: Int, components: [Component]) {
        self.width = width
        self.height = height
        self.components = components
    }

    var isGray: Bool { components.count == 1 }
    var longEdge: Int { max(width, height) }

    /// How densely chroma is stored; each plane is as large as the picture divided by these, rounded up.
    enum Chroma: Sendable, Equatable {
        case full
        case half
        /// Sampling factors of luma against chroma.
        var horizontal: Int { self == .full ? 1 : 2 }
        var vertical: Int { self == .full ? 1 : 2 }
    }

    /// The bytes that planes of this size take.
    static func byteCount(width: Int, height: Int, gray: Bool, chroma: Chroma) -> Int {
        width * height * (gray ? 2 : chroma == .full ? 6 : 3) / 2
    }
}

internal import CTurboJPEG

/// Decodes the small JPEGs that photos hold of themselves. TurboJPEG decodes what is damaged as far as it goes. It has
/// no limit of memory, so larger previews go through the strict `JPEGDecoder`, within the budget.
enum JPEGThumbnail {
    /// Pixels of the largest picture that is decoded here.
    private static let maximumPixels = 1 << 20
    /// Bytes of the largest JPEG that is decoded here.
    static let longest = 4 << 20
    /// The memory that decoding takes at most: planes, and the coefficients of a progressive file.
    static let need = Int64(9 * maximumPixels)

    /// The planes, scaled down so that the long edge keeps at least `least` samples; nil for what is not decoded here:
    /// a larger picture, one of four inks, one that cannot be decoded.
    /// - Parameter bytes: the whole JPEG (`tjDecompressToYUVPlanes`).
    static func planes(_ bytes: [UInt8], least: Int) throws(PictureError) -> Planes? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
        guard
            bytes.withUnsafeBufferPointer({
                tjDecompressHeader3(
                    decoder, $0.baseAddress, UInt($0.count), &width, &height, &subsampling, &colors)
            }) == 0, width > 0, height > 0, Int(width) * Int(height) <= maximumPixels, subsampling >= 0
        else { return nil }
        if colors == Int32(TJCS_CMYK.rawValue) || colors == Int32(TJCS_YCCK.rawValue) { return nil }
        let denominator = PictureReducer.denominator(Int(width), Int(height), least: least)
        let scaled = (
            width: (Int(width) + denominator - 1) / denominator, height: (Int(height) + denominator - 1) / denominator
        )
        let components = try components(scaled.width, scaled.height, subsampling)
        var rows = components.map { Optional($0.plane.data) }
        var strides = components.map { Int32($0.plane.stride) }
        let code = bytes.withUnsafeBufferPointer {
            tjDecompressToYUVPlanes(
                decoder, $0.baseAddress, UInt($0.count), &rows, Int32(scaled.width), &strides, Int32(scaled.height),
                TJFLAG_FASTDCT | TJFLAG_LIMITSCANS)
        }
        guard code == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else { return nil }
        return Planes(width: scaled.width, height: scaled.height, components: components)
    }

    /// Room for each plane, as large as TurboJPEG writes it.
    private static func components(
        _ width: Int, _ height: Int, _ subsampling: Int32
    ) throws(PictureError) -> [Planes.Component] {
        let luma = Planes.Component(try plane(0, width, height, subsampling))
        guard subsampling != Int32(TJSAMP_GRAY.rawValue) else { return [luma] }
        var components = [luma]
        for index in 1...2 {
            components.append(Planes.Component(try plane(Int32(index), width, height, subsampling)))
        }
        return components
    }

    private static func plane(
        _ index: Int32, _ width: Int, _ height: Int, _ subsampling: Int32
    ) throws(PictureError) -> Plane {
        let wide = Int(tjPlaneWidth(index, Int32(width), subsampling))
        let high = Int(tjPlaneHeight(index, Int32(height), subsampling))
        guard wide > 0, high > 0 else { throw .damaged("a thumbnail has no size") }
        let plane = try Plane(width: wide, height: high)
        // What is cut off stays gray.
        for y in 0..<high { (plane.row(y)).update(repeating: 128, count: wide) }
        return plane
    }
}

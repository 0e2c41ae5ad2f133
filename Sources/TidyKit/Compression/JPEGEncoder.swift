internal import CJPEG

/// Planes to a JPEG stream, through libjpeg-turbo with optimised Huffman tables.
struct JPEGEncoder {
    var isProgressive: Bool
    /// Reused from one encode to the next.
    private var buffer: [UInt8] = []

    init(isProgressive: Bool) { self.isProgressive = isProgressive }

    /// A stream from SOI to EOI without any APP marker; nil where it needs more than `capacity` bytes.
    /// - Parameter planes: chroma, where there is any, in the density `chroma`; rows padded (`Plane.padRows`).
    mutating func encode(
        _ planes: Planes, chroma: Planes.Chroma, quality: Double, capacity: Int
    ) throws(CompressionError) -> [UInt8]? {
        let tables = QuantizationTables(quality: quality)
        var picture = cjpeg_picture()
        picture.width = Int32(planes.width)
        picture.height = Int32(planes.height)
        picture.components = Int32(planes.components.count)
        picture.h = planes.isGray ? 1 : Int32(chroma.horizontal)
        picture.v = planes.isGray ? 1 : Int32(chroma.vertical)
        picture.progressive = isProgressive
        let luma = planes.components[0].plane
        picture.plane.0 = UnsafePointer(luma.data)
        picture.stride.0 = luma.stride
        picture.plane_height.0 = Int32(luma.height)
        if !planes.isGray {
            let (blue, red) = (planes.components[1].plane, planes.components[2].plane)
            picture.plane.1 = UnsafePointer(blue.data)
            picture.stride.1 = blue.stride
            picture.plane_height.1 = Int32(blue.height)
            picture.plane.2 = UnsafePointer(red.data)
            picture.stride.2 = red.stride
            picture.plane_height.2 = Int32(red.height)
        }
        withUnsafeMutableBytes(of: &picture.table) { bytes in
            let values = bytes.bindMemory(to: UInt16.self)
            for index in 0..<64 {
                values[index] = tables.luma[index]
                values[64 + index] = tables.chroma[index]
            }
        }
        if buffer.count < capacity { buffer = [UInt8](repeating: 0, count: capacity) }
        var count = 0
        var error = cjpeg_error()
        switch Int(cjpeg_encode(&picture, &buffer, capacity, &count, &error)) {
        case CJPEG_OK: return Array(buffer[..<count])
        case CJPEG_TOO_LONG: return nil
        default:
            let text = withUnsafeBytes(of: error.message) { Array($0.prefix { $0 != 0 }) }
            throw .unsupported("encoder: " + String(decoding: text, as: UTF8.self))
        }
    }
}

internal import Support
import Testing

@testable import TidyKit

/// What a decoder made of some bytes, upright, and the colours in it.
struct DecodedPicture {
    let source: SourcePicture
    let planes: Planes

    init(_ bytes: [UInt8], _ settings: CompressionSettings = CompressionSettings()) throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor.openForReading(try folder.write("picture", bytes))
        source = try OtherFormats.picture(bytes, file, settings.decoding, now: .now())
        planes = try source.decode(SourcePicture.Reduction()).upright(from: source.orientation)
    }

    /// Red, green and blue at a pixel.
    func color(_ x: Int, _ y: Int) -> [Int] {
        let values = planes.components.map { component in
            let plane = component.plane
            return Double(plane.row(y * plane.height / planes.height)[x * plane.width / planes.width])
        }
        if values.count == 1 { return [Int(values[0]), Int(values[0]), Int(values[0])] }
        let (luma, blue, red) = (values[0], values[1] - 128, values[2] - 128)
        return [luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue].map {
            Int(max(0, min(255, $0)).rounded())
        }
    }

    func isClose(_ x: Int, _ y: Int, to color: [Int], within tolerance: Int = 3) -> Bool {
        zip(self.color(x, y), color).allSatisfy { abs($0 - $1) <= tolerance }
    }

    /// The mean difference from a picture of the same size.
    func difference(from picture: DrawnPicture) -> Double {
        guard planes.width == picture.width, planes.height == picture.height else { return .infinity }
        var sum = 0
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let color = color(x, y)
                for channel in 0..<3 {
                    sum += abs(color[channel] - Int(picture.rgb[(y * picture.width + x) * 3 + channel]))
                }
            }
        }
        return Double(sum) / Double(3 * picture.width * picture.height)
    }

    /// The mean difference of luma.
    func difference(from other: DecodedPicture) -> Double {
        let (luma, reference) = (planes.components[0].plane, other.planes.components[0].plane)
        guard luma.width == reference.width, luma.height == reference.height else { return .infinity }
        var sum = 0
        for y in 0..<luma.height {
            for x in 0..<luma.width { sum += abs(Int(luma.row(y)[x]) - Int(reference.row(y)[x])) }
        }
        return Double(sum) / Double(luma.width * luma.height)
    }
}

/// The error that decoding ends with; nil where a picture comes.
func failure(_ bytes: [UInt8], allowingDamage: Bool = false) -> PictureError? {
    var settings = CompressionSettings()
    settings.decoding.allowsDamaged = allowingDamage
    do {
        _ = try DecodedPicture(bytes, settings)
        return nil
    } catch {
        return error as? PictureError
    }
}

/// Whether bytes are refused as damaged.
func isDamaged(_ bytes: [UInt8]) -> Bool {
    if case .damaged = failure(bytes) { true } else { false }
}

/// Flips one bit at each place in turn.
/// - Returns: the share of places where a wrong picture comes and nothing is told, and how many are read where damage is
///   allowed.
func flippedBits(of whole: [UInt8], at places: some Collection<Int>) throws -> (silent: Double, allowed: Int) {
    let sound = try DecodedPicture(whole)
    var (silent, allowed) = (0, 0)
    for place in places {
        var bytes = whole
        bytes[place] ^= 0x10
        if failure(bytes) == nil, try DecodedPicture(bytes).difference(from: sound) > 2 { silent += 1 }
        if failure(bytes, allowingDamage: true) == nil { allowed += 1 }
    }
    return (Double(silent) / Double(places.count), allowed)
}

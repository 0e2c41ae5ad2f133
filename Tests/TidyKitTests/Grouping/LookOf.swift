internal import Support

@testable import TidyKit

extension DrawnPicture {
    var luma: LumaView {
        let samples = (0..<width * height).map { index -> UInt8 in
            let (red, green, blue) = (Int(rgb[3 * index]), Int(rgb[3 * index + 1]), Int(rgb[3 * index + 2]))
            return UInt8((red * 299 + green * 587 + blue * 114) / 1000)
        }
        return LumaView(width: width, height: height, samples: samples)!
    }
    var hash: PerceptualHash { HashGrid(luma).hash }
    var signature: PictureSignature { PictureSignature(luma, color: .gray, isOfThumbnail: false) }
    var grid: PictureGrid { PictureGrid(luma) }

    /// Blurred `times` with a box of three by three pixels.
    func blurred(_ times: Int) -> DrawnPicture {
        (0..<times).reduce(self) { picture, _ in
            picture.changed { x, y, _ in
                (0..<3).map { channel in
                    var sum = 0
                    for v in y - 1...y + 1 {
                        for u in x - 1...x + 1 {
                            let place = min(max(v, 0), height - 1) * width + min(max(u, 0), width - 1)
                            sum += Int(picture.rgb[3 * place + channel])
                        }
                    }
                    return UInt8(sum / 9)
                }
            }
        }
    }
}

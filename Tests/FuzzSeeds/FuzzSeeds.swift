internal import Support
internal import TidyKit

/// `fuzz-seeds DIR`: small pictures of all formats and codings for the fuzz target of the decoders, into a folder that
/// is there. `fuzz-seeds DIR Previews`: those for the target of that name. `fuzz-seeds DIR COUNT [FILE...]`: so many damaged copies of them, and of files, in folders of 500.
@main
enum FuzzSeeds {
    static func main() throws {
        let folder = FilePath(CommandLine.arguments[1])
        if CommandLine.arguments.dropFirst(2).first == "Previews" { return try PreviewSeeds.write(to: folder) }
        if CommandLine.arguments.count > 2, let count = Int(CommandLine.arguments[2]) {
            let files = try CommandLine.arguments.dropFirst(3).map { try FileSystem.contents(of: FilePath($0)) }
            return try Mutants(files + seeds.map(\.1)).write(count, to: folder)
        }
        for (name, bytes) in seeds {
            // Two bytes of options; zeros are the defaults.
            try AtomicFile.write(bytes + [0, 0], to: folder.appending(name), replacing: true)
        }
    }

    static var seeds: [(String, [UInt8])] {
        let drawn = DrawnPicture(width: 72, height: 50, grain: 10)
        var seeds: [(String, [UInt8])] = []
        for (name, sampling) in [
            ("420", .s420), ("422", .s422), ("444", .s444), ("440", .s440), ("411", .s411), ("gray", .gray),
        ] as [(String, DrawnPicture.Subsampling)] {
            for isProgressive in [false, true] {
                seeds.append(
                    (
                        "\(name)-\(isProgressive ? "progressive" : "baseline").jpg",
                        drawn.jpeg(subsampling: sampling, isProgressive: isProgressive)
                    ))
            }
        }
        var exif = ExifFixture()
        exif.orientation(6)
        exif.taken("2024:05:01 12:00:00")
        let whole = drawn.jpeg()
        let fill = [UInt8](repeating: 0, count: 40)
        seeds.append(("stray.jpg", whole[..<20] + [1, 2, 3] + whole[20..<(whole.count - 2)] + fill + [0xFF, 0xD9]))
        seeds.append(("endless.jpg", Array(whole.dropLast(2))))
        seeds.append(("exif.jpg", JPEGFixture(picture: drawn.jpeg()).with(exif).bytes))
        for (type, samples) in [(0, 1), (2, 3), (4, 2), (6, 4)] {
            for (depth, isInterlaced) in [(8, false), (16, true)] {
                var png = PNGFixture(width: 33, height: 21, depth: depth, colorType: UInt8(type)) { x, y in
                    (0..<samples).map { (7 * x + 5 * y + 40 * $0) % 256 }
                }
                png.isInterlaced = isInterlaced
                seeds.append(("\(type)-\(depth).png", png.bytes))
            }
        }
        let rgba = (0..<40 * 30).flatMap { index -> [UInt8] in [UInt8(index % 251), 90, 200, UInt8(index % 3 * 100)] }
        for (name, coding) in [("lossy", .lossy(quality: 80)), ("lossless", .lossless)]
            as [(String, WebPFixture.Coding)]
        {
            let opaque = WebPFixture(drawn, coding)
            seeds.append(("\(name).webp", opaque.bytes))
            seeds.append(("\(name)-animated.webp", opaque.animated.bytes))
            seeds.append(("\(name)-alpha.webp", WebPFixture(width: 40, height: 30, rgba: rgba, coding).bytes))
        }
        for coding in [EncodedHEIF.Coding.hevc, .av1] {
            for chroma in [EncodedHEIF.Chroma.gray, .quarter, .full] {
                var heif = EncodedHEIF(drawn)
                if chroma == .gray { heif = EncodedHEIF(width: 64, height: 64) { x, _ in [Double(x) / 63] } }
                heif.coding = coding
                heif.chroma = chroma
                if let bytes = heif.bytes { seeds.append(("\(coding)-\(chroma).heif", bytes)) }
            }
        }
        return seeds
    }
}

internal import Support
internal import TidyKit

/// Small pictures of every format that `--similar` reads, with the two bytes of options that the fuzz target wants.
enum PreviewSeeds {
    static func write(to folder: FilePath) throws {
        let formats = MediaFormat.allCases.filter { $0.kind != .video }
        for (name, format, bytes) in seeds {
            let place = UInt8(formats.firstIndex(of: format)!)
            try AtomicFile.write(bytes + [place, 0], to: folder.appending(name), replacing: true)
        }
    }

    private static var seeds: [(String, MediaFormat, [UInt8])] {
        let endings: [String: MediaFormat] = ["jpg": .jpeg, "png": .png, "webp": .webp, "heif": .heic]
        var seeds = FuzzSeeds.seeds.compactMap { name, bytes in
            endings[name.split(separator: ".").last.map(String.init) ?? ""].map { (name, $0, bytes) }
        }
        let drawn = DrawnPicture(width: 72, height: 50, grain: 10)
        let small = DrawnPicture(width: 72, height: 50, grain: 0).jpeg()
        seeds.append(("thumbnail.jpg", .jpeg, drawn.jpeg(thumbnail: small)))
        seeds.append(("plain.gif", .gif, drawn.gif()))
        seeds.append(("interlaced.gif", .gif, drawn.gif(isInterlaced: true)))
        let control: [UInt8] = [0x21, 0xF9, 4, 5, 5, 0, 9, 0]
        let comment: [UInt8] = [0x21, 0xFE, 2, 0x68, 0x69, 0]
        let frame = drawn.gif().dropFirst(13 + 3 * 256)
        seeds.append(("frames.gif", .gif, drawn.gif().dropLast() + control + frame.dropLast() + comment + frame))
        seeds += bitmaps(drawn) + tiffs(drawn)
        seeds.append(("two.dng", .dng, RawFixture.dng(RawFixture.broken, small)))
        seeds.append(("one.raf", .raf, RawFixture.raf(small)))
        seeds.append(("two.cr3", .cr3, RawFixture.cr3(small, drawn.jpeg())))
        for coding in [EncodedHEIF.Coding.hevc, .av1] {
            var heif = EncodedHEIF(DrawnPicture(width: 144, height: 100, grain: 0))
            heif.coding = coding
            heif.thumbnailEdge = 72
            if let bytes = heif.bytes { seeds.append(("\(coding)-thumbnail.heif", .heic, bytes)) }
        }
        return seeds
    }

    private static func bitmaps(_ drawn: DrawnPicture) -> [(String, MediaFormat, [UInt8])] {
        var seeds = [("24.bmp", MediaFormat.bmp, drawn.bitmap)]
        for (depth, compression) in [(1, 0), (4, 0), (8, 0), (16, 3), (32, 3), (8, 1)] {
            var bytes = drawn.bitmap
            (bytes[28], bytes[30]) = (UInt8(depth), UInt8(compression))
            seeds.append(("\(depth)-\(compression).bmp", .bmp, bytes))
        }
        return seeds
    }

    private static func tiffs(_ drawn: DrawnPicture) -> [(String, MediaFormat, [UInt8])] {
        var seeds: [(String, MediaFormat, [UInt8])] = []
        for kind in DrawnTIFF.Kind.allCases {
            for (depth, isPlanar, tileEdge, isBig) in [
                (8, false, nil, false), (16, true, nil, true), (8, false, 16, false),
            ]
                as [(Int, Bool, Int?, Bool)]
            {
                var tiff = DrawnTIFF(drawn, kind)
                (tiff.depth, tiff.isPlanar, tiff.tileEdge, tiff.isBig) = (depth, isPlanar, tileEdge, isBig)
                seeds.append(("\(kind)-\(depth)-\(tileEdge ?? 0).tif", .tiff, tiff.bytes))
            }
        }
        return seeds
    }
}

internal import CTurboJPEG

/// A JPEG decoded in gray at an eighth of its size, for comparing pictures.
struct JPEGThumbnail: Sendable {
    let width: Int
    let height: Int
    /// Brightness 0…255, row by row; empty if the file cannot be decoded.
    let samples: [UInt8]

    /// More decoded pixels than any camera makes: a hostile header must not cost gigabytes.
    private static let maximumSamples = 1 << 24

    /// `tjDecompress2`. Needs all bytes of the file.
    init(_ file: UnsafeRawBufferPointer) {
        guard let decoder = tjInitDecompress() else {
            self.init()
            return
        }
        defer { tjDestroy(decoder) }
        let bytes = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var (fullWidth, fullHeight, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let status = tjDecompressHeader3(
            decoder, bytes, UInt(file.count), &fullWidth, &fullHeight, &subsampling, &colorspace)
        guard status == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue), fullWidth > 0, fullHeight > 0
        else {
            self.init()
            return
        }
        let (width, height) = ((Int(fullWidth) + 7) / 8, (Int(fullHeight) + 7) / 8)
        guard width * height <= Self.maximumSamples else {
            self.init()
            return
        }
        // The decoder does not convert four inks to gray; black with the other inks is good enough for a comparison.
        let isInk = colorspace == Int32(TJCS_CMYK.rawValue) || colorspace == Int32(TJCS_YCCK.rawValue)
        let channels = isInk ? 4 : 1
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * channels) { buffer, count in
            buffer.initialize(repeating: 0)
            count = buffer.count
            // A truncated or damaged part stays gray; the part before it can still be compared.
            _ = tjDecompress2(
                decoder, bytes, UInt(file.count), buffer.baseAddress, Int32(width), Int32(width * channels),
                Int32(height), Int32(isInk ? TJPF_CMYK.rawValue : TJPF_GRAY.rawValue),
                TJFLAG_FASTDCT | TJFLAG_FASTUPSAMPLE | TJFLAG_LIMITSCANS)
        }
        let samples =
            isInk
            ? stride(from: 0, to: pixels.count, by: 4).map { start in
                UInt8(pixels[start..<(start + 4)].reduce(0) { $0 + Int($1) } / 4)
            } : pixels
        self.init(width: width, height: height, samples: samples)
    }

    private init(width: Int = 0, height: Int = 0, samples: [UInt8] = []) {
        self.width = width
        self.height = height
        self.samples = samples
    }
}

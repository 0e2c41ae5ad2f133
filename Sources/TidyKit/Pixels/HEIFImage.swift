internal import CHEIF

/// A decoded picture of libheif (`heif_image`): planes of red, green and blue, which is all that libheif 1.15 keeps,
/// with 8 to 16 bits a sample.
final class HEIFImage {
    let width: Int
    let height: Int
    private let library: HEIFLibrary
    private let image: OpaquePointer
    private let channels: [Channel]
    private let isPremultiplied: Bool

    private struct Channel {
        let base: UnsafePointer<UInt8>
        let stride: Int
        let width: Int
        let height: Int
        let depth: Int

        /// The samples of a row from one column on.
        func narrow(_ y: Int, from x: Int) -> UnsafePointer<UInt8> { base + y * stride + x }

        func wide(_ y: Int, from x: Int) -> UnsafePointer<UInt16> {
            UnsafeRawPointer(base + y * stride).assumingMemoryBound(to: UInt16.self) + x
        }

        /// Maps every stored value to 8 bits, rounded.
        func table(_ range: ClosedRange<Int>) -> [UInt8] {
            let top = range.upperBound - range.lowerBound
            return (0..<1 << depth).map {
                let value = min(max($0, range.lowerBound), range.upperBound) - range.lowerBound
                return UInt8((value * 255 + top / 2) / top)
            }
        }
    }

    /// The stored values of black and white.
    private let range: ClosedRange<Int>

    /// Decodes the main picture of a file.
    /// - Parameters:
    ///   - isGray: the picture has only luma, which libheif 1.15 returns as red, green and blue without expanding the
    ///     range 16…235 of video (H.273, VideoFullRangeFlag).
    ///   - turns: crops, turns and mirrors as the file says.
    ///   - allowsDamaged: accepts whatever the decoder makes of damaged data.
    init(
        _ context: HEIFContext, isGray: Bool = false, turns: Bool = true, allowsDamaged: Bool
    ) throws(PictureError) {
        library = context.library
        let functions = library.functions
        var decoded: OpaquePointer?
        guard let options = functions.heif_decoding_options_alloc() else { throw .needsMemory(0, limit: 0) }
        let result = (allowsDamaged ? Self.lenientDecoder : Self.strictDecoder).withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) { name in
                options.pointee.strict_decoding = allowsDamaged ? 0 : 1
                options.pointee.decoder_id = name.baseAddress
                options.pointee.ignore_transformations = turns ? 0 : 1
                return functions.heif_decode_image(
                    context.handle, &decoded, isGray ? heif_colorspace_monochrome : heif_colorspace_RGB,
                    isGray ? heif_chroma_monochrome : heif_chroma_444, options)
            }
        }
        functions.heif_decoding_options_free(options)
        try library.check(result)
        guard let decoded else { throw .unsupported("cannot be read: libheif: the decoder returned no picture") }
        image = decoded
        isPremultiplied = functions.heif_image_handle_is_premultiplied_alpha(context.handle) != 0
        let luma = [heif_channel_Y, heif_channel_Y, heif_channel_Y]
        let colors = isGray ? luma : [heif_channel_R, heif_channel_G, heif_channel_B]
        channels = (colors + [heif_channel_Alpha]).compactMap { Self.channel($0, decoded, functions) }
        (width, height) = (channels.first?.width ?? 0, channels.first?.height ?? 0)
        range = Self.range(isGray ? decoded : nil, depth: channels.first?.depth ?? 8, functions)
        let isUniform = channels.prefix(3).allSatisfy {
            $0.width == width && $0.height == height && $0.depth == channels[0].depth
        }
        guard channels.count >= 3, isUniform else { throw .unsupported("HEIF with planes of several sizes") }
    }

    /// Only libaom, of the AV1 decoders, checks that the data of a tile end with its last block; others turn damaged
    /// data into noise. If libheif has no decoder of this name it takes another: our own for HEVC.
    private static let strictDecoder: StaticString = "aom\0"
    /// libheif's own HEVC decoder instead of ours; for AV1 it takes another.
    private static let lenientDecoder: StaticString = "libde265\0"

    deinit { library.functions.heif_image_release(image) }

    /// - Parameter image: the luma picture; nil if libheif has expanded the range.
    private static func range(
        _ image: OpaquePointer?, depth: Int, _ functions: cheif_functions
    ) -> ClosedRange<Int> {
        let whole = 0...(1 << depth) - 1
        var coded: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard let image, depth >= 8, functions.heif_image_get_nclx_color_profile(image, &coded).code == heif_error_Ok,
            let coded
        else { return whole }
        defer { functions.heif_nclx_color_profile_free(coded) }
        return coded.pointee.full_range_flag != 0 ? whole : 16 << (depth - 8)...235 << (depth - 8)
    }

    private static func channel(
        _ channel: heif_channel, _ image: OpaquePointer, _ functions: cheif_functions
    ) -> Channel? {
        guard functions.heif_image_has_channel(image, channel) != 0 else { return nil }
        var stride: Int32 = 0
        let depth = Int(functions.heif_image_get_bits_per_pixel_range(image, channel))
        guard let base = functions.heif_image_get_plane_readonly(image, channel, &stride), (1...16).contains(depth)
        else { return nil }
        return Channel(
            base: base, stride: Int(stride), width: Int(functions.heif_image_get_width(image, channel)),
            height: Int(functions.heif_image_get_height(image, channel)), depth: depth)
    }

    /// All samples as they are stored, alpha too, with what says how they are read.
    func addSamples(to digest: inout PictureDigest) {
        for number in [range.lowerBound, range.upperBound, isPremultiplied ? 1 : 0, channels.count] {
            digest.add(number)
        }
        for channel in channels {
            for number in [channel.width, channel.height, channel.depth] { digest.add(number) }
            let bytes = channel.width * (channel.depth > 8 ? 2 : 1)
            for y in 0..<channel.height {
                digest.add(UnsafeRawBufferPointer(start: channel.base + y * channel.stride, count: bytes))
            }
        }
    }

    /// Alpha in 8 bits, in the size of the picture; nil if all pixels are opaque.
    func alpha() throws(PictureError) -> Plane? {
        guard channels.count > 3 else { return nil }
        let channel = channels[3]
        let plane = try Plane(width: channel.width, height: channel.height)
        let table = channel.table(0...(1 << channel.depth) - 1)
        for y in 0..<channel.height {
            let row = plane.row(y)
            if channel.depth > 8 {
                let samples = channel.wide(y, from: 0)
                for x in 0..<channel.width { row[x] = table[min(Int(samples[x]), table.count - 1)] }
            } else {
                let samples = channel.narrow(y, from: 0)
                for x in 0..<channel.width { row[x] = table[min(Int(samples[x]), table.count - 1)] }
            }
        }
        return try Resampler.resize(Planes.Component(plane), width: width, height: height)
    }

    private lazy var table = channels[0].table(range)
    private var isSpread: Bool { range.lowerBound == 0 }

    /// One row from column `left` on, as 8-bit RGBA that is not premultiplied.
    func read(_ y: Int, from left: Int, alpha: Plane?, into row: inout [UInt8]) {
        let count = row.count / 4
        for index in 0..<3 {
            let channel = channels[index]
            if channel.depth == 8, isSpread {
                let samples = channel.narrow(y, from: left)
                for x in 0..<count { row[4 * x + index] = samples[x] }
            } else if channel.depth > 8 {
                let samples = channel.wide(y, from: left)
                for x in 0..<count { row[4 * x + index] = table[min(Int(samples[x]), table.count - 1)] }
            } else {
                let samples = channel.narrow(y, from: left)
                for x in 0..<count { row[4 * x + index] = table[min(Int(samples[x]), table.count - 1)] }
            }
        }
        guard let alpha = alpha.map({ $0.row(y) + left }) else { return }
        for x in 0..<count {
            row[4 * x + 3] = alpha[x]
            guard isPremultiplied else { continue }
            let share = Int(alpha[x])
            for index in 0..<3 {
                row[4 * x + index] =
                    share == 0 ? 255 : UInt8(min(255, (Int(row[4 * x + index]) * 255 + share / 2) / share))
            }
        }
    }

    /// The same in 16 bits, for pictures with a high dynamic range.
    func read(_ y: Int, from left: Int, alpha: Plane?, into row: inout [UInt16]) {
        let count = row.count / 4
        let (first, top) = (range.lowerBound, range.upperBound - range.lowerBound)
        for index in 0..<3 {
            let channel = channels[index]
            for x in 0..<count {
                let sample =
                    channel.depth > 8 ? Int(channel.wide(y, from: left)[x]) : Int(channel.narrow(y, from: left)[x])
                row[4 * x + index] = UInt16(max(0, min(65535, (sample - first) * 65535 / top)))
            }
        }
        guard let alpha = alpha.map({ $0.row(y) + left }) else { return }
        for x in 0..<count {
            row[4 * x + 3] = UInt16(alpha[x]) * 257
            guard isPremultiplied else { continue }
            let share = Int(alpha[x])
            for index in 0..<3 {
                row[4 * x + index] =
                    share == 0 ? 65535 : UInt16(min(65535, Int(row[4 * x + index]) * 255 / share))
            }
        }
    }
}

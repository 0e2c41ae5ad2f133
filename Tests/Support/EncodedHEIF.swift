internal import CHEIF
package import TidyKit

/// A HEIC or AVIF encoded by libheif; nil bytes where this machine's libheif has no encoder for it.
package struct EncodedHEIF: Sendable {
    package enum Coding: Sendable { case hevc, av1 }
    package enum Chroma: Sendable { case gray, quarter, full }

    package var width: Int
    package var height: Int
    package var coding = Coding.hevc
    /// Bits of a sample, 8 or 10.
    package var depth = 8
    package var chroma = Chroma.quarter
    /// Kept by `irot` and `imir`: the pixels given are the upright ones' stored form.
    package var orientation = Orientation.upright
    /// An EXIF block that begins with its TIFF header.
    package var exif: [UInt8]?
    package var profile: [UInt8]?
    /// The longer edge of a thumbnail beside the picture.
    package var thumbnailEdge: Int?
    /// ColourPrimaries, TransferCharacteristics, MatrixCoefficients (H.273) and full range.
    package var color: (Int, Int, Int, isFullRange: Bool)?
    private let hasAlpha: Bool
    /// R, G, B and alpha of a pixel, 0…1.
    private let pixel: @Sendable (_ x: Int, _ y: Int) -> [Double]

    /// - Parameter pixel: three components, or four with alpha.
    package init(width: Int, height: Int, pixel: @escaping @Sendable (_ x: Int, _ y: Int) -> [Double]) {
        self.width = width
        self.height = height
        self.pixel = pixel
        hasAlpha = pixel(0, 0).count == 4
    }

    package init(_ picture: DrawnPicture) {
        let (rgb, stride) = (picture.rgb, picture.width * 3)
        self.init(width: picture.width, height: picture.height) { x, y in
            (0..<3).map { Double(rgb[y * stride + 3 * x + $0]) / 255 }
        }
    }

    /// Whether this machine's libheif has encoders for both codings.
    package static let canBeMade: Bool = {
        var fixture = EncodedHEIF(width: 16, height: 16) { _, _ in [0, 0, 0] }
        guard fixture.bytes != nil else { return false }
        fixture.coding = .av1
        return fixture.bytes != nil
    }()

    package var bytes: [UInt8]? {
        guard let context = heif_context_alloc() else { return nil }
        defer { heif_context_free(context) }
        var encoder: OpaquePointer?
        let format = coding == .hevc ? heif_compression_HEVC : heif_compression_AV1
        guard heif_context_get_encoder_for_format(context, format, &encoder).code == heif_error_Ok, let encoder,
            let image = image()
        else { return nil }
        defer {
            heif_encoder_release(encoder)
            heif_image_release(image)
        }
        heif_encoder_set_lossy_quality(encoder, 95)
        if chroma != .gray {
            heif_encoder_set_parameter_string(encoder, "chroma", chroma == .full ? "444" : "420")
        }
        guard let options = heif_encoding_options_alloc() else { return nil }
        defer { heif_encoding_options_free(options) }
        options.pointee.image_orientation = heif_orientation(UInt32(orientation.rawValue))
        options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
        let nclx = self.nclx()
        defer { heif_nclx_color_profile_free(nclx) }
        // libheif 1.15 takes what it writes from the picture, not from the options.
        if let nclx { heif_image_set_nclx_color_profile(image, nclx) }
        var handle: OpaquePointer?
        guard heif_context_encode_image(context, image, encoder, options, &handle).code == heif_error_Ok else {
            return nil
        }
        defer { heif_image_handle_release(handle) }
        if let thumbnailEdge {
            var small: OpaquePointer?
            let edge = Int32(thumbnailEdge)
            guard
                heif_context_encode_thumbnail(context, image, handle, encoder, options, edge, &small).code
                    == heif_error_Ok
            else { return nil }
            heif_image_handle_release(small)
        }
        if let exif { heif_context_add_exif_metadata(context, handle, exif, Int32(exif.count)) }
        return written(context)
    }

    private func nclx() -> UnsafeMutablePointer<heif_color_profile_nclx>? {
        guard let color, let nclx = heif_nclx_color_profile_alloc() else { return nil }
        heif_nclx_color_profile_set_color_primaries(nclx, UInt16(color.0))
        heif_nclx_color_profile_set_transfer_characteristics(nclx, UInt16(color.1))
        heif_nclx_color_profile_set_matrix_coefficients(nclx, UInt16(color.2))
        nclx.pointee.full_range_flag = color.isFullRange ? 1 : 0
        return nclx
    }

    private func image() -> OpaquePointer? {
        var created: OpaquePointer?
        let isGray = chroma == .gray
        guard
            heif_image_create(
                Int32(width), Int32(height), isGray ? heif_colorspace_monochrome : heif_colorspace_RGB,
                isGray ? heif_chroma_monochrome : heif_chroma_444, &created
            ).code == heif_error_Ok, let image = created
        else { return nil }
        var channels = isGray ? [heif_channel_Y] : [heif_channel_R, heif_channel_G, heif_channel_B]
        if hasAlpha { channels.append(heif_channel_Alpha) }
        let top = Double(1 << depth - 1)
        for (index, channel) in channels.enumerated() {
            let component = channel == heif_channel_Alpha ? 3 : index
            heif_image_add_plane(image, channel, Int32(width), Int32(height), Int32(depth))
            var stride: Int32 = 0
            guard let base = heif_image_get_plane(image, channel, &stride) else { continue }
            for y in 0..<height {
                let row = UnsafeMutableRawPointer(base + y * Int(stride))
                for x in 0..<width {
                    let value = (pixel(x, y)[component] * top).rounded()
                    if depth > 8 {
                        row.storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
                    } else {
                        row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
                    }
                }
            }
        }
        if let profile { heif_image_set_raw_color_profile(image, "prof", profile, profile.count) }
        return image
    }

    private func written(_ context: OpaquePointer) -> [UInt8]? {
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, size, user in
            if let user {
                user.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeRawBufferPointer(start: data, count: size)
            }
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        var bytes: [UInt8] = []
        let result = withUnsafeMutablePointer(to: &bytes) { heif_context_write(context, &writer, $0) }
        return result.code == heif_error_Ok ? bytes : nil
    }
}

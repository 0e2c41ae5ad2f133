internal import CHEIF

/// HEIC and AVIF by libheif, which also turns the picture as `irot` and `imir` say.
enum HEIFDecoder {
    static func picture(_ bytes: [UInt8], _ settings: CompressionSettings) throws(CompressionError) -> SourcePicture {
        do throws(CompressionError) {
            return try readablePicture(bytes)
        } catch {
            // libheif before 1.18 refuses files whose metadata and auxiliary pictures refer to groups of items, as
            // phones have written them since 2023. Without those references it reads the picture.
            guard let repaired = HEIFReferences.hidden(in: bytes),
                let picture = try? readablePicture(repaired)
            else { throw error }
            return picture
        }
    }

    private static func readablePicture(_ bytes: [UInt8]) throws(CompressionError) -> SourcePicture {
        let (width, height, profile) = try open(bytes, properties)
        var picture = SourcePicture(width: width, height: height) { (_) throws(CompressionError) in
            try open(bytes, planes)
        }
        picture.metadata.profile = profile
        // Cameras write 4:2:0; what the decoder hands out does not tell.
        picture.hasFullChroma = false
        return picture
    }

    private static func open<Result>(
        _ bytes: [UInt8], _ body: (cheif_functions, OpaquePointer) throws(CompressionError) -> Result
    ) throws(CompressionError) -> Result {
        let library = try HEIFLibrary.functions()
        return try bytes.span.withUnsafeBytes { (raw) throws(CompressionError) in
            guard let context = library.heif_context_alloc() else { throw .needsMemory(0, limit: 0) }
            defer { library.heif_context_free(context) }
            try check(library.heif_context_read_from_memory_without_copy(context, raw.baseAddress, raw.count, nil))
            var handle: OpaquePointer?
            try check(library.heif_context_get_primary_image_handle(context, &handle))
            guard let handle else { throw .unsupported("cannot be read: HEIF: no picture in the file") }
            defer { library.heif_image_handle_release(handle) }
            return try body(library, handle)
        }
    }

    private static func planes(
        _ library: cheif_functions, _ handle: OpaquePointer
    ) throws(CompressionError) -> Planes {
        let hasAlpha = library.heif_image_handle_has_alpha_channel(handle) != 0
        let isPremultiplied = hasAlpha && library.heif_image_handle_is_premultiplied_alpha(handle) != 0
        guard let options = library.heif_decoding_options_alloc() else { throw .needsMemory(0, limit: 0) }
        defer { library.heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = 1
        var image: OpaquePointer?
        try check(
            library.heif_decode_image(
                handle, &image, heif_colorspace_RGB,
                hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options))
        guard let image else { throw .unsupported("cannot be read: HEIF: no picture came out") }
        defer { library.heif_image_release(image) }
        var stride: Int32 = 0
        guard let pixels = library.heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else {
            throw .unsupported("cannot be read: HEIF: no pixels came out")
        }
        let builder = try PlaneBuilder(
            width: Int(library.heif_image_get_width(image, heif_channel_interleaved)),
            height: Int(library.heif_image_get_height(image, heif_channel_interleaved)))
        for y in 0..<builder.height {
            let row = pixels + y * Int(stride)
            if hasAlpha {
                builder.setRow(y, rgba: row, isPremultiplied: isPremultiplied)
            } else {
                builder.setRow(y, pixels: row, step: 3)
            }
        }
        return builder.planes
    }

    private static func properties(
        _ library: cheif_functions, _ handle: OpaquePointer
    ) throws(CompressionError) -> (width: Int, height: Int, profile: [UInt8]?) {
        (
            Int(library.heif_image_handle_get_width(handle)), Int(library.heif_image_handle_get_height(handle)),
            profile(library, handle)
        )
    }

    /// The `colr` box with an ICC profile.
    private static func profile(_ library: cheif_functions, _ handle: OpaquePointer) -> [UInt8]? {
        let count = library.heif_image_handle_get_raw_color_profile_size(handle)
        guard count > 0, count < 1 << 24 else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        guard library.heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok else {
            return nil
        }
        return profile
    }

    private static func check(_ error: heif_error) throws(CompressionError) {
        guard error.code != heif_error_Ok else { return }
        let text = error.message.map { String(cString: $0) } ?? "unknown error"
        throw error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype
            ? .unsupported("HEIF: " + text) : .unsupported("cannot be read: HEIF: " + text)
    }
}

internal import CHEIF

/// What libheif says of the main picture of a file before it decodes it.
struct HEIFHeader {
    /// After turning and cropping.
    let width: Int
    let height: Int
    let storedWidth: Int
    let storedHeight: Int
    /// Bits of a luma sample.
    let depth: Int
    let profile: [UInt8]?
    /// `nclx`; what the coded stream says of its own is not told.
    let color: CodedColor?

    init(_ context: HEIFContext) {
        let (handle, functions) = (context.handle, context.library.functions)
        width = Int(functions.heif_image_handle_get_width(handle))
        height = Int(functions.heif_image_handle_get_height(handle))
        storedWidth = max(width, Int(functions.heif_image_handle_get_ispe_width(handle)))
        storedHeight = max(height, Int(functions.heif_image_handle_get_ispe_height(handle)))
        depth = Int(functions.heif_image_handle_get_luma_bits_per_pixel(handle))
        let count = functions.heif_image_handle_get_raw_color_profile_size(handle)
        var bytes = [UInt8](repeating: 0, count: count)
        let hasProfile =
            count > 0 && functions.heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok
        profile = hasProfile ? bytes : nil
        var coded: UnsafeMutablePointer<heif_color_profile_nclx>?
        if functions.heif_image_handle_get_nclx_color_profile(handle, &coded).code == heif_error_Ok, let coded {
            color = CodedColor(
                primaries: Int(coded.pointee.color_primaries.rawValue),
                transfer: Int(coded.pointee.transfer_characteristics.rawValue))
            functions.heif_nclx_color_profile_free(coded)
        } else {
            color = nil
        }
    }
}

internal import CHEIF
internal import Glibc

/// libheif, opened when the first HEIF file is read: its codecs would slow the start of every command.
struct HEIFLibrary {
    let functions: cheif_functions

    private static let opened: Result<HEIFLibrary, PictureError> = open("libheif.so.1")

    static func shared() throws(PictureError) -> HEIFLibrary { try opened.get() }

    /// - Parameter name: as for `dlopen`.
    static func open(_ name: String) -> Result<HEIFLibrary, PictureError> {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(.unsupported("HEIC and AVIF need \(name), which the package libheif1 brings"))
        }
        var functions = cheif_functions()
        if let missing = cheif_find_functions(handle, &functions) {
            dlclose(handle)
            return .failure(.unsupported("\(name) lacks \(String(cString: missing)): libheif 1.15 or later is needed"))
        }
        // Without the plugin libheif decodes HEVC itself, and detects less damage.
        if let plugin = cheif_hevc_plugin(&functions) { _ = functions.heif_register_decoder_plugin(plugin) }
        return .success(HEIFLibrary(functions: functions))
    }

    func check(_ error: heif_error) throws(PictureError) {
        if error.code == heif_error_Ok { return }
        let text = error.message.map { String(cString: $0) } ?? ""
        switch error.code {
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype: throw .unsupported("libheif: \(text)")
        case heif_error_Memory_allocation_error: throw .unsupported("libheif: \(text)")
        case heif_error_Decoder_plugin_error: throw .damaged(text.isEmpty ? "the coded picture" : text)
        default: throw .unsupported("cannot be read: libheif: \(text)")
        }
    }
}

/// A HEIF file, whose bytes must outlive this object, and a picture of it (`heif_context`, `heif_image_handle`).
final class HEIFContext {
    let library: HEIFLibrary
    let handle: OpaquePointer
    private let context: OpaquePointer
    private let reader: HEIFFileReader?

    convenience init(_ bytes: ByteView, _ library: HEIFLibrary) throws(PictureError) {
        try self.init(library, reader: nil) { context in
            library.functions.heif_context_read_from_memory_without_copy(context, bytes.start, bytes.count, nil)
        }
    }

    /// The first thumbnail of the main picture in its place.
    convenience init(thumbnailOf reader: HEIFFileReader, _ library: HEIFLibrary) throws(PictureError) {
        try self.init(library, reader: reader) { context in
            library.functions.heif_context_read_from_reader(context, reader.functions, reader.userData, nil)
        }
    }

    private init(
        _ library: HEIFLibrary, reader: HEIFFileReader?, open: (OpaquePointer) -> heif_error
    ) throws(PictureError) {
        let functions = library.functions
        guard let context = functions.heif_context_alloc() else { throw .needsMemory(0, limit: 0) }
        var handle: OpaquePointer?
        do throws(PictureError) {
            try library.check(open(context))
            try library.check(functions.heif_context_get_primary_image_handle(context, &handle))
            if reader != nil, let main = handle {
                defer { functions.heif_image_handle_release(main) }
                handle = nil
                var identifier: heif_item_id = 0
                guard functions.heif_image_handle_get_list_of_thumbnail_IDs(main, &identifier, 1) == 1 else {
                    throw .unsupported("no thumbnail")
                }
                try library.check(functions.heif_image_handle_get_thumbnail(main, identifier, &handle))
            }
        } catch {
            functions.heif_context_free(context)
            throw error
        }
        guard let handle else {
            functions.heif_context_free(context)
            throw .unsupported("cannot be read: no main picture")
        }
        self.library = library
        self.context = context
        self.reader = reader
        self.handle = handle
        // A grid may state a larger size than that of the picture that it makes.
        let edge = max(
            functions.heif_image_handle_get_ispe_width(handle), functions.heif_image_handle_get_ispe_height(handle))
        functions.heif_context_set_maximum_image_size_limit(context, max(1, min(edge, 1 << 20)) + 1)
    }

    deinit {
        library.functions.heif_image_handle_release(handle)
        library.functions.heif_context_free(context)
    }
}

/// What libheif says about the main picture before it decodes it.
struct HEIFHeader {
    /// After turning and cropping.
    let width: Int
    let height: Int
    let storedWidth: Int
    let storedHeight: Int
    /// Bits of a luma sample.
    let depth: Int
    let profile: [UInt8]?
    /// `nclx`. The colour description in the coded stream is not available here.
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

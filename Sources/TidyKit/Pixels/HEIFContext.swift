internal import CHEIF

/// A HEIF file in memory, which must stay valid as long, and its main picture (`heif_context`, `heif_image_handle`).
final class HEIFContext {
    let library: HEIFLibrary
    let handle: OpaquePointer
    private let context: OpaquePointer

    init(_ bytes: ByteView, _ library: HEIFLibrary) throws(PictureError) {
        let functions = library.functions
        guard let context = functions.heif_context_alloc() else { throw .needsMemory(0, limit: 0) }
        var handle: OpaquePointer?
        do throws(PictureError) {
            try library.check(
                functions.heif_context_read_from_memory_without_copy(context, bytes.start, bytes.count, nil))
            try library.check(functions.heif_context_get_primary_image_handle(context, &handle))
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
        self.handle = handle
        // A grid may claim to be larger than the picture that it makes.
        let edge = max(
            functions.heif_image_handle_get_ispe_width(handle), functions.heif_image_handle_get_ispe_height(handle))
        functions.heif_context_set_maximum_image_size_limit(context, max(1, min(edge, 1 << 20)) + 1)
    }

    deinit {
        library.functions.heif_image_handle_release(handle)
        library.functions.heif_context_free(context)
    }
}

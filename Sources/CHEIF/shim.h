#include <dlfcn.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

// libheif brings the codecs of two video formats along: linked, it would add some milliseconds to the start of every
// command. So only its headers are used here; the library is opened when the first HEIF file comes. The functions that
// are needed stand in a table whose types come from the headers, so that the compiler checks every call.

#define CHEIF_FUNCTIONS(each) \
    each(heif_context_alloc) \
    each(heif_context_free) \
    each(heif_context_read_from_memory_without_copy) \
    each(heif_context_get_primary_image_handle) \
    each(heif_context_set_maximum_image_size_limit) \
    each(heif_image_handle_release) \
    each(heif_image_handle_get_width) \
    each(heif_image_handle_get_height) \
    each(heif_image_handle_get_ispe_width) \
    each(heif_image_handle_get_ispe_height) \
    each(heif_image_handle_get_luma_bits_per_pixel) \
    each(heif_image_handle_is_premultiplied_alpha) \
    each(heif_image_handle_get_raw_color_profile_size) \
    each(heif_image_handle_get_raw_color_profile) \
    each(heif_image_handle_get_nclx_color_profile) \
    each(heif_nclx_color_profile_free) \
    each(heif_decoding_options_alloc) \
    each(heif_decoding_options_free) \
    each(heif_decode_image) \
    each(heif_register_decoder_plugin) \
    each(heif_image_get_nclx_color_profile) \
    each(heif_image_release) \
    each(heif_image_get_width) \
    each(heif_image_get_height) \
    each(heif_image_get_bits_per_pixel_range) \
    each(heif_image_has_channel) \
    each(heif_image_get_plane_readonly)

#define CHEIF_FIELD(name) __typeof__(name) *name;
struct cheif_functions {
    CHEIF_FUNCTIONS(CHEIF_FIELD)
};
#undef CHEIF_FIELD

/// Fills the table from a library that dlopen has opened. Returns the name of a function that it lacks, or NULL.
static inline const char *cheif_find_functions(void *library, struct cheif_functions *functions) {
#define CHEIF_FIND(name) \
    if (!(functions->name = (__typeof__(name) *)dlsym(library, #name))) return #name;
    CHEIF_FUNCTIONS(CHEIF_FIND)
#undef CHEIF_FIND
    return NULL;
}

#include "CHEVC.h"

#include <dlfcn.h>
#include <libde265/de265.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DE265_FUNCTIONS(each) \
    each(de265_init) each(de265_free) each(de265_new_decoder) each(de265_free_decoder) \
    each(de265_set_parameter_bool) each(de265_push_NAL) each(de265_flush_data) each(de265_decode) \
    each(de265_get_warning) each(de265_get_error_text) each(de265_get_next_picture) \
    each(de265_get_image_width) each(de265_get_image_height) each(de265_get_chroma_format) \
    each(de265_get_bits_per_pixel) each(de265_get_image_plane) each(de265_get_image_full_range_flag) \
    each(de265_get_image_colour_primaries) each(de265_get_image_transfer_characteristics) \
    each(de265_get_image_matrix_coefficients)

#define HEIF_FUNCTIONS(each) \
    each(heif_image_create) each(heif_image_add_plane) each(heif_image_get_plane) each(heif_image_release) \
    each(heif_image_set_nclx_color_profile) each(heif_nclx_color_profile_alloc) each(heif_nclx_color_profile_free) \
    each(heif_nclx_color_profile_set_color_primaries) each(heif_nclx_color_profile_set_transfer_characteristics) \
    each(heif_nclx_color_profile_set_matrix_coefficients)

#define FIELD(name) __typeof__(name) *name;
/// Neither library is linked; the types come from their headers.
static struct {
    DE265_FUNCTIONS(FIELD)
    HEIF_FUNCTIONS(FIELD)
} use;

static const struct heif_error success = {heif_error_Ok, heif_suberror_Unspecified, "Success"};

static struct heif_error fault(enum heif_error_code code, enum heif_suberror_code subcode, const char *message) {
    const struct heif_error error = {code, subcode, message};
    return error;
}

static const char *plugin_name(void) { return "libde265 with its warnings"; }
static void init_plugin(void) { use.de265_init(); }
static void deinit_plugin(void) { use.de265_free(); }

/// Above that of any decoder that libheif brings.
static int supports(enum heif_compression_format format) { return format == heif_compression_HEVC ? 1000 : 0; }

static struct heif_error new_decoder(void **result) {
    de265_decoder_context *context = use.de265_new_decoder();
    if (!context) return fault(heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory");
    // The few files that carry a checksum of their pixels are checked against it.
    use.de265_set_parameter_bool(context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, 1);
    *result = context;
    return success;
}

static void free_decoder(void *context) { use.de265_free_decoder(context); }

static void set_strict(void *context, int flag) {
    (void)context;
    (void)flag;
}

/// NAL units, each behind its length in 4 bytes.
static struct heif_error push_data(void *context, const void *data, size_t size) {
    const uint8_t *next = data;
    while (size > 0) {
        const size_t length = size < 4 ? SIZE_MAX
                                       : (size_t)next[0] << 24 | (size_t)next[1] << 16 | (size_t)next[2] << 8 | next[3];
        if (length > INT32_MAX || length > size - 4)
            return fault(heif_error_Decoder_plugin_error, heif_suberror_End_of_data, "the HEVC data end early");
        use.de265_push_NAL(context, next + 4, (int)length, 0, NULL);
        next += 4 + length;
        size -= 4 + length;
    }
    return success;
}

/// What is said of threads and of messages beside the picture, and tells nothing of the picture.
static bool is_harmless(de265_error warning) {
    return warning == DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING ||
           warning == DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM ||
           warning == DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI;
}

/// The coded stream's own idea of its colours, as far as libheif knows the numbers.
static void set_colors(struct heif_image *image, const struct de265_image *picture) {
    struct heif_color_profile_nclx *colors = use.heif_nclx_color_profile_alloc();
    if (!colors) return;
    use.heif_nclx_color_profile_set_color_primaries(colors, (uint16_t)use.de265_get_image_colour_primaries(picture));
    use.heif_nclx_color_profile_set_transfer_characteristics(
        colors, (uint16_t)use.de265_get_image_transfer_characteristics(picture));
    use.heif_nclx_color_profile_set_matrix_coefficients(
        colors, (uint16_t)use.de265_get_image_matrix_coefficients(picture));
    colors->full_range_flag = use.de265_get_image_full_range_flag(picture) != 0;
    use.heif_image_set_nclx_color_profile(image, colors);
    use.heif_nclx_color_profile_free(colors);
}

static struct heif_error copy(const struct de265_image *picture, struct heif_image **result) {
    static const enum heif_channel channels[3] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    const enum de265_chroma chroma = use.de265_get_chroma_format(picture);
    const bool is_gray = chroma == de265_chroma_mono;
    const int depth = use.de265_get_bits_per_pixel(picture, 0);
    struct heif_image *image = NULL;
    struct heif_error error = use.heif_image_create(
        use.de265_get_image_width(picture, 0), use.de265_get_image_height(picture, 0),
        is_gray ? heif_colorspace_monochrome : heif_colorspace_YCbCr, (enum heif_chroma)chroma, &image);
    for (int i = 0; error.code == heif_error_Ok && i < (is_gray ? 1 : 3); i++) {
        const int width = use.de265_get_image_width(picture, i), height = use.de265_get_image_height(picture, i);
        int from = 0, to = 0;
        const uint8_t *source = use.de265_get_image_plane(picture, i, &from);
        if (width <= 0 || height <= 0 || !source) {
            error = fault(heif_error_Decoder_plugin_error, heif_suberror_Invalid_image_size, "a plane without samples");
            break;
        }
        if (use.de265_get_bits_per_pixel(picture, i) != depth) {
            error = fault(
                heif_error_Unsupported_feature, heif_suberror_Unsupported_color_conversion,
                "planes with unlike numbers of bits");
            break;
        }
        error = use.heif_image_add_plane(image, channels[i], width, height, depth);
        if (error.code != heif_error_Ok) break;
        uint8_t *target = use.heif_image_get_plane(image, channels[i], &to);
        const size_t count = (size_t)width * (size_t)((depth + 7) / 8);
        for (int y = 0; y < height; y++) memcpy(target + (ptrdiff_t)y * to, source + (ptrdiff_t)y * from, count);
    }
    if (error.code != heif_error_Ok) {
        if (image) use.heif_image_release(image);
        return error;
    }
    set_colors(image, picture);
    *result = image;
    return success;
}

static struct heif_error decode_image(void *context, struct heif_image **result) {
    *result = NULL;
    use.de265_flush_data(context);
    const struct de265_image *picture = NULL;
    de265_error failure = DE265_OK;
    for (int more = 1; more && !picture;) {
        more = 0;
        failure = use.de265_decode(context, &more);
        if (failure != DE265_OK) break;
        picture = use.de265_get_next_picture(context);
    }
    for (de265_error next; (next = use.de265_get_warning(context)) != DE265_OK;)
        if (failure == DE265_OK && !is_harmless(next)) failure = next;
    if (failure != DE265_OK)
        return fault(heif_error_Decoder_plugin_error, heif_suberror_Unspecified, use.de265_get_error_text(failure));
    if (!picture) return fault(heif_error_Decoder_plugin_error, heif_suberror_End_of_data, "no picture came");
    return copy(picture, result);
}

static const struct heif_decoder_plugin plugin = {
    .plugin_api_version = 3,
    .get_plugin_name = plugin_name,
    .init_plugin = init_plugin,
    .deinit_plugin = deinit_plugin,
    .does_support_format = supports,
    .new_decoder = new_decoder,
    .free_decoder = free_decoder,
    .push_data = push_data,
    .decode_image = decode_image,
    .set_strict_decoding = set_strict,
    .id_name = "libde265-stern",
};

const struct heif_decoder_plugin *chevc_plugin(void *heif) {
    void *de265 = dlopen("libde265.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!de265) return NULL;
#define FIND(name) \
    if (!(use.name = (__typeof__(name) *)dlsym(library, #name))) return NULL;
    void *library = de265;
    DE265_FUNCTIONS(FIND)
    library = heif;
    HEIF_FUNCTIONS(FIND)
    return &plugin;
}

// A decoder plugin for libheif: HEVC by libde265, with its warnings as errors.

#include "CHEIF.h"

#include <libde265/de265.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define DE265_FUNCTIONS(each) \
    each(de265_init) each(de265_free) each(de265_new_decoder) each(de265_free_decoder) \
    each(de265_set_parameter_bool) each(de265_push_NAL) each(de265_flush_data) each(de265_decode) \
    each(de265_get_warning) each(de265_get_error_text) each(de265_get_next_picture) \
    each(de265_get_image_width) each(de265_get_image_height) each(de265_get_chroma_format) \
    each(de265_get_bits_per_pixel) each(de265_get_image_plane) each(de265_get_image_full_range_flag) \
    each(de265_get_image_colour_primaries) each(de265_get_image_transfer_characteristics) \
    each(de265_get_image_matrix_coefficients)
// clang-format on

DYNAMIC_LIBRARY(de265, DE265_FUNCTIONS)

/// libheif's plugin interface has no context for a plugin as a whole.
static struct de265_functions de265;
static struct cheif_functions heif;

static const struct heif_error success = {heif_error_Ok, heif_suberror_Unspecified, "Success"};

static struct heif_error make_error(enum heif_error_code code, enum heif_suberror_code subcode, const char *message) {
    const struct heif_error error = {code, subcode, message};
    return error;
}

static const char *plugin_name(void) { return "libde265 with its warnings"; }
static void init_plugin(void) { de265.de265_init(); }
static void deinit_plugin(void) { de265.de265_free(); }

/// The priority: above that of any decoder in libheif.
static int supports(enum heif_compression_format format) { return format == heif_compression_HEVC ? 1000 : 0; }

static struct heif_error new_decoder(void **result) {
    de265_decoder_context *context = de265.de265_new_decoder();
    if (!context) return make_error(heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory");
    // Checks the few files that have a checksum of their pixels.
    de265.de265_set_parameter_bool(context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, 1);
    *result = context;
    return success;
}

static void free_decoder(void *context) { de265.de265_free_decoder(context); }

/// Always strict: see CHEIF.h.
static void set_strict(void *context, int flag) {
    (void)context;
    (void)flag;
}

/// Receives NAL units, each preceded by its length in 4 bytes.
static struct heif_error push_data(void *context, const void *data, size_t size) {
    const uint8_t *next = data;
    while (size > 0) {
        const size_t length =
            size < 4 ? SIZE_MAX : (size_t)next[0] << 24 | (size_t)next[1] << 16 | (size_t)next[2] << 8 | next[3];
        if (length > INT32_MAX || length > size - 4)
            return make_error(heif_error_Decoder_plugin_error, heif_suberror_End_of_data, "the HEVC data end early");
        const de265_error failure = de265.de265_push_NAL(context, next + 4, (int)length, 0, NULL);
        if (failure != DE265_OK)
            return make_error(
                heif_error_Decoder_plugin_error, heif_suberror_Unspecified, de265.de265_get_error_text(failure));
        next += 4 + length;
        size -= 4 + length;
    }
    return success;
}

/// Warnings about threads and SEI messages, which do not affect the picture.
static bool is_harmless(de265_error warning) {
    return warning == DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING ||
        warning == DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM ||
        warning == DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI;
}

/// Passes on the colour description of the coded stream.
static void set_colors(struct heif_image *image, const struct de265_image *picture) {
    struct heif_color_profile_nclx *colors = heif.heif_nclx_color_profile_alloc();
    if (!colors) return;
    heif.heif_nclx_color_profile_set_color_primaries(colors, (uint16_t)de265.de265_get_image_colour_primaries(picture));
    heif.heif_nclx_color_profile_set_transfer_characteristics(
        colors, (uint16_t)de265.de265_get_image_transfer_characteristics(picture));
    heif.heif_nclx_color_profile_set_matrix_coefficients(
        colors, (uint16_t)de265.de265_get_image_matrix_coefficients(picture));
    colors->full_range_flag = de265.de265_get_image_full_range_flag(picture) != 0;
    heif.heif_image_set_nclx_color_profile(image, colors);
    heif.heif_nclx_color_profile_free(colors);
}

/// Copies plane `index` of a decoded picture into a new channel of `image`.
static struct heif_error copy_plane(const struct de265_image *picture, int index, struct heif_image *image) {
    static const enum heif_channel channels[3] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    const int width = de265.de265_get_image_width(picture, index);
    const int height = de265.de265_get_image_height(picture, index);
    const int depth = de265.de265_get_bits_per_pixel(picture, 0);
    int from = 0, to = 0;
    const uint8_t *source = de265.de265_get_image_plane(picture, index, &from);
    if (width <= 0 || height <= 0 || !source)
        return make_error(heif_error_Decoder_plugin_error, heif_suberror_Invalid_image_size, "a plane without samples");
    if (de265.de265_get_bits_per_pixel(picture, index) != depth)
        return make_error(
            heif_error_Unsupported_feature, heif_suberror_Unsupported_color_conversion,
            "planes with different bit depths");
    const struct heif_error error = heif.heif_image_add_plane(image, channels[index], width, height, depth);
    if (error.code != heif_error_Ok) return error;
    uint8_t *target = heif.heif_image_get_plane(image, channels[index], &to);
    if (!target) return make_error(heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory");
    const size_t count = (size_t)width * (size_t)((depth + 7) / 8);
    for (int y = 0; y < height; y++) memcpy(target + (ptrdiff_t)y * to, source + (ptrdiff_t)y * from, count);
    return success;
}

static struct heif_error copy_picture(const struct de265_image *picture, struct heif_image **result) {
    const enum de265_chroma chroma = de265.de265_get_chroma_format(picture);
    const bool is_gray = chroma == de265_chroma_mono;
    struct heif_image *image = NULL;
    struct heif_error error = heif.heif_image_create(
        de265.de265_get_image_width(picture, 0), de265.de265_get_image_height(picture, 0),
        is_gray ? heif_colorspace_monochrome : heif_colorspace_YCbCr, (enum heif_chroma)chroma, &image);
    for (int i = 0; error.code == heif_error_Ok && i < (is_gray ? 1 : 3); i++) error = copy_plane(picture, i, image);
    if (error.code != heif_error_Ok) {
        if (image) heif.heif_image_release(image);
        return error;
    }
    set_colors(image, picture);
    *result = image;
    return success;
}

static struct heif_error decode_image(void *context, struct heif_image **result) {
    *result = NULL;
    de265.de265_flush_data(context);
    const struct de265_image *picture = NULL;
    de265_error failure = DE265_OK;
    for (int more = 1; more && !picture;) {
        more = 0;
        failure = de265.de265_decode(context, &more);
        if (failure != DE265_OK) break;
        picture = de265.de265_get_next_picture(context);
    }
    for (de265_error next; (next = de265.de265_get_warning(context)) != DE265_OK;)
        if (failure == DE265_OK && !is_harmless(next)) failure = next;
    if (failure != DE265_OK)
        return make_error(
            heif_error_Decoder_plugin_error, heif_suberror_Unspecified, de265.de265_get_error_text(failure));
    if (!picture) return make_error(heif_error_Decoder_plugin_error, heif_suberror_End_of_data, "the decoder returned no picture");
    return copy_picture(picture, result);
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
    .id_name = "libde265-strict",
};

const struct heif_decoder_plugin *cheif_hevc_plugin(const struct cheif_functions *functions) {
    if (de265_load("libde265.so.0", &de265)) return NULL;
    heif = *functions;
    return &plugin;
}

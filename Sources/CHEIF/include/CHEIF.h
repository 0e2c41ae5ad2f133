// libheif, opened when the first HEIF file is read. Linked, its video codecs would add milliseconds to the start of
// every command. The types of its functions come from its headers, so the compiler checks every call.

#ifndef CHEIF_H
#define CHEIF_H

#include "dynamic_library.h"

#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

// clang-format off
#define CHEIF_FUNCTIONS(each) \
    each(heif_context_alloc) \
    each(heif_context_free) \
    each(heif_context_read_from_memory_without_copy) \
    each(heif_context_read_from_reader) \
    each(heif_context_get_primary_image_handle) \
    each(heif_context_set_maximum_image_size_limit) \
    each(heif_image_handle_get_list_of_thumbnail_IDs) \
    each(heif_image_handle_get_thumbnail) \
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
    each(heif_decoding_options_alloc) \
    each(heif_decoding_options_free) \
    each(heif_decode_image) \
    each(heif_register_decoder_plugin) \
    each(heif_image_create) \
    each(heif_image_release) \
    each(heif_image_add_plane) \
    each(heif_image_get_plane) \
    each(heif_image_get_plane_readonly) \
    each(heif_image_get_width) \
    each(heif_image_get_height) \
    each(heif_image_get_bits_per_pixel_range) \
    each(heif_image_has_channel) \
    each(heif_image_get_nclx_color_profile) \
    each(heif_image_set_nclx_color_profile) \
    each(heif_nclx_color_profile_alloc) \
    each(heif_nclx_color_profile_free) \
    each(heif_nclx_color_profile_set_color_primaries) \
    each(heif_nclx_color_profile_set_transfer_characteristics) \
    each(heif_nclx_color_profile_set_matrix_coefficients)
// clang-format on

DYNAMIC_LIBRARY(cheif, CHEIF_FUNCTIONS)

/// An HEVC decoder for libheif, based on libde265. libheif's own decoder drops the warnings of libde265 about data that
/// end early or make no sense, and a picture that ends in gray or noise would be accepted as sound; this one reports
/// them as errors. It does so regardless of `heif_decoding_options.strict_decoding`, which libheif 1.15 does not always
/// pass on. To decode what is left of a damaged file, request the decoder with the ID "libde265".
///
/// Returns the plugin to register, which stays valid, or NULL if libde265 cannot be opened or lacks a function. Call it
/// once.
const struct heif_decoder_plugin *cheif_hevc_plugin(const struct cheif_functions *heif);

#endif

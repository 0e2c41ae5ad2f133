// libjpeg's destination and parameters.

#include "stream.h"
#include "scans.h"

static boolean overflow(j_compress_ptr info) {
    cjpeg_session_leave((j_common_ptr)info, CJPEG_TOO_LONG, "longer than the buffer");
}

/// The library checks for space only after it has written a byte.
static void init_destination(j_compress_ptr info) {
    if (info->dest->free_in_buffer == 0) overflow(info);
}

static void term_destination(j_compress_ptr info) { (void)info; }

// clang-format off
#define SCAN(name, component, ss, se, ah, al) {1, {component, 0, 0, 0}, ss, se, ah, al},
static const jpeg_scan_info color_scans[] = {
    {3, {0, 1, 2, 0}, 0, 0, 0, 0},
    CJPEG_LUMA_SCANS(SCAN) CJPEG_CHROMA_SCANS(SCAN) CJPEG_REFINEMENT_SCANS(SCAN)
};
static const jpeg_scan_info gray_scans[] = {
    {1, {0, 0, 0, 0}, 0, 0, 0, 0},
    CJPEG_LUMA_SCANS(SCAN) CJPEG_REFINEMENT_SCANS(SCAN)
};
#undef SCAN
// clang-format on

void cjpeg_stream_open(cjpeg_stream *stream, const cjpeg_buffer *output) {
    jpeg_create_compress(&stream->info);
    stream->destination.init_destination = init_destination;
    stream->destination.empty_output_buffer = overflow;
    stream->destination.term_destination = term_destination;
    stream->destination.next_output_byte = output->bytes;
    stream->destination.free_in_buffer = output->capacity;
    stream->capacity = output->capacity;
    stream->info.dest = &stream->destination;
}

void cjpeg_stream_set_scans(cjpeg_stream *stream) {
    struct jpeg_compress_struct *info = &stream->info;
    switch (info->jpeg_color_space) {
    case JCS_GRAYSCALE:
        info->scan_info = gray_scans;
        info->num_scans = (int)(sizeof gray_scans / sizeof *gray_scans);
        break;
    case JCS_YCbCr:
        info->scan_info = color_scans;
        info->num_scans = (int)(sizeof color_scans / sizeof *color_scans);
        break;
    default: jpeg_simple_progression(info);
    }
}

void cjpeg_stream_begin(cjpeg_stream *stream, const cjpeg_picture *picture, const cjpeg_buffer *output) {
    cjpeg_stream_open(stream, output);
    struct jpeg_compress_struct *info = &stream->info;
    info->image_width = (JDIMENSION)picture->width;
    info->image_height = (JDIMENSION)picture->height;
    info->input_components = picture->components;
    info->in_color_space = picture->components == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg_set_defaults(info);
    for (int table = 0; table < (picture->components == 1 ? 1 : 2); table++) {
        unsigned int values[64];
        for (int i = 0; i < 64; i++) values[i] = picture->table[table].values[i];
        jpeg_add_quant_table(info, table, values, 100, TRUE);
    }
    info->comp_info[0].h_samp_factor = picture->h;
    info->comp_info[0].v_samp_factor = picture->v;
    for (int i = 1; i < picture->components; i++) {
        info->comp_info[i].h_samp_factor = 1;
        info->comp_info[i].v_samp_factor = 1;
    }
    info->write_JFIF_header = FALSE;
    info->write_Adobe_marker = FALSE;
    info->optimize_coding = TRUE;
    if (picture->progressive) cjpeg_stream_set_scans(stream);
}

size_t cjpeg_stream_length(const cjpeg_stream *stream) { return stream->capacity - stream->destination.free_in_buffer; }

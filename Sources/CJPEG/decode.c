// libjpeg's decompressor over memory: scaled decodes to planes or rows, with bounded work for hostile files.

#include "decoder.h"
#include "kernels.h"

#include <jerror.h>
#include <stdlib.h>
#include <string.h>

/// Progressive files of cameras and encoders have 4 to 20 scans; the bound is that of libjpeg-turbo's own fuzzers.
enum { MAXIMUM_SCANS = 500 };
/// A scan takes time for each block even if it codes nothing for it, so the product is bounded too.
static const double MAXIMUM_BLOCK_VISITS = 4e8;

/// libjpeg's progress monitor: fails a file with too many scans.
static void limit_scans(j_common_ptr common) {
    j_decompress_ptr info = (j_decompress_ptr)common;
    cjpeg_decoder *decoder = (cjpeg_decoder *)info->client_data;
    if (info->input_scan_number > MAXIMUM_SCANS || info->input_scan_number * decoder->blocks > MAXIMUM_BLOCK_VISITS)
        cjpeg_session_leave(common, CJPEG_TOO_MANY_SCANS, "too many scans");
}

/// Of libjpeg-turbo's two Huffman decoders only the slow one warns of invalid codes; the fast one continues with zeros.
/// The slow one is used while less than 512 bytes are buffered. That costs 3 % of the time of a decode at 1/2.
enum { BUFFER_BYTES = 256 };

static void init_or_term_source(j_decompress_ptr info) { (void)info; }

static boolean fill_input_buffer(j_decompress_ptr info) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    cjpeg_decoder *decoder = (cjpeg_decoder *)info->client_data;
    const size_t count = decoder->rest_count < BUFFER_BYTES ? decoder->rest_count : BUFFER_BYTES;
    info->src->next_input_byte = decoder->rest;
    info->src->bytes_in_buffer = count;
    if (count == 0) {
        WARNMS(info, JWRN_JPEG_EOF);
        info->src->next_input_byte = end;
        info->src->bytes_in_buffer = sizeof end;
    }
    decoder->rest += count;
    decoder->rest_count -= count;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)info->client_data;
    if (count <= 0) return;
    size_t left = (size_t)count;
    if (left <= info->src->bytes_in_buffer) {
        info->src->next_input_byte += left;
        info->src->bytes_in_buffer -= left;
        return;
    }
    left -= info->src->bytes_in_buffer;
    const size_t passed = left < decoder->rest_count ? left : decoder->rest_count;
    decoder->rest += passed;
    decoder->rest_count -= passed;
    fill_input_buffer(info);
}

static void set_source(cjpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    decoder->rest = bytes;
    decoder->rest_count = count;
    decoder->source.init_source = init_or_term_source;
    decoder->source.fill_input_buffer = fill_input_buffer;
    decoder->source.skip_input_data = skip_input_data;
    decoder->source.resync_to_restart = jpeg_resync_to_restart;
    decoder->source.term_source = init_or_term_source;
    decoder->info.src = &decoder->source;
}

cjpeg_decoder *cjpeg_decoder_create(const uint8_t *bytes, size_t count, size_t memory, cjpeg_error *error) {
    cjpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        error->code = CJPEG_NO_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory");
        return NULL;
    }
    decoder->info.err = cjpeg_session_begin(&decoder->session);
    if (setjmp(decoder->session.escape)) {
        cjpeg_session_report(&decoder->session, error);
        cjpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->info);
    if (memory > 0) decoder->info.mem->max_memory_to_use = (long)memory;
    decoder->progress.progress_monitor = limit_scans;
    decoder->info.progress = &decoder->progress;
    decoder->info.client_data = decoder;
    set_source(decoder, bytes, count);
    jpeg_read_header(&decoder->info, TRUE);
    for (int i = 0; i < decoder->info.num_components; i++) {
        const jpeg_component_info *component = &decoder->info.comp_info[i];
        decoder->blocks += (double)component->width_in_blocks * component->height_in_blocks;
    }
    return decoder;
}

void cjpeg_decoder_destroy(cjpeg_decoder *decoder) {
    if (!decoder) return;
    jpeg_destroy_decompress(&decoder->info);
    free(decoder);
}

/// The CJPEG_* constant of a colour space.
static int color_of(J_COLOR_SPACE space) {
    switch (space) {
    case JCS_GRAYSCALE: return CJPEG_GRAY;
    case JCS_YCbCr: return CJPEG_YCC;
    case JCS_RGB: return CJPEG_RGB;
    case JCS_CMYK: return CJPEG_CMYK;
    case JCS_YCCK: return CJPEG_YCCK;
    default: return CJPEG_OTHER;
    }
}

void cjpeg_decoder_get_header(const cjpeg_decoder *decoder, cjpeg_header *header) {
    const struct jpeg_decompress_struct *info = &decoder->info;
    memset(header, 0, sizeof *header);
    header->width = (int)info->image_width;
    header->height = (int)info->image_height;
    header->components = info->num_components;
    header->color = color_of(info->jpeg_color_space);
    header->progressive = info->progressive_mode;
    header->arithmetic = info->arith_code;
    header->adobe = info->saw_Adobe_marker;
    header->jfif = info->saw_JFIF_marker;
    header->density_unit = info->density_unit;
    header->x_density = info->X_density;
    header->y_density = info->Y_density;
    for (int i = 0; i < info->num_components && i < 4; i++) {
        header->h[i] = info->comp_info[i].h_samp_factor;
        header->v[i] = info->comp_info[i].v_samp_factor;
    }
    if (info->num_components > 0) {
        const int number = info->comp_info[0].quant_tbl_no;
        const JQUANT_TBL *table = number >= 0 && number < NUM_QUANT_TBLS ? info->quant_tbl_ptrs[number] : NULL;
        for (int i = 0; table && i < 64; i++) header->table[i] = table->quantval[i];
    }
    for (int i = 0; i < NUM_QUANT_TBLS; i++) {
        const JQUANT_TBL *table = info->quant_tbl_ptrs[i];
        for (int k = 0; table && k < 64; k++) header->wide_tables |= table->quantval[k] > 255;
    }
}

int cjpeg_decoder_start(cjpeg_decoder *decoder, int denominator, int form, cjpeg_output *output, cjpeg_error *error) {
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->session.escape)) return cjpeg_session_report(&decoder->session, error);
    // The arrays below, and the caller's, hold no more.
    if (info->num_components > 4) cjpeg_session_leave((j_common_ptr)info, CJPEG_REFUSED, "more than four components");
    info->scale_num = 1;
    info->scale_denom = (unsigned)denominator;
    info->do_block_smoothing = FALSE;
    info->raw_data_out = form == CJPEG_AS_PLANES;
    if (form == CJPEG_AS_PLANES) info->out_color_space = info->jpeg_color_space;
    if (form == CJPEG_AS_RGB) info->out_color_space = JCS_RGB;
    if (form == CJPEG_AS_CMYK) info->out_color_space = JCS_CMYK;
    jpeg_start_decompress(info);
    memset(&decoder->output, 0, sizeof decoder->output);
    decoder->output.width = (int)info->output_width;
    decoder->output.height = (int)info->output_height;
    for (int i = 0; i < info->num_components && i < 4; i++) {
        const jpeg_component_info *component = &info->comp_info[i];
        decoder->output.plane_width[i] = (int)component->downsampled_width;
        decoder->output.plane_height[i] = (int)component->downsampled_height;
        decoder->output.buffer_width[i] = (int)component->width_in_blocks * component->DCT_scaled_size;
        decoder->output.buffer_height[i] = (int)component->height_in_blocks * component->DCT_scaled_size;
        const double scale = component->DCT_scaled_size / (double)DCTSIZE;
        decoder->output.covered_width[i] =
            info->image_width * scale * component->h_samp_factor / info->max_h_samp_factor;
        decoder->output.covered_height[i] =
            info->image_height * scale * component->v_samp_factor / info->max_v_samp_factor;
        decoder->output.is_reduced[i] = component->DCT_scaled_size < DCTSIZE;
        decoder->output.can_be_halved[i] = i > 0 &&
            component->downsampled_width == info->comp_info[0].downsampled_width &&
            component->downsampled_height == info->comp_info[0].downsampled_height &&
            component->v_samp_factor * component->DCT_scaled_size % 2 == 0;
    }
    *output = decoder->output;
    return CJPEG_OK;
}

/// The rows of one component in a row of MCUs, at most 4 blocks of 8, before they are halved. `rows` is NULL for a
/// component that is decoded straight into its plane.
typedef struct {
    uint8_t *rows;
    size_t stride;
} mcu_row;

/// The rows that component `index` has in a row of MCUs.
static int mcu_row_height(const cjpeg_decoder *decoder, int index) {
    const jpeg_component_info *component = &decoder->info.comp_info[index];
    return component->v_samp_factor * component->DCT_scaled_size;
}

/// Halves the rows of component `index` in the row of MCUs `mcu` into its plane.
static void halve_mcu_row(
    const cjpeg_decoder *decoder, int index, int mcu, const mcu_row *source, const cjpeg_planes *planes) {
    const int width = decoder->output.plane_width[index], height = decoder->output.plane_height[index];
    const int count = mcu_row_height(decoder, index), y = mcu * count;
    for (int row = 0; row < count && y + row < height; row += 2) {
        const uint8_t *above = source->rows + (size_t)row * source->stride;
        const uint8_t *below = y + row + 1 < height ? above + source->stride : above;
        cjpeg_halve_rows(above, below, width, planes->data[index] + (y + row) / 2 * planes->stride[index]);
    }
}

/// Points `rows` at the memory that the library is to fill with component `index` of the row of MCUs `mcu`.
static void set_target_rows(
    const cjpeg_decoder *decoder, int index, int mcu, const cjpeg_planes *planes, JSAMPROW *rows) {
    const int count = mcu_row_height(decoder, index), last = decoder->output.buffer_height[index] - 1;
    for (int row = 0; row < count; row++) {
        // The library does not write rows of blocks past the last one.
        const int y = mcu * count + row;
        rows[row] = planes->data[index] + (y < last ? y : last) * planes->stride[index];
    }
}

/// Not inlined: after a longjmp, locals of the function that called setjmp are indeterminate if they have changed.
/// Those of the caller, which frees `halved`, must not be among them.
static __attribute__((noinline)) int read_planes(
    cjpeg_decoder *decoder, const cjpeg_planes *planes, mcu_row halved[4], cjpeg_error *error) {
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->session.escape)) return cjpeg_session_report(&decoder->session, error);
    // An MCU row is at most 4 blocks of 8 rows high.
    JSAMPROW rows[4][4 * DCTSIZE];
    JSAMPARRAY image[4] = {rows[0], rows[1], rows[2], rows[3]};
    const int mcu_rows = info->max_v_samp_factor * info->min_DCT_scaled_size;
    for (int i = 0; i < info->num_components; i++)
        for (int row = 0; halved[i].rows && row < mcu_row_height(decoder, i); row++)
            rows[i][row] = halved[i].rows + (size_t)row * halved[i].stride;
    for (int mcu = 0; info->output_scanline < info->output_height; mcu++) {
        for (int i = 0; i < info->num_components; i++)
            if (!halved[i].rows) set_target_rows(decoder, i, mcu, planes, rows[i]);
        jpeg_read_raw_data(info, image, (JDIMENSION)mcu_rows);
        for (int i = 0; i < info->num_components; i++)
            if (halved[i].rows) halve_mcu_row(decoder, i, mcu, &halved[i], planes);
    }
    return CJPEG_OK;
}

int cjpeg_decoder_read_planes(
    cjpeg_decoder *decoder, const cjpeg_planes *planes, bool halves_chroma, cjpeg_error *error) {
    mcu_row halved[4] = {{0}};
    bool has_memory = true;
    for (int i = 1; halves_chroma && i < decoder->info.num_components; i++) {
        if (!decoder->output.can_be_halved[i]) continue;
        halved[i].stride = (size_t)decoder->output.buffer_width[i];
        halved[i].rows = malloc(halved[i].stride * 4 * DCTSIZE);
        has_memory = has_memory && halved[i].rows;
    }
    int code = CJPEG_NO_MEMORY;
    if (has_memory) {
        code = read_planes(decoder, planes, halved, error);
    } else {
        error->code = code;
        snprintf(error->message, sizeof error->message, "out of memory");
    }
    for (int i = 1; i < 4; i++) free(halved[i].rows);
    return code;
}

int cjpeg_decoder_read_rows(cjpeg_decoder *decoder, uint8_t *rows, ptrdiff_t stride, int count, cjpeg_error *error) {
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->session.escape)) return cjpeg_session_report(&decoder->session, error);
    for (int i = 0; i < count; i++) {
        JSAMPROW row = rows + i * stride;
        jpeg_read_scanlines(info, &row, 1);
    }
    return CJPEG_OK;
}

int cjpeg_decoder_finish(cjpeg_decoder *decoder, cjpeg_error *error) {
    if (setjmp(decoder->session.escape)) return cjpeg_session_report(&decoder->session, error);
    jpeg_finish_decompress(&decoder->info);
    return CJPEG_OK;
}

/// Extraneous bytes after a scan that was not the last one are damage, not leftovers.
static bool has_bytes_between_scans(const cjpeg_decoder *decoder) {
    return decoder->session.leftover_scan > 0 && decoder->session.leftover_scan != decoder->info.input_scan_number;
}

long cjpeg_decoder_warning_count(const cjpeg_decoder *decoder) {
    return decoder->session.manager.num_warnings + has_bytes_between_scans(decoder);
}

const char *cjpeg_decoder_warning(const cjpeg_decoder *decoder) {
    if (decoder->session.manager.num_warnings == 0 && has_bytes_between_scans(decoder))
        return "extraneous bytes after a scan";
    return decoder->session.warning;
}

cjpeg_leftovers cjpeg_decoder_leftovers(const cjpeg_decoder *decoder) { return decoder->session.leftovers; }

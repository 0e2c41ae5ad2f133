// Turns a JPEG picture without loss, by moving its blocks and the coefficients in them.

#include "blocks.h"
#include "decoder.h"
#include "kernels.h"
#include "stream.h"

#include <string.h>

/// For each coefficient of a turned block in zigzag order, its natural position in the stored block, and whether its
/// sign changes: mirroring negates the odd frequencies.
typedef struct {
    uint8_t from[64];
    bool negates[64];
} permutation;

static void permutation_set(permutation *permutation, cjpeg_turn turn) {
    for (int k = 0; k < 64; k++) {
        const int row = cjpeg_zigzag[k] / 8, column = cjpeg_zigzag[k] % 8;
        const int stored_row = turn.swaps_axes ? column : row, stored_column = turn.swaps_axes ? row : column;
        permutation->from[k] = (uint8_t)(8 * stored_row + stored_column);
        permutation->negates[k] =
            ((turn.reverses_columns && stored_column % 2) ^ (turn.reverses_rows && stored_row % 2)) != 0;
    }
}

/// Writes a turned block in zigzag order. Returns its nonzero positions; the others are not written.
static uint64_t turn_block(const permutation *permutation, const JCOEF *stored, int16_t block[64]) {
    uint64_t nonzero = 0;
    for (int k = 0; k < 64; k++) {
        const JCOEF value = stored[permutation->from[k]];
        if (!value) continue;
        block[k] = permutation->negates[k] ? (int16_t)-value : value;
        nonzero |= (uint64_t)1 << k;
    }
    return nonzero;
}

/// Fills `blocks`, which have the size of the turned component. Returns false if memory runs out.
static bool turn_component(
    cjpeg_decoder *decoder, jvirt_barray_ptr stored, cjpeg_turn turn, int index, cjpeg_blocks *blocks) {
    struct jpeg_decompress_struct *info = &decoder->info;
    const int right = (int)info->comp_info[index].width_in_blocks - 1;
    const int bottom = (int)info->comp_info[index].height_in_blocks - 1;
    permutation permutation;
    permutation_set(&permutation, turn);
    for (int y = 0; y < blocks->height; y++) {
        for (int x = 0; x < blocks->width; x++) {
            int column = turn.swaps_axes ? y : x, row = turn.swaps_axes ? x : y;
            if (turn.reverses_columns) column = right - column;
            if (turn.reverses_rows) row = bottom - row;
            JBLOCKARRAY rows = info->mem->access_virt_barray((j_common_ptr)info, stored, (JDIMENSION)row, 1, FALSE);
            int16_t block[64];
            const uint64_t nonzero = turn_block(&permutation, rows[0][column], block);
            if (!cjpeg_blocks_append(blocks, x, y, block, nonzero)) return false;
        }
    }
    return true;
}

/// Returns NULL and fills `error` if the library fails or warns: a turned copy must not contain guessed coefficients.
static __attribute__((noinline)) jvirt_barray_ptr *read_coefficients(cjpeg_decoder *decoder, cjpeg_error *error) {
    if (setjmp(decoder->session.escape)) {
        cjpeg_session_report(&decoder->session, error);
        return NULL;
    }
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&decoder->info);
    if (cjpeg_decoder_warning_count(decoder) > 0)
        cjpeg_session_leave((j_common_ptr)&decoder->info, CJPEG_REFUSED, cjpeg_decoder_warning(decoder));
    return arrays;
}

/// Creates `blocks` for each component; the caller destroys them, also after a failure.
static __attribute__((noinline)) int turn_components(
    cjpeg_decoder *decoder, jvirt_barray_ptr *arrays, cjpeg_turn turn, cjpeg_blocks blocks[MAX_COMPONENTS],
    cjpeg_error *error) {
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->session.escape)) return cjpeg_session_report(&decoder->session, error);
    for (int i = 0; i < info->num_components; i++) {
        const jpeg_component_info *component = &info->comp_info[i];
        const int width = (int)component->width_in_blocks, height = (int)component->height_in_blocks;
        const bool has_memory =
            cjpeg_blocks_create(&blocks[i], turn.swaps_axes ? height : width, turn.swaps_axes ? width : height) &&
            turn_component(decoder, arrays[i], turn, i, &blocks[i]);
        if (!has_memory) cjpeg_session_leave((j_common_ptr)info, CJPEG_NO_MEMORY, "out of memory");
    }
    return CJPEG_OK;
}

/// Exchanges rows and columns in the size, the sampling factors and the quantisation tables.
static void transpose_parameters(struct jpeg_compress_struct *info) {
    const JDIMENSION width = info->image_width;
    info->image_width = info->image_height;
    info->image_height = width;
    for (int i = 0; i < info->num_components; i++) {
        jpeg_component_info *component = &info->comp_info[i];
        const int h = component->h_samp_factor;
        component->h_samp_factor = component->v_samp_factor;
        component->v_samp_factor = h;
    }
    for (int i = 0; i < NUM_QUANT_TBLS; i++) {
        if (!info->quant_tbl_ptrs[i]) continue;
        UINT16 *values = info->quant_tbl_ptrs[i]->quantval;
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < row; column++) {
                const UINT16 value = values[8 * row + column];
                values[8 * row + column] = values[8 * column + row];
                values[8 * column + row] = value;
            }
        }
    }
}

/// What a stream is written from.
typedef struct {
    cjpeg_decoder *decoder;
    cjpeg_turn turn;
    bool progressive;
    cjpeg_blocks blocks[MAX_COMPONENTS];
} turned_picture;

static __attribute__((noinline)) int write_blocks(
    cjpeg_stream *stream, const turned_picture *picture, const cjpeg_buffer *output, cjpeg_error *error) {
    struct jpeg_compress_struct *info = &stream->info;
    if (setjmp(stream->session.escape)) return cjpeg_session_report(&stream->session, error);
    cjpeg_stream_open(stream, output);
    jpeg_copy_critical_parameters(&picture->decoder->info, info);
    if (picture->turn.swaps_axes) transpose_parameters(info);
    info->write_JFIF_header = FALSE;
    info->write_Adobe_marker = FALSE;
    info->optimize_coding = TRUE;
    if (picture->progressive) cjpeg_stream_set_scans(stream);
    cjpeg_blocks_serve(info);
    cjpeg_block_array served[MAX_COMPONENTS];
    jvirt_barray_ptr arrays[MAX_COMPONENTS];
    for (int i = 0; i < info->num_components; i++) {
        served[i] = (cjpeg_block_array){.bands = &picture->blocks[i], .band_count = 1};
        arrays[i] = (jvirt_barray_ptr)&served[i];
    }
    jpeg_write_coefficients(info, arrays);
    jpeg_finish_compress(info);
    return CJPEG_OK;
}

int cjpeg_decoder_write_turned(
    cjpeg_decoder *decoder, cjpeg_turn turn, bool progressive, cjpeg_buffer *output, cjpeg_error *error) {
    jvirt_barray_ptr *arrays = read_coefficients(decoder, error);
    if (!arrays) return error->code;
    turned_picture picture = {.decoder = decoder, .turn = turn, .progressive = progressive};
    int code = turn_components(decoder, arrays, turn, picture.blocks, error);
    if (code == CJPEG_OK) {
        cjpeg_stream stream = {0};
        stream.info.err = cjpeg_session_begin(&stream.session);
        code = write_blocks(&stream, &picture, output, error);
        output->count = cjpeg_stream_length(&stream);
        if (stream.info.mem) jpeg_destroy_compress(&stream.info);
    }
    for (int i = 0; i < MAX_COMPONENTS; i++) cjpeg_blocks_destroy(&picture.blocks[i]);
    return code;
}

// Storage of quantised blocks.

#include "blocks.h"
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { ESCAPE = INT8_MIN, MAXIMUM_VALUE_BYTES = 3 };
/// The positions of `low_values`.
static const uint64_t LOW = (UINT64_C(1) << CJPEG_LOW_COUNT) - 1;

bool cjpeg_blocks_create(cjpeg_blocks *blocks, int width, int height) {
    memset(blocks, 0, sizeof *blocks);
    blocks->width = width;
    blocks->height = height;
    blocks->nonzero = malloc((size_t)width * (size_t)height * sizeof *blocks->nonzero);
    blocks->low_values = malloc((size_t)width * (size_t)height * sizeof *blocks->low_values);
    blocks->starts = malloc((size_t)height * sizeof *blocks->starts);
    // An ordinary photograph has eight values a block.
    blocks->capacity = 8 * (size_t)width * (size_t)height + 64 * MAXIMUM_VALUE_BYTES;
    blocks->values = malloc(blocks->capacity);
    return blocks->nonzero && blocks->low_values && blocks->starts && blocks->values;
}

void cjpeg_blocks_destroy(cjpeg_blocks *blocks) {
    free(blocks->nonzero);
    free(blocks->low_values);
    free(blocks->starts);
    free(blocks->values);
}

void cjpeg_blocks_clear(cjpeg_blocks *blocks) { blocks->count = 0; }

bool cjpeg_blocks_append(cjpeg_blocks *blocks, int x, int y, const int16_t block[64], uint64_t nonzero) {
    if (x == 0) blocks->starts[y] = blocks->count;
    const size_t index = (size_t)y * (size_t)blocks->width + (size_t)x;
    blocks->nonzero[index] = nonzero & ~LOW;
    for (int k = 0; k < CJPEG_LOW_COUNT; k++) blocks->low_values[index][k] = nonzero >> k & 1 ? block[k] : 0;
    if (blocks->capacity - blocks->count < 64 * MAXIMUM_VALUE_BYTES) {
        const size_t capacity = blocks->capacity + blocks->capacity / 2 + 64 * MAXIMUM_VALUE_BYTES;
        int8_t *values = realloc(blocks->values, capacity);
        if (!values) return false;
        blocks->values = values;
        blocks->capacity = capacity;
    }
    int8_t *next = blocks->values + blocks->count;
    for (uint64_t rest = nonzero & ~LOW; rest; rest &= rest - 1) {
        const int16_t value = block[__builtin_ctzll(rest)];
        if (value > ESCAPE && value <= INT8_MAX) {
            *next++ = (int8_t)value;
            continue;
        }
        *next++ = ESCAPE;
        memcpy(next, &value, sizeof value);
        next += sizeof value;
    }
    blocks->count = (size_t)(next - blocks->values);
    return true;
}

/// Fills position `k`, one of the first, in a row of blocks.
static void expand_low(const cjpeg_blocks *blocks, int y, int k, JBLOCKROW row) {
    const size_t start = (size_t)y * (size_t)blocks->width;
    for (int x = 0; x < blocks->width; x++) row[x][cjpeg_zigzag[k]] = blocks->low_values[start + (size_t)x][k];
}

/// Fills the other positions in a row of blocks.
static void expand_high(const cjpeg_blocks *blocks, int y, JBLOCKROW row) {
    const uint64_t *nonzero = blocks->nonzero + (size_t)y * (size_t)blocks->width;
    const int8_t *next = blocks->values + blocks->starts[y];
    memset(row, 0, (size_t)blocks->width * sizeof *row);
    for (int x = 0; x < blocks->width; x++) {
        for (uint64_t rest = nonzero[x]; rest; rest &= rest - 1) {
            int16_t value = *next++;
            if (value == ESCAPE) {
                memcpy(&value, next, sizeof value);
                next += sizeof value;
            }
            row[x][cjpeg_zigzag[__builtin_ctzll(rest)]] = value;
        }
    }
}

/// libjpeg's access_virt_barray. A scan reads only the positions of its band, so only those are filled.
static JBLOCKARRAY access_rows(
    j_common_ptr info, jvirt_barray_ptr array, JDIMENSION start, JDIMENSION count, boolean writable) {
    (void)writable;
    const struct jpeg_compress_struct *compressor = (const struct jpeg_compress_struct *)info;
    cjpeg_block_array *component = (cjpeg_block_array *)array;
    const size_t width = (size_t)component->bands->width;
    if (count > component->row_count) {
        component->rows = info->mem->alloc_barray(info, JPOOL_IMAGE, (JDIMENSION)width, count);
        component->row_count = count;
        for (JDIMENSION i = 0; i < count; i++) memset(component->rows[i], 0, width * sizeof(JBLOCK));
    }
    const int height = component->bands->height, last_band = component->band_count - 1;
    const int first = compressor->Ss, last = compressor->Se;
    for (int i = 0; i < (int)count; i++) {
        const int row = (int)start + i;
        const int band = row / height < last_band ? row / height : last_band;
        const cjpeg_blocks *blocks = &component->bands[band];
        const int y = row - band * height;
        if (y >= blocks->height) {
            memset(component->rows[i], 0, width * sizeof(JBLOCK));
            continue;
        }
        if (last >= CJPEG_LOW_COUNT) expand_high(blocks, y, component->rows[i]);
        for (int k = first; k <= last && k < CJPEG_LOW_COUNT; k++) expand_low(blocks, y, k, component->rows[i]);
    }
    return component->rows;
}

void cjpeg_blocks_serve(struct jpeg_compress_struct *info) { info->mem->access_virt_barray = access_rows; }

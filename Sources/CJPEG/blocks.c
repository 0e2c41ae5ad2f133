#include "blocks.h"
#include "dct.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = INT8_MIN, LONGEST = 3 };

bool cjpeg_blocks_create(cjpeg_blocks *blocks, int width, int height, int rows) {
    memset(blocks, 0, sizeof *blocks);
    blocks->width = width;
    blocks->height = height;
    blocks->nonzero = malloc((size_t)width * (size_t)height * sizeof *blocks->nonzero);
    blocks->starts = malloc((size_t)height * sizeof *blocks->starts);
    bool isComplete = blocks->nonzero && blocks->starts;
    for (int row = 0; row < rows; row++) {
        blocks->rows[row] = malloc((size_t)width * sizeof(JBLOCK));
        isComplete = isComplete && blocks->rows[row];
    }
    return isComplete;
}

void cjpeg_blocks_destroy(cjpeg_blocks *blocks) {
    for (int row = 0; row < MAX_SAMP_FACTOR; row++) free(blocks->rows[row]);
    free(blocks->nonzero);
    free(blocks->starts);
    free(blocks->values);
}

bool cjpeg_blocks_append(cjpeg_blocks *blocks, int x, int y, const int16_t block[64], uint64_t nonzero) {
    if (x == 0) blocks->starts[y] = blocks->count;
    blocks->nonzero[(size_t)y * (size_t)blocks->width + (size_t)x] = nonzero;
    if (blocks->capacity - blocks->count < 64 * LONGEST) {
        const size_t capacity = blocks->capacity + blocks->capacity / 2 + 65536;
        int8_t *values = realloc(blocks->values, capacity);
        if (!values) return false;
        blocks->values = values;
        blocks->capacity = capacity;
    }
    int8_t *next = blocks->values + blocks->count;
    for (; nonzero; nonzero &= nonzero - 1) {
        const int16_t value = block[__builtin_ctzll(nonzero)];
        if (value > WIDE && value <= INT8_MAX) {
            *next++ = (int8_t)value;
            continue;
        }
        *next++ = WIDE;
        memcpy(next, &value, sizeof value);
        next += sizeof value;
    }
    blocks->count = (size_t)(next - blocks->values);
    return true;
}

static void expand(const cjpeg_blocks *blocks, int y, JBLOCKROW row) {
    memset(row, 0, (size_t)blocks->width * sizeof *row);
    if (y >= blocks->height) return;
    const uint64_t *nonzero = blocks->nonzero + (size_t)y * (size_t)blocks->width;
    const int8_t *next = blocks->values + blocks->starts[y];
    for (int x = 0; x < blocks->width; x++) {
        for (uint64_t rest = nonzero[x]; rest; rest &= rest - 1) {
            int16_t value = *next++;
            if (value == WIDE) {
                memcpy(&value, next, sizeof value);
                next += sizeof value;
            }
            row[x][cjpeg_zigzag[__builtin_ctzll(rest)]] = value;
        }
    }
}

static JBLOCKARRAY rows_of(j_common_ptr info, jvirt_barray_ptr array, JDIMENSION start, JDIMENSION count, boolean writable) {
    (void)info;
    (void)writable;
    cjpeg_blocks *blocks = (cjpeg_blocks *)array;
    for (JDIMENSION row = 0; row < count; row++) expand(blocks, (int)(start + row), blocks->rows[row]);
    return blocks->rows;
}

void cjpeg_blocks_serve(struct jpeg_compress_struct *info) { info->mem->access_virt_barray = rows_of; }

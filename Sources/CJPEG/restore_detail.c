// Sharpens planes that were decoded at a reduced size.

#include "CJPEG.h"
#include "simd.h"

/// Rows are filtered in strips of this many samples, so that the unfiltered samples fit on the stack.
enum { COLUMNS = 1024, LANES = sizeof(cjpeg_u8x16) };

CJPEG_INLINE void load(const uint8_t *from, cjpeg_i16x16 *to) {
    cjpeg_u8x16 values;
    memcpy(&values, from, sizeof values);
    *to = __builtin_convertvector(values, cjpeg_i16x16);
}

/// Filters `LANES` samples: adds one sixteenth of the difference to each neighbour. All lanes of `target` are written.
CJPEG_INLINE void restore(const uint8_t *before, const uint8_t *sample, const uint8_t *after, uint8_t *target) {
    cjpeg_i16x16 left, middle, right;
    load(before, &left);
    load(sample, &middle);
    load(after, &right);
    cjpeg_i16x16 value = (18 * middle - left - right + 8) >> 4;
    value = __builtin_elementwise_min(__builtin_elementwise_max(value, (cjpeg_i16x16){0}), (cjpeg_i16x16){0} + 255);
    const cjpeg_u8x16 restored = __builtin_convertvector(value, cjpeg_u8x16);
    memcpy(target, &restored, sizeof restored);
}

CJPEG_INLINE void restore_row(uint8_t *row, int width) {
    uint8_t source[COLUMNS + 2 + LANES] = {0}, target[COLUMNS + LANES];
    uint8_t before = row[0];
    for (int x = 0; x < width; x += COLUMNS) {
        const int count = width - x < COLUMNS ? width - x : COLUMNS;
        source[0] = before;
        memcpy(source + 1, row + x, (size_t)count);
        source[count + 1] = row[x + count < width ? x + count : width - 1];
        before = source[count];
        for (int i = 0; i < count; i += LANES) restore(source + i, source + i + 1, source + i + 2, target + i);
        memcpy(row + x, target, (size_t)count);
    }
}

/// Filters `LANES` columns of one row. `above` holds the unfiltered row above, and this one afterwards.
CJPEG_INLINE void restore_lanes(uint8_t *above, uint8_t *row, const uint8_t *below) {
    uint8_t sample[LANES];
    memcpy(sample, row, LANES);
    restore(above, sample, below, row);
    memcpy(above, sample, LANES);
}

/// Filters `count` columns, at most `COLUMNS`.
CJPEG_INLINE void restore_columns(uint8_t *plane, ptrdiff_t stride, int count, int height) {
    const int whole = count / LANES * LANES;
    const size_t rest = (size_t)(count - whole);
    uint8_t above[COLUMNS];
    uint8_t last[3][LANES] = {{0}}; // columns that do not fill a vector: above, the row, below
    memcpy(above, plane, (size_t)whole);
    memcpy(last[0], plane + whole, rest);
    for (int y = 0; y < height; y++) {
        uint8_t *row = plane + y * stride;
        const uint8_t *below = y + 1 < height ? row + stride : row;
        for (int i = 0; i < whole; i += LANES) restore_lanes(above + i, row + i, below + i);
        if (rest == 0) continue;
        memcpy(last[1], row + whole, rest);
        memcpy(last[2], below + whole, rest);
        restore_lanes(last[0], last[1], last[2]);
        memcpy(row + whole, last[1], rest);
    }
}

CJPEG_INLINE void restore_all(uint8_t *plane, ptrdiff_t stride, int width, int height) {
    for (int y = 0; y < height; y++) restore_row(plane + y * stride, width);
    for (int x = 0; x < width; x += COLUMNS) {
        restore_columns(plane + x, stride, width - x < COLUMNS ? width - x : COLUMNS, height);
    }
}

CJPEG_KERNEL(
    void, cjpeg_restore_detail, restore_all, (uint8_t *plane, ptrdiff_t stride, int width, int height),
    (plane, stride, width, height))

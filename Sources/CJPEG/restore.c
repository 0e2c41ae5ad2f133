#include "CJPEG.h"
#include "wide.h"

/// Rows are filtered in pieces of this many samples, so that what the filter has replaced is kept without allocating.
enum { COLUMNS = 1024 };

typedef uint8_t samples __attribute__((vector_size(16)));
typedef int16_t numbers __attribute__((vector_size(32)));

enum { LANES = sizeof(samples) };

CJPEG_BODY void load(const uint8_t *from, numbers *to) {
    samples values;
    memcpy(&values, from, sizeof values);
    *to = __builtin_convertvector(values, numbers);
}

/// What samples lose to their neighbours comes back: one sixteenth of the difference to each. `LANES` at a time; all
/// of `target` may be written.
CJPEG_BODY void restore(const uint8_t *before, const uint8_t *sample, const uint8_t *after, uint8_t *target) {
    numbers left, middle, right;
    load(before, &left);
    load(sample, &middle);
    load(after, &right);
    numbers value = (18 * middle - left - right + 8) >> 4;
    value = __builtin_elementwise_min(__builtin_elementwise_max(value, (numbers){0}), (numbers){0} + 255);
    const samples restored = __builtin_convertvector(value, samples);
    memcpy(target, &restored, sizeof restored);
}

CJPEG_BODY void restore_row(uint8_t *row, int width) {
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

/// `LANES` columns of one row; `above` holds the row before as it was, and this one afterwards.
CJPEG_BODY void restore_lanes(uint8_t *above, uint8_t *row, const uint8_t *below) {
    uint8_t sample[LANES];
    memcpy(sample, row, LANES);
    restore(above, sample, below, row);
    memcpy(above, sample, LANES);
}

CJPEG_BODY void restore_columns(uint8_t *plane, ptrdiff_t stride, int count, int height) {
    const int whole = count / LANES * LANES;
    const size_t rest = (size_t)(count - whole);
    uint8_t above[COLUMNS];
    uint8_t last[3][LANES] = {{0}}; // the columns that fill no vector: above, the row, below
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

CJPEG_BODY void restore_all(uint8_t *plane, ptrdiff_t stride, int width, int height) {
    for (int y = 0; y < height; y++) restore_row(plane + y * stride, width);
    for (int x = 0; x < width; x += COLUMNS) {
        restore_columns(plane + x, stride, width - x < COLUMNS ? width - x : COLUMNS, height);
    }
}

CJPEG_KERNEL(
    void, cjpeg_restore_detail, restore_all,
    (uint8_t *plane, ptrdiff_t stride, int width, int height),
    (plane, stride, width, height))

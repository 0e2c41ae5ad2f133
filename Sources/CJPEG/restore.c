#include "CJPEG.h"

#include <string.h>

/// Rows are filtered in pieces of this many samples, so that what the filter has replaced is kept without allocating.
enum { PIECE = 1024 };

/// What a sample loses to its neighbours comes back: one sixteenth of the difference to each.
static inline uint8_t restored(int before, int sample, int after) {
    const int value = (18 * sample - before - after + 8) >> 4;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void restore_row(uint8_t *row, int width) {
    uint8_t source[PIECE + 2];
    uint8_t before = row[0];
    for (int x = 0; x < width; x += PIECE) {
        const int count = width - x < PIECE ? width - x : PIECE;
        source[0] = before;
        memcpy(source + 1, row + x, (size_t)count);
        source[count + 1] = row[x + count < width ? x + count : width - 1];
        before = source[count];
        for (int i = 0; i < count; i++) row[x + i] = restored(source[i], source[i + 1], source[i + 2]);
    }
}

static void restore_columns(uint8_t *plane, ptrdiff_t stride, int count, int height) {
    uint8_t above[PIECE];
    memcpy(above, plane, (size_t)count);
    for (int y = 0; y < height; y++) {
        uint8_t *row = plane + y * stride;
        const uint8_t *below = y + 1 < height ? row + stride : row;
        for (int i = 0; i < count; i++) {
            const uint8_t sample = row[i];
            row[i] = restored(above[i], sample, below[i]);
            above[i] = sample;
        }
    }
}

void cjpeg_restore_detail(uint8_t *plane, ptrdiff_t stride, int width, int height) {
    for (int y = 0; y < height; y++) restore_row(plane + y * stride, width);
    for (int x = 0; x < width; x += PIECE) {
        restore_columns(plane + x, stride, width - x < PIECE ? width - x : PIECE, height);
    }
}

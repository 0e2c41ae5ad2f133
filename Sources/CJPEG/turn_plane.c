// Turns planes: transposes and mirrors samples.

#include "CJPEG.h"
#include "simd.h"

/// Rows of a tile, and columns: two tiles of 16 x 16 are transposed at once, one in each half of a vector.
enum { TILE = 16, COLUMNS = 2 * TILE };

/// Transposes two tiles whose rows are `step` bytes apart: column i becomes the row at `target` + i * `target_step`.
CJPEG_INLINE void transpose_tiles(const uint8_t *source, ptrdiff_t step, uint8_t *target, ptrdiff_t target_step) {
    cjpeg_u8x32 rows[TILE], mixed[TILE];
    for (int i = 0; i < TILE; i++) memcpy(&rows[i], source + i * step, sizeof rows[i]);
    // Each round interleaves the rows of the upper half with those of the lower one; four rounds transpose.
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < TILE / 2; i++) {
            mixed[2 * i] = __builtin_shufflevector(
                rows[i], rows[i + TILE / 2], 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18,
                50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55);
            mixed[2 * i + 1] = __builtin_shufflevector(
                rows[i], rows[i + TILE / 2], 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25,
                57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
        }
        memcpy(rows, mixed, sizeof rows);
    }
    for (int i = 0; i < TILE; i++) {
        cjpeg_u8x16 left, right;
        memcpy(&left, &rows[i], sizeof left);
        memcpy(&right, (const uint8_t *)&rows[i] + sizeof left, sizeof right);
        memcpy(target + i * target_step, &left, sizeof left);
        memcpy(target + (i + TILE) * target_step, &right, sizeof right);
    }
}

CJPEG_INLINE int smaller(int a, int b) { return a < b ? a : b; }

/// Transposes `plane`: its columns become rows, bottom to top if `reverses` is set. Its stride may be negative.
CJPEG_INLINE void transpose(cjpeg_plane plane, bool reverses, uint8_t *target, ptrdiff_t target_stride) {
    const int width = plane.height, height = plane.width; // of the target
    const uint8_t *first = plane.samples, *last = first + (height - 1);
    if (width < TILE || height < COLUMNS) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                target[y * target_stride + x] = (reverses ? last - y : first + y)[x * plane.stride];
        return;
    }
    // If the size is not a multiple of the tile's, the last tiles overlap those before.
    for (int y = 0; y < height; y += COLUMNS) {
        const int top = smaller(y, height - COLUMNS);
        const uint8_t *source = reverses ? last - top - (COLUMNS - 1) : first + top;
        uint8_t *row = target + (reverses ? top + COLUMNS - 1 : top) * target_stride;
        for (int x = 0; x < width; x += TILE) {
            const int left = smaller(x, width - TILE);
            transpose_tiles(
                source + left * plane.stride, plane.stride, row + left, reverses ? -target_stride : target_stride);
        }
    }
}

/// Writes the samples of a row in reverse order.
CJPEG_INLINE void mirror_row(const uint8_t *row, int width, uint8_t *target) {
    int x = 0;
    for (; x + TILE <= width; x += TILE) {
        cjpeg_u8x16 samples;
        memcpy(&samples, row + width - TILE - x, sizeof samples);
        samples = __builtin_shufflevector(samples, samples, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        memcpy(target + x, &samples, sizeof samples);
    }
    for (; x < width; x++) target[x] = row[width - 1 - x];
}

CJPEG_INLINE void turn_plane(cjpeg_plane plane, cjpeg_turn turn, uint8_t *target, ptrdiff_t target_stride) {
    if (turn.reverses_rows) {
        plane.samples += (plane.height - 1) * plane.stride;
        plane.stride = -plane.stride;
    }
    if (turn.swaps_axes) {
        transpose(plane, turn.reverses_columns, target, target_stride);
        return;
    }
    for (int y = 0; y < plane.height; y++) {
        const uint8_t *row = plane.samples + y * plane.stride;
        if (turn.reverses_columns) mirror_row(row, plane.width, target + y * target_stride);
        else memcpy(target + y * target_stride, row, (size_t)plane.width);
    }
}

CJPEG_KERNEL(
    void, cjpeg_turn_plane, turn_plane, (cjpeg_plane plane, cjpeg_turn turn, uint8_t *target, ptrdiff_t target_stride),
    (plane, turn, target, target_stride))

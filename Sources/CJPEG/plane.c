#include "CJPEG.h"
#include "wide.h"

typedef uint8_t samples __attribute__((vector_size(32)));
typedef uint8_t half __attribute__((vector_size(16)));

/// Rows of a tile, and columns of the two that are turned at once, each in its half of a vector.
enum { TILE = 16, COLUMNS = 2 * TILE };

/// The two tiles of `TILE` rows, `step` bytes apart: column i becomes the row `target` + i * `target_step`.
CJPEG_BODY void swap_tiles(const uint8_t *source, ptrdiff_t step, uint8_t *target, ptrdiff_t target_step) {
    samples rows[TILE], mixed[TILE];
    for (int i = 0; i < TILE; i++) memcpy(&rows[i], source + i * step, sizeof rows[i]);
    // Each round interleaves the rows of the upper half with those of the lower one; after four all have changed places.
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
        half left, right;
        memcpy(&left, &rows[i], sizeof left);
        memcpy(&right, (const uint8_t *)&rows[i] + sizeof left, sizeof right);
        memcpy(target + i * target_step, &left, sizeof left);
        memcpy(target + (i + TILE) * target_step, &right, sizeof right);
    }
}

CJPEG_BODY int smaller(int a, int b) { return a < b ? a : b; }

/// Upright rows are stored columns. `first` is the stored row that becomes the first column, the others are `step` bytes
/// apart from it.
CJPEG_BODY void swap_axes(
    const uint8_t *first, ptrdiff_t step, bool reverses, int width, int height, uint8_t *target, ptrdiff_t stride) {
    const uint8_t *last = first + (height - 1);
    if (width < TILE || height < COLUMNS) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) target[y * stride + x] = (reverses ? last - y : first + y)[x * step];
        return;
    }
    // The last tiles overlap those before where they are not whole.
    for (int y = 0; y < height; y += COLUMNS) {
        const int top = smaller(y, height - COLUMNS);
        const uint8_t *source = reverses ? last - top - (COLUMNS - 1) : first + top;
        uint8_t *row = target + (reverses ? top + COLUMNS - 1 : top) * stride;
        for (int x = 0; x < width; x += TILE) {
            const int left = smaller(x, width - TILE);
            swap_tiles(source + left * step, step, row + left, reverses ? -stride : stride);
        }
    }
}

CJPEG_BODY void mirror(const uint8_t *row, int width, uint8_t *target) {
    int x = 0;
    for (; x + TILE <= width; x += TILE) {
        half part;
        memcpy(&part, row + width - TILE - x, sizeof part);
        part = __builtin_shufflevector(part, part, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        memcpy(target + x, &part, sizeof part);
    }
    for (; x < width; x++) target[x] = row[width - 1 - x];
}

CJPEG_BODY void turn_plane(
    const uint8_t *plane, ptrdiff_t stride, int width, int height, cjpeg_turn turn, uint8_t *target,
    ptrdiff_t target_stride) {
    const uint8_t *first = turn.reverses_rows ? plane + (height - 1) * stride : plane;
    const ptrdiff_t step = turn.reverses_rows ? -stride : stride;
    if (turn.swaps_axes) {
        swap_axes(first, step, turn.reverses_columns, height, width, target, target_stride);
        return;
    }
    for (int y = 0; y < height; y++) {
        const uint8_t *row = first + y * step;
        if (turn.reverses_columns) mirror(row, width, target + y * target_stride);
        else memcpy(target + y * target_stride, row, (size_t)width);
    }
}

CJPEG_KERNEL(
    void, cjpeg_turn_plane, turn_plane,
    (const uint8_t *plane, ptrdiff_t stride, int width, int height, cjpeg_turn turn, uint8_t *target,
     ptrdiff_t target_stride),
    (plane, stride, width, height, turn, target, target_stride))

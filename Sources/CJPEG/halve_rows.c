// Halves chroma planes as they are decoded.

#include "kernels.h"
#include "simd.h"

enum { LANES = sizeof(cjpeg_u8x16) };

/// Adds each pair of neighbours; both arrive in the two bytes of one lane.
CJPEG_INLINE void add_pairs(const uint8_t *row, cjpeg_u16x16 *sums) {
    cjpeg_u16x16 pairs;
    memcpy(&pairs, row, sizeof pairs);
    *sums = (pairs & 255) + (pairs >> 8);
}

CJPEG_INLINE void halve(const uint8_t *above, const uint8_t *below, int width, uint8_t *target) {
    int x = 0;
    for (; x + LANES <= width / 2; x += LANES) {
        cjpeg_u16x16 upper, lower;
        add_pairs(above + 2 * x, &upper);
        add_pairs(below + 2 * x, &lower);
        const cjpeg_u8x16 means = __builtin_convertvector((upper + lower + 2) >> 2, cjpeg_u8x16);
        memcpy(target + x, &means, sizeof means);
    }
    for (; x < width / 2; x++)
        target[x] = (uint8_t)((above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2) >> 2);
    if (width & 1) target[width / 2] = (uint8_t)((above[width - 1] + below[width - 1] + 1) >> 1);
}

CJPEG_KERNEL(
    void, cjpeg_halve_rows, halve, (const uint8_t *above, const uint8_t *below, int width, uint8_t *target),
    (above, below, width, target))

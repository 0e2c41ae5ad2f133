#include "kernels.h"
#include "wide.h"

typedef uint8_t means __attribute__((vector_size(16)));
typedef uint16_t numbers __attribute__((vector_size(32)));

/// The sums of neighbours, of which each sum takes the bytes of one number.
CJPEG_BODY void sums_of(const uint8_t *row, numbers *sums) {
    numbers pairs;
    memcpy(&pairs, row, sizeof pairs);
    *sums = (pairs & 255) + (pairs >> 8);
}

CJPEG_BODY void halve(const uint8_t *above, const uint8_t *below, int width, uint8_t *target) {
    int x = 0;
    for (; x + (int)sizeof(means) <= width / 2; x += (int)sizeof(means)) {
        numbers upper, lower;
        sums_of(above + 2 * x, &upper);
        sums_of(below + 2 * x, &lower);
        const means halved = __builtin_convertvector((upper + lower + 2) >> 2, means);
        memcpy(target + x, &halved, sizeof halved);
    }
    for (; x < width / 2; x++)
        target[x] = (uint8_t)((above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2) >> 2);
    if (width & 1) target[width / 2] = (uint8_t)((above[width - 1] + below[width - 1] + 1) >> 1);
}

CJPEG_KERNEL(
    void, cjpeg_halve_rows, halve,
    (const uint8_t *above, const uint8_t *below, int width, uint8_t *target),
    (above, below, width, target))

#ifndef CJPEG_STEPS_H
#define CJPEG_STEPS_H

#include "kernels.h"
#include "wide.h"

/// Eight values in steps of the table, from position `k` on.
CJPEG_BODY void cjpeg_in_steps(
    const cjpeg_quantizer *quantizer, const int16_t *coefficients, int k, cjpeg_floats *steps) {
    cjpeg_shorts values;
    cjpeg_floats inverse;
    memcpy(&values, coefficients + k, sizeof values);
    memcpy(&inverse, quantizer->inverse + k, sizeof inverse);
    *steps = __builtin_convertvector(values, cjpeg_floats) * inverse;
}

/// One bit for each lane that is true.
CJPEG_BODY uint64_t cjpeg_bits_of(cjpeg_truths truths) {
    uint8_t all;
    memcpy(&all, &truths, sizeof all);
    return all;
}

/// Bits of the magnitude of a value: its size category in T.81 F.1.2.
CJPEG_BODY int cjpeg_category(int magnitude) { return magnitude ? 32 - __builtin_clz((unsigned)magnitude) : 0; }

/// Counts positions of `present` by the zeros before them, from behind `from` on, and the size of their values, which lose
/// `low` bits (T.81 F.1.2.2); the result is how many bits stand behind these symbols.
CJPEG_BODY uint64_t cjpeg_count_values(
    uint32_t counts[256], const int16_t block[64], uint64_t present, int from, int low) {
    uint64_t extra = 0;
    for (; present; present &= present - 1) {
        const int k = __builtin_ctzll(present), value = block[k];
        int run = k - from - 1;
        for (; run > 15; run -= 16) counts[0xF0]++;
        const int size = cjpeg_category((value < 0 ? -value : value) >> low);
        counts[run << 4 | size]++;
        extra += (uint64_t)size;
        from = k;
    }
    return extra;
}

#endif

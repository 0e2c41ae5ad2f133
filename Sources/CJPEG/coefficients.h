// Inline steps that quantisers and symbol counters share.

#ifndef CJPEG_COEFFICIENTS_H
#define CJPEG_COEFFICIENTS_H

#include "kernels.h"
#include "simd.h"

/// Eight coefficients from position `k` on, in quantisation steps.
CJPEG_INLINE void cjpeg_to_steps(
    const cjpeg_quantizer *quantizer, const int16_t *coefficients, int k, cjpeg_f32x8 *steps) {
    cjpeg_i16x8 values;
    cjpeg_f32x8 inverse;
    memcpy(&values, coefficients + k, sizeof values);
    memcpy(&inverse, quantizer->inverse + k, sizeof inverse);
    *steps = __builtin_convertvector(values, cjpeg_f32x8) * inverse;
}

/// One bit for each lane that is true.
CJPEG_INLINE uint64_t cjpeg_mask_bits(cjpeg_mask8 mask) {
    uint8_t bits;
    memcpy(&bits, &mask, sizeof bits);
    return bits;
}

/// The size category (SSSS) of a magnitude: how many bits it has (T.81 F.1.2).
CJPEG_INLINE int cjpeg_size_category(int magnitude) { return magnitude ? 32 - __builtin_clz((unsigned)magnitude) : 0; }

/// Counts the run/size symbols (T.81 F.1.2.2) of the coefficients at the positions of `nonzero`, the first run starting
/// after position `from`; `al` is the point transform (T.81 G.1.2.1). Returns the bits that follow these symbols.
CJPEG_INLINE uint64_t
cjpeg_count_ac_symbols(uint32_t counts[256], const int16_t block[64], uint64_t nonzero, int from, int al) {
    uint64_t extra_bits = 0;
    for (; nonzero; nonzero &= nonzero - 1) {
        const int k = __builtin_ctzll(nonzero), value = block[k];
        int run = k - from - 1;
        for (; run > 15; run -= 16) counts[0xF0]++;
        const int size = cjpeg_size_category((value < 0 ? -value : value) >> al);
        counts[run << 4 | size]++;
        extra_bits += (uint64_t)size;
        from = k;
    }
    return extra_bits;
}

#endif

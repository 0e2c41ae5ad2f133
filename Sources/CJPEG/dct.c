// The forward DCT of a block.

#include "kernels.h"
#include "simd.h"

// clang-format off
const uint8_t cjpeg_zigzag[64] = {
     0,  1,  8, 16,  9,  2,  3, 10, 17, 24, 32, 25, 18, 11,  4,  5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13,  6,  7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};
// clang-format on

/// A DCT of eight points on eight columns at once. The even part takes two stages of butterflies; the odd part is a
/// plain matrix product, which vector units compute as fast as any factorisation.
CJPEG_INLINE void transform_columns(cjpeg_f32x8 v[8]) {
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f,
                c6 = 0.19134172f, c7 = 0.09754516f;
    const cjpeg_f32x8 s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
    const cjpeg_f32x8 d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
    const cjpeg_f32x8 e0 = s0 + s3, e1 = s1 + s2, e2 = s0 - s3, e3 = s1 - s2;
    v[0] = c4 * (e0 + e1);
    v[4] = c4 * (e0 - e1);
    v[2] = c2 * e2 + c6 * e3;
    v[6] = c6 * e2 - c2 * e3;
    v[1] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3;
    v[3] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3;
    v[5] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3;
    v[7] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3;
}

/// Exchanges rows and columns: first pairs of lanes, then fours, then halves.
CJPEG_INLINE void transpose(cjpeg_f32x8 v[8]) {
    cjpeg_f32x8 pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        fours[i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 1] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        fours[i + 2] = __builtin_shufflevector(pairs[i + 1], pairs[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 3] = __builtin_shufflevector(pairs[i + 1], pairs[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; i++) {
        v[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        v[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Whether all samples are equal, as in overexposed skies, scans and screenshots.
CJPEG_INLINE bool is_flat(const uint8_t *samples, ptrdiff_t stride) {
    const uint64_t first = samples[0] * UINT64_C(0x0101010101010101);
    uint64_t unlike = 0;
    for (int y = 0; y < 8; y++) {
        uint64_t row;
        memcpy(&row, samples + y * stride, sizeof row);
        unlike |= row ^ first;
    }
    return unlike == 0;
}

/// Writes the columns of a block in zigzag order. Each line of eight takes its values from one column after the other:
/// an index from 8 on selects from the second operand, and -1 is a lane that a later column fills.
CJPEG_INLINE void to_zigzag(const cjpeg_i16x8 c[8], int16_t *target) {
    cjpeg_i16x8 line;
    line = __builtin_shufflevector(c[0], c[1], 0, 8, 1, 2, 9, -1, -1, -1);
    line = __builtin_shufflevector(line, c[2], 0, 1, 2, 3, 4, 8, -1, 9);
    line = __builtin_shufflevector(line, c[3], 0, 1, 2, 3, 4, 5, 8, 7);
    memcpy(target, &line, sizeof line);
    line = __builtin_shufflevector(c[0], c[1], 10, 3, 4, 11, -1, -1, -1, -1);
    line = __builtin_shufflevector(line, c[2], 0, 1, 2, 3, 10, -1, -1, -1);
    line = __builtin_shufflevector(line, c[3], 0, 1, 2, 3, 4, 9, -1, -1);
    line = __builtin_shufflevector(line, c[4], 0, 1, 2, 3, 4, 5, 8, -1);
    line = __builtin_shufflevector(line, c[5], 0, 1, 2, 3, 4, 5, 6, 8);
    memcpy(target + 8, &line, sizeof line);
    line = __builtin_shufflevector(c[0], c[1], -1, -1, -1, 12, 5, 6, 13, -1);
    line = __builtin_shufflevector(line, c[2], -1, -1, 11, 3, 4, 5, 6, 12);
    line = __builtin_shufflevector(line, c[3], -1, 10, 2, 3, 4, 5, 6, 7);
    line = __builtin_shufflevector(line, c[4], 9, 1, 2, 3, 4, 5, 6, 7);
    memcpy(target + 16, &line, sizeof line);
    line = __builtin_shufflevector(c[3], c[4], 3, 10, -1, -1, -1, -1, -1, 11);
    line = __builtin_shufflevector(line, c[5], 0, 1, 9, -1, -1, -1, 10, 7);
    line = __builtin_shufflevector(line, c[6], 0, 1, 2, 8, -1, 9, 6, 7);
    line = __builtin_shufflevector(line, c[7], 0, 1, 2, 3, 8, 5, 6, 7);
    memcpy(target + 24, &line, sizeof line);
    line = __builtin_shufflevector(c[0], c[1], -1, -1, 14, 7, 15, -1, -1, -1);
    line = __builtin_shufflevector(line, c[2], -1, 13, 2, 3, 4, 14, -1, -1);
    line = __builtin_shufflevector(line, c[3], 12, 1, 2, 3, 4, 5, 13, -1);
    line = __builtin_shufflevector(line, c[4], 0, 1, 2, 3, 4, 5, 6, 12);
    memcpy(target + 32, &line, sizeof line);
    line = __builtin_shufflevector(c[3], c[4], -1, -1, -1, -1, -1, -1, 13, 6);
    line = __builtin_shufflevector(line, c[5], 11, -1, -1, -1, -1, 12, 6, 7);
    line = __builtin_shufflevector(line, c[6], 0, 10, -1, -1, 11, 5, 6, 7);
    line = __builtin_shufflevector(line, c[7], 0, 1, 9, 10, 4, 5, 6, 7);
    memcpy(target + 40, &line, sizeof line);
    line = __builtin_shufflevector(c[2], c[3], 7, 15, -1, -1, -1, -1, -1, -1);
    line = __builtin_shufflevector(line, c[4], 0, 1, 14, -1, -1, -1, -1, -1);
    line = __builtin_shufflevector(line, c[5], 0, 1, 2, 13, -1, -1, -1, -1);
    line = __builtin_shufflevector(line, c[6], 0, 1, 2, 3, 12, -1, -1, 13);
    line = __builtin_shufflevector(line, c[7], 0, 1, 2, 3, 4, 11, 12, 7);
    memcpy(target + 48, &line, sizeof line);
    line = __builtin_shufflevector(c[4], c[5], 14, 7, 15, -1, -1, -1, -1, -1);
    line = __builtin_shufflevector(line, c[6], 0, 1, 2, 14, -1, -1, 15, -1);
    line = __builtin_shufflevector(line, c[7], 0, 1, 2, 3, 13, 14, 6, 15);
    memcpy(target + 56, &line, sizeof line);
}

CJPEG_INLINE bool transform(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients) {
    if (is_flat(samples, stride)) {
        coefficients[0] = (int16_t)((samples[0] - 128) * 8 * CJPEG_DCT_SCALE);
        return false;
    }
    cjpeg_f32x8 v[8];
    for (int y = 0; y < 8; y++) {
        cjpeg_u8x8 row;
        memcpy(&row, samples + y * stride, sizeof row);
        v[y] = __builtin_convertvector(__builtin_convertvector(row, cjpeg_i32x8), cjpeg_f32x8) - 128.0f;
    }
    transform_columns(v);
    transpose(v);
    transform_columns(v);
    // `v` is still transposed, which is what to_zigzag expects.
    cjpeg_i16x8 rounded[8];
    for (int x = 0; x < 8; x++) {
        const cjpeg_f32x8 value = v[x] * CJPEG_DCT_SCALE;
        cjpeg_round(&value, &rounded[x]);
    }
    to_zigzag(rounded, coefficients);
    return true;
}

CJPEG_KERNEL(
    bool, cjpeg_forward_dct, transform, (const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients),
    (samples, stride, coefficients))

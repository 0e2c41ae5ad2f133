#include "dct.h"

#include <string.h>

const uint8_t cjpeg_zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

typedef float lanes __attribute__((vector_size(32)));

/// One dimension of the transform for eight columns at once: even part by two stages of butterflies, odd part as the
/// plain products, which vector units do as fast as any shorter chain.
static inline void pass(lanes v[8]) {
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f,
                c6 = 0.19134172f, c7 = 0.09754516f;
    const lanes s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
    const lanes d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
    const lanes e0 = s0 + s3, e1 = s1 + s2, e2 = s0 - s3, e3 = s1 - s2;
    v[0] = c4 * (e0 + e1);
    v[4] = c4 * (e0 - e1);
    v[2] = c2 * e2 + c6 * e3;
    v[6] = c6 * e2 - c2 * e3;
    v[1] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3;
    v[3] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3;
    v[5] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3;
    v[7] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3;
}

static inline void transpose(lanes v[8]) {
    float all[8][8];
    memcpy(all, v, sizeof all);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) v[i][j] = all[j][i];
}

typedef int32_t wide __attribute__((vector_size(32)));
typedef int16_t narrow __attribute__((vector_size(16)));

/// Pictures with large areas of one colour (skies that are burnt out, scans, screenshots) are made of such blocks.
static bool is_flat(const uint8_t *samples, ptrdiff_t stride) {
    const uint64_t first = samples[0] * UINT64_C(0x0101010101010101);
    uint64_t unlike = 0;
    for (int y = 0; y < 8; y++) {
        uint64_t row;
        memcpy(&row, samples + y * stride, sizeof row);
        unlike |= row ^ first;
    }
    return unlike == 0;
}

bool cjpeg_forward_dct(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients) {
    if (is_flat(samples, stride)) {
        coefficients[0] = (int16_t)((samples[0] - 128) * 8 * CJPEG_DCT_SCALE);
        return false;
    }
    lanes v[8];
    for (int y = 0; y < 8; y++) {
        const uint8_t *row = samples + y * stride;
        for (int x = 0; x < 8; x++) v[y][x] = (float)row[x] - 128.0f;
    }
    pass(v);
    transpose(v);
    pass(v);
    transpose(v);
    int16_t rounded[64];
    for (int y = 0; y < 8; y++) {
        const lanes value = v[y] * CJPEG_DCT_SCALE;
        const lanes half = (lanes)(((wide)value & INT32_MIN) | (wide)(value * 0 + 0.5f));
        const narrow row = __builtin_convertvector(__builtin_convertvector(value + half, wide), narrow);
        memcpy(rounded + 8 * y, &row, sizeof row);
    }
    for (int k = 0; k < 64; k++) coefficients[k] = rounded[cjpeg_zigzag[k]];
    return true;
}

#ifndef CJPEG_DCT_H
#define CJPEG_DCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The forward DCT of ITU-T T.81, A.3.3, of one block of 8 x 8 samples, level-shifted: 64 values in zigzag order,
/// `CJPEG_DCT_SCALE` times as large as the standard's, rounded. False where all samples are alike: then all but the
/// first value are zero, and not written.
enum { CJPEG_DCT_SCALE = 8 };
bool cjpeg_forward_dct(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients);

/// The natural position of each coefficient in zigzag order (figure A.6).
extern const uint8_t cjpeg_zigzag[64];

#endif

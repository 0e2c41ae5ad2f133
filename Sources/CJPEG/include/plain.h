#ifndef CJPEG_PLAIN_H
#define CJPEG_PLAIN_H

#include "CJPEG.h"
#include "dct.h"
#include "halve.h"
#include "quantize.h"

// The form of each inner loop that runs on every processor (see wide.h), so that it can be compared with the one that
// runs on this.

bool cjpeg_forward_dct_plain(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients);
void cjpeg_halve_rows_plain(const uint8_t *above, const uint8_t *below, int width, uint8_t *target);
uint64_t cjpeg_quantize_plain(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]);
uint64_t cjpeg_quantize_optimized_plain(
    const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]);
void cjpeg_restore_detail_plain(uint8_t *plane, ptrdiff_t stride, int width, int height);
void cjpeg_turn_plane_plain(
    const uint8_t *plane, ptrdiff_t stride, int width, int height, cjpeg_turn turn, uint8_t *target,
    ptrdiff_t target_stride);

#endif

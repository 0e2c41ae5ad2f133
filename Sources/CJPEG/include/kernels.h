// The steps between samples and Huffman symbols. Not for users of CJPEG.h: tests import them as the module
// CJPEG.Kernels.

#ifndef CJPEG_KERNELS_H
#define CJPEG_KERNELS_H

#include "CJPEG.h"

/// The forward DCT of one block of 8 x 8 samples after the level shift (T.81 A.3.3), in zigzag order, rounded, and
/// `CJPEG_DCT_SCALE` times as large as in the standard. Returns false if all samples are equal: then all AC
/// coefficients are zero, and are not written.
enum { CJPEG_DCT_SCALE = 8 };
bool cjpeg_forward_dct(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients);

/// The natural position of each coefficient in zigzag order (T.81 figure A.6).
extern const uint8_t cjpeg_zigzag[64];

/// Means over 2 x 2 samples of two rows, halves rounded up. The last sample of an odd row is used twice.
void cjpeg_halve_rows(const uint8_t *above, const uint8_t *below, int width, uint8_t *target);

/// Huffman statistics: frequencies of the AC symbols of a sequential scan, for luma or chroma, by run and size (T.81
/// F.1.2.2). 0x00 is EOB, 0xF0 a run of 16 zeros.
typedef struct {
    uint32_t ac[256];
} cjpeg_statistics;

/// The cost of each AC symbol in bits, including the bits that follow it.
typedef struct {
    float ac[256];
} cjpeg_rates;

/// A quantisation table, prepared for multiplication.
typedef struct {
    /// In zigzag order: 1 / (step * CJPEG_DCT_SCALE).
    float inverse[64];
} cjpeg_quantizer;

void cjpeg_quantizer_set(cjpeg_quantizer *quantizer, const uint16_t table[64]);

/// Quantises a DC coefficient by rounding, as the functions below do.
int16_t cjpeg_quantize_dc(const cjpeg_quantizer *quantizer, int16_t coefficient);

/// Quantises one block by rounding. `coefficients` and `block` are in zigzag order. Returns the nonzero positions: bit
/// k for position k.
uint64_t cjpeg_quantize(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]);

/// As cjpeg_quantize, but AC coefficients are lowered by one or zeroed where that saves bits worth more than the error:
/// the cheapest path through the block, found by dynamic programming.
uint64_t cjpeg_quantize_trellis(
    const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]);

/// Adds the AC symbols of a block.
void cjpeg_statistics_add(cjpeg_statistics *statistics, const int16_t block[64], uint64_t nonzero);

/// The cost of each symbol under an ideal code for `statistics`.
void cjpeg_rates_set(cjpeg_rates *rates, const cjpeg_statistics *statistics);

// The portable variant of each kernel (see simd.h), so that tests can compare it with the one for this processor.

bool cjpeg_forward_dct_portable(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients);
void cjpeg_halve_rows_portable(const uint8_t *above, const uint8_t *below, int width, uint8_t *target);
uint64_t cjpeg_quantize_portable(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]);
uint64_t cjpeg_quantize_trellis_portable(
    const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]);
void cjpeg_restore_detail_portable(uint8_t *plane, ptrdiff_t stride, int width, int height);
void cjpeg_turn_plane_portable(cjpeg_plane plane, cjpeg_turn turn, uint8_t *target, ptrdiff_t target_stride);

#endif

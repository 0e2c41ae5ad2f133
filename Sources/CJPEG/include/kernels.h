#ifndef CJPEG_KERNELS_H
#define CJPEG_KERNELS_H

#include "CJPEG.h"

// The steps between samples and symbols: what transform.c is made of. Not for the users of CJPEG.h; tests import them as the
// module CJPEG.Kernels.

/// The forward DCT of ITU-T T.81, A.3.3, of one block of 8 x 8 samples, level-shifted: 64 values in zigzag order,
/// `CJPEG_DCT_SCALE` times as large as the standard's, rounded. False where all samples are alike: then all but the
/// first value are zero, and not written.
enum { CJPEG_DCT_SCALE = 8 };
bool cjpeg_forward_dct(const uint8_t *samples, ptrdiff_t stride, int16_t *coefficients);

/// The natural position of each coefficient in zigzag order (figure A.6).
extern const uint8_t cjpeg_zigzag[64];

/// Means over 2 x 2 samples of two rows, halves up. What lies past the edge is the edge once more.
void cjpeg_halve_rows(const uint8_t *above, const uint8_t *below, int width, uint8_t *target);

/// How often each AC symbol comes in a sequential scan, for tables of one kind (luma or chroma): by run and size, as T.81
/// F.1.2.2 packs them; 0x00 ends a block, 0xF0 is a run of 16 zeros.
typedef struct {
    uint32_t ac[256];
} cjpeg_statistics;

/// What each AC symbol costs in bits, its own extra bits included.
typedef struct {
    float ac[256];
} cjpeg_rates;

/// A quantisation table made ready for use.
typedef struct {
    /// In zigzag order: 1 / (value * CJPEG_DCT_SCALE).
    float inverse[64];
} cjpeg_quantizer;

void cjpeg_quantizer_set(cjpeg_quantizer *quantizer, const uint16_t table[64]);

/// Quantises the first (DC) value of a block by rounding, as the functions below do.
int16_t cjpeg_quantize_value(const cjpeg_quantizer *quantizer, int16_t coefficient);

/// Quantises one block by rounding. `coefficients` and `block` are in zigzag order; the result has a bit set for each that is
/// not zero, bit k for position k.
uint64_t cjpeg_quantize(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]);

/// As above, but AC values are lowered or dropped where the bits that this saves are worth more than the error it
/// makes: the cheapest way through the block by dynamic programming over its non-zero values.
uint64_t cjpeg_quantize_optimized(
    const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]);

/// Counts the AC symbols of a block.
void cjpeg_count(cjpeg_statistics *statistics, const int16_t block[64], uint64_t nonzero);

/// The cost of each symbol under the best code for `statistics`.
void cjpeg_rates_set(cjpeg_rates *rates, const cjpeg_statistics *statistics);

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

#ifndef CJPEG_QUANTIZE_H
#define CJPEG_QUANTIZE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif

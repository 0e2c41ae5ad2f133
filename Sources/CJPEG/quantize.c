// Quantisation by rounding, and the costs of Huffman symbols.

#include "coefficients.h"
#include "kernels.h"

#include <math.h>

void cjpeg_quantizer_set(cjpeg_quantizer *quantizer, const uint16_t table[64]) {
    for (int k = 0; k < 64; k++) quantizer->inverse[k] = 1.0f / (table[cjpeg_zigzag[k]] * (float)CJPEG_DCT_SCALE);
}

int16_t cjpeg_quantize_dc(const cjpeg_quantizer *quantizer, int16_t coefficient) {
    const float value = coefficient * quantizer->inverse[0];
    return (int16_t)(value + (value < 0 ? -0.5f : 0.5f));
}

CJPEG_INLINE uint64_t quantize(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]) {
    uint64_t nonzero = 0;
    for (int k = 0; k < 64; k += 8) {
        cjpeg_f32x8 value;
        cjpeg_to_steps(quantizer, coefficients, k, &value);
        cjpeg_i16x8 rounded;
        cjpeg_round(&value, &rounded);
        memcpy(block + k, &rounded, sizeof rounded);
        nonzero |= cjpeg_mask_bits(__builtin_convertvector(rounded != 0, cjpeg_mask8)) << k;
    }
    return nonzero;
}

CJPEG_KERNEL(
    uint64_t, cjpeg_quantize, quantize,
    (const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]),
    (quantizer, coefficients, block))

void cjpeg_statistics_add(cjpeg_statistics *statistics, const int16_t block[64], uint64_t nonzero) {
    cjpeg_count_ac_symbols(statistics->ac, block, nonzero & ~(uint64_t)1, 0, 0);
    if (!(nonzero >> 63)) statistics->ac[0]++;
}

/// Our own, because the last bit of libm's result depends on the processor, and a quantised coefficient might too.
static double binary_logarithm(double number) {
    int exponent;
    const double mantissa = frexp(number, &exponent); // 1/2 … 1
    // ln m = 2 artanh((m - 1) / (m + 1)), a series that converges fast here.
    const double ratio = (mantissa - 1) / (mantissa + 1), square = ratio * ratio;
    double sum = 0;
    for (int power = 15; power > 0; power -= 2) sum = sum * square + 1.0 / power;
    return exponent + 2 * 1.4426950408889634 * ratio * sum;
}

void cjpeg_rates_set(cjpeg_rates *rates, const cjpeg_statistics *statistics) {
    double total = 0;
    for (int symbol = 0; symbol < 256; symbol++) total += statistics->ac[symbol];
    for (int symbol = 0; symbol < 256; symbol++) {
        // Keeps the cost of a symbol that has not occurred yet finite.
        const double share = (statistics->ac[symbol] + 0.3) / (total + 1);
        const float length = (float)-binary_logarithm(share);
        rates->ac[symbol] = (length < 1 ? 1 : length > 16 ? 16 : length) + (float)(symbol & 15);
    }
}

#include "quantize.h"
#include "dct.h"

#include <math.h>
#include <string.h>

void cjpeg_quantizer_set(cjpeg_quantizer *quantizer, const uint16_t table[64]) {
    for (int k = 0; k < 64; k++) quantizer->inverse[k] = 1.0f / (table[cjpeg_zigzag[k]] * (float)CJPEG_DCT_SCALE);
}

typedef float lanes __attribute__((vector_size(32)));
typedef int32_t wide __attribute__((vector_size(32)));
typedef int16_t narrow __attribute__((vector_size(16)));
typedef int8_t bytes __attribute__((vector_size(8)));

/// Eight values in steps of the table, from position `k` on.
static inline void in_steps(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int k, lanes *steps) {
    narrow values;
    lanes inverse;
    memcpy(&values, coefficients + k, sizeof values);
    memcpy(&inverse, quantizer->inverse + k, sizeof inverse);
    *steps = __builtin_convertvector(values, lanes) * inverse;
}

/// One bit for each lane that is true, which a vector comparison says with -1.
static inline uint64_t bits_of(bytes truths) {
    uint64_t all;
    memcpy(&all, &truths, sizeof all);
    return (all & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

int16_t cjpeg_quantize_value(const cjpeg_quantizer *quantizer, int16_t coefficient) {
    const float value = coefficient * quantizer->inverse[0];
    return (int16_t)(value + (value < 0 ? -0.5f : 0.5f));
}

uint64_t cjpeg_quantize(const cjpeg_quantizer *quantizer, const int16_t *coefficients, int16_t block[64]) {
    uint64_t nonzero = 0;
    for (int k = 0; k < 64; k += 8) {
        lanes value;
        in_steps(quantizer, coefficients, k, &value);
        const lanes half = (lanes)(((wide)value & INT32_MIN) | (wide)(value * 0 + 0.5f));
        const narrow rounded = __builtin_convertvector(__builtin_convertvector(value + half, wide), narrow);
        memcpy(block + k, &rounded, sizeof rounded);
        nonzero |= bits_of(__builtin_convertvector(rounded != 0, bytes)) << k;
    }
    return nonzero;
}

/// Bits of the magnitude of a value: its size category in T.81 F.1.2.
static inline int category(int magnitude) { return magnitude ? 32 - __builtin_clz((unsigned)magnitude) : 0; }

/// What a squared error of one quantisation step weighs, in bits. The same in all blocks: to let texture hide errors, as
/// other encoders do, gained nothing and cost points of SSIMULACRA 2 where it was strong (Docs/Compression.md).
static const float ERROR_WEIGHT = 22.0f;

uint64_t cjpeg_quantize_optimized(
    const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]) {
    float size[64];      // |coefficient| in steps
    float dropped[64];   // error of all positions up to here if they become zero
    uint8_t place[64];   // positions that may stay
    int count = 0;
    const float weight = ERROR_WEIGHT;
    uint64_t large = 0;
    for (int k = 0; k < 64; k += 8) {
        lanes steps;
        in_steps(quantizer, coefficients, k, &steps);
        steps = (lanes)((wide)steps & INT32_MAX);
        memcpy(size + k, &steps, sizeof steps);
        large |= bits_of(__builtin_convertvector(steps >= 0.5f, bytes)) << k;
    }
    for (uint64_t rest = large & ~(uint64_t)1; rest; rest &= rest - 1) place[count++] = (uint8_t)__builtin_ctzll(rest);
    dropped[0] = 0;
    for (int k = 1; k < 64; k++) dropped[k] = dropped[k - 1] + weight * size[k] * size[k];
    memset(block, 0, 64 * sizeof *block);
    block[0] = cjpeg_quantize_value(quantizer, coefficients[0]);

    float best[64];   // cheapest way to have place[i] as the last value so far, its own cost included
    int8_t before[64]; // the value before it on that way; -1 for none
    int16_t kept[64];
    for (int i = 0; i < count; i++) {
        const int k = place[i];
        const int high = (int)(size[k] + 0.5f);
        const float high_error = weight * (size[k] - high) * (size[k] - high);
        const int low = high - 1;
        const float low_error = weight * (size[k] - low) * (size[k] - low);
        const int high_category = category(high), low_category = category(low);
        best[i] = INFINITY;
        for (int j = i - 1; j >= -1; j--) {
            const int from = j < 0 ? 0 : place[j];
            const int run = k - from - 1;
            const float way = (j < 0 ? 0 : best[j]) + dropped[k - 1] - dropped[from];
            if (way >= best[i]) continue;
            const float zeros = (run >> 4) * rates->ac[0xF0];
            const int row = (run & 15) << 4;
            const float high_cost = way + zeros + rates->ac[row | high_category] + high_error;
            if (high_cost < best[i]) {
                best[i] = high_cost;
                before[i] = (int8_t)j;
                kept[i] = (int16_t)high;
            }
            if (low > 0) {
                const float low_cost = way + zeros + rates->ac[row | low_category] + low_error;
                if (low_cost < best[i]) {
                    best[i] = low_cost;
                    before[i] = (int8_t)j;
                    kept[i] = (int16_t)low;
                }
            }
        }
    }
    float cheapest = dropped[63] + rates->ac[0];
    int last = -1;
    for (int i = 0; i < count; i++) {
        const float cost = best[i] + dropped[63] - dropped[place[i]] + (place[i] < 63 ? rates->ac[0] : 0);
        if (cost < cheapest) {
            cheapest = cost;
            last = i;
        }
    }
    uint64_t nonzero = block[0] != 0;
    for (int i = last; i >= 0; i = before[i]) {
        const int k = place[i];
        block[k] = coefficients[k] < 0 ? (int16_t)-kept[i] : kept[i];
        nonzero |= (uint64_t)1 << k;
    }
    return nonzero;
}

void cjpeg_count(cjpeg_statistics *statistics, const int16_t block[64], uint64_t nonzero, int predictor) {
    const int difference = block[0] - predictor;
    const int size = category(difference < 0 ? -difference : difference);
    statistics->dc[size]++;
    statistics->extra += (uint64_t)size;
    uint64_t rest = nonzero & ~(uint64_t)1;
    int from = 0;
    while (rest) {
        const int k = __builtin_ctzll(rest);
        rest &= rest - 1;
        int run = k - from - 1;
        for (; run > 15; run -= 16) statistics->ac[0xF0]++;
        const int value = block[k];
        const int bits = category(value < 0 ? -value : value);
        statistics->ac[run << 4 | bits]++;
        statistics->extra += (uint64_t)bits;
        from = k;
    }
    if (from < 63) statistics->ac[0]++;
}

/// Our own, since the last bit of libm's answer depends on the processor, and a quantised value could with it.
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
        // A symbol that has not come yet costs what one occurrence would.
        const double share = (statistics->ac[symbol] + 0.3) / (total + 1);
        const float length = (float)-binary_logarithm(share);
        rates->ac[symbol] = (length < 1 ? 1 : length > 16 ? 16 : length) + (float)(symbol & 15);
    }
}

/// - `least`: what a symbol takes however common it is: one bit, but for those that a progressive scan joins to runs.
static double entropy(const uint32_t *counts, int length, double least) {
    double total = 0, bits = 0;
    int used = 0;
    for (int i = 0; i < length; i++) total += counts[i];
    for (int i = 0; i < length; i++)
        if (counts[i]) {
            const double symbol = -binary_logarithm(counts[i] / total);
            bits += counts[i] * (symbol < least ? least : symbol);
            used++;
        }
    // Codes have whole lengths; the table itself lists 16 counts and the symbols.
    return bits * 1.01 + 8.0 * (17 + used);
}

double cjpeg_bits(const cjpeg_statistics *statistics) {
    return entropy(statistics->dc, 12, 1) + entropy(statistics->ac, 256, 0) + (double)statistics->extra;
}

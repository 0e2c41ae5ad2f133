#include "kernels.h"
#include "steps.h"

#include <math.h>

/// What a squared error of one quantisation step weighs, in bits. The same in all blocks: to let texture hide errors, as
/// other encoders do, gained nothing and cost points of SSIMULACRA 2 where it was strong (Docs/Compression.md).
static const float ERROR_WEIGHT = 22.0f;

/// A value that may stay, and the cheapest way to have it as the last one so far. The first of all is the start.
typedef struct {
    int place;
    /// What the way costs, the value's own bits and error included.
    float cost;
    /// Error of all positions up to here if they become zero.
    float dropped;
    /// The least that `cost - dropped` is, here and before.
    float least;
    /// The value before it on the way, and whether the value itself is lowered by one.
    int before;
    bool lowers;
} step;

CJPEG_BODY uint64_t optimize(
    const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]) {
    float size[64];    // |coefficient| in steps
    float dropped[64]; // error of all positions up to here if they become zero
    step steps[64];
    uint64_t large = 0;
    for (int k = 0; k < 64; k += 8) {
        cjpeg_floats sizes;
        cjpeg_in_steps(quantizer, coefficients, k, &sizes);
        sizes = (cjpeg_floats)((cjpeg_ints)sizes & INT32_MAX);
        const cjpeg_floats errors = ERROR_WEIGHT * sizes * sizes;
        memcpy(size + k, &sizes, sizeof sizes);
        memcpy(dropped + k, &errors, sizeof errors);
        large |= cjpeg_bits_of(__builtin_convertvector(sizes >= 0.5f, cjpeg_truths)) << k;
    }
    memset(block, 0, 64 * sizeof *block);
    block[0] = cjpeg_quantize_value(quantizer, coefficients[0]);
    large &= ~(uint64_t)1;
    if (!large) return block[0] != 0;
    dropped[0] = 0;
    for (int k = 1; k < 64; k++) dropped[k] += dropped[k - 1];

    int count = 1;
    steps[0] = (step){0};
    for (uint64_t rest = large; rest; rest &= rest - 1) {
        const int k = __builtin_ctzll(rest);
        const int high = (int)(size[k] + 0.5f);
        const float high_error = ERROR_WEIGHT * (size[k] - high) * (size[k] - high);
        const int low = high - 1;
        const float low_error = ERROR_WEIGHT * (size[k] - low) * (size[k] - low);
        const float *high_rates = rates->ac + cjpeg_category(high), *low_rates = rates->ac + cjpeg_category(low);
        const float until = dropped[k - 1];
        // No way from a value or one before it costs less than this and its `least`, however sums are rounded: no cost
        // there is above `until` + 85, which is a run of 62, the longest code, 15 bits and half a step.
        const float reach = until - (until + 128) * 1e-6f;
        step next = {.place = k, .cost = INFINITY, .dropped = dropped[k]};
        for (int j = count - 1; j >= 0 && steps[j].least + reach < next.cost; j--) {
            const int run = k - steps[j].place - 1;
            float way = steps[j].cost + until - steps[j].dropped;
            if (run > 15) way += (run >> 4) * rates->ac[0xF0];
            const int row = (run & 15) << 4;
            const float high_cost = way + high_rates[row] + high_error;
            if (high_cost < next.cost) {
                next.cost = high_cost;
                next.before = j;
                next.lowers = false;
            }
            if (low > 0) {
                const float low_cost = way + low_rates[row] + low_error;
                if (low_cost < next.cost) {
                    next.cost = low_cost;
                    next.before = j;
                    next.lowers = true;
                }
            }
        }
        next.least = next.cost - next.dropped;
        if (steps[count - 1].least < next.least) next.least = steps[count - 1].least;
        steps[count++] = next;
    }
    float cheapest = dropped[63] + rates->ac[0];
    int last = 0;
    for (int i = 1; i < count; i++) {
        const float cost = steps[i].cost + dropped[63] - steps[i].dropped + (steps[i].place < 63 ? rates->ac[0] : 0);
        if (cost < cheapest) {
            cheapest = cost;
            last = i;
        }
    }
    uint64_t nonzero = block[0] != 0;
    for (int i = last; i > 0; i = steps[i].before) {
        const int k = steps[i].place;
        const int value = (int)(size[k] + 0.5f) - steps[i].lowers;
        block[k] = (int16_t)(coefficients[k] < 0 ? -value : value);
        nonzero |= (uint64_t)1 << k;
    }
    return nonzero;
}

CJPEG_KERNEL(
    uint64_t, cjpeg_quantize_optimized, optimize,
    (const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]),
    (quantizer, rates, coefficients, block))

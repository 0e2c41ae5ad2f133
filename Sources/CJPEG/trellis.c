// Rate-distortion optimised quantisation of one block: dynamic programming over the coefficients that may be nonzero.

#include "coefficients.h"
#include "kernels.h"

#include <math.h>

/// Bits that a squared error of one quantisation step is worth. The same in all blocks: allowing larger errors in
/// texture, as other encoders do, gained nothing, and cost points of SSIMULACRA 2 where it was strong
/// (Docs/Compression.md).
static const float ERROR_WEIGHT = 22.0f;

/// A coefficient that may be nonzero, at the end of the cheapest path to it. Node 0 is the start of the block.
typedef struct {
    int position;
    /// Bits and error of the path, including the coefficient itself.
    float cost;
    /// Error if all coefficients up to here were zero.
    float zeroed_error;
    /// The minimum of `cost - zeroed_error` over this node and all before it.
    float least_excess;
    /// The node before this one on the path.
    int previous;
    /// The magnitude is one below the rounded value.
    bool is_lowered;
} node;

typedef struct {
    float magnitudes[64]; // in quantisation steps
    float zeroed_error[64]; // up to and including this position
    node nodes[64];
    int count;
} trellis;

/// Fills the magnitudes and the error of each position alone. Returns a bit for each position that rounds to nonzero.
CJPEG_INLINE uint64_t measure(const cjpeg_quantizer *quantizer, const int16_t *coefficients, trellis *trellis) {
    uint64_t nonzero = 0;
    for (int k = 0; k < 64; k += 8) {
        cjpeg_f32x8 magnitudes;
        cjpeg_to_steps(quantizer, coefficients, k, &magnitudes);
        magnitudes = (cjpeg_f32x8)((cjpeg_i32x8)magnitudes & INT32_MAX);
        const cjpeg_f32x8 errors = ERROR_WEIGHT * magnitudes * magnitudes;
        memcpy(trellis->magnitudes + k, &magnitudes, sizeof magnitudes);
        memcpy(trellis->zeroed_error + k, &errors, sizeof errors);
        nonzero |= cjpeg_mask_bits(__builtin_convertvector(magnitudes >= 0.5f, cjpeg_mask8)) << k;
    }
    return nonzero;
}

CJPEG_INLINE void accumulate_zeroed_error(trellis *trellis) {
    trellis->zeroed_error[0] = 0;
    for (int k = 1; k < 64; k++) trellis->zeroed_error[k] += trellis->zeroed_error[k - 1];
}

/// Error of the AC coefficient at `k` if it is quantised to `level`.
CJPEG_INLINE float error_of_level(const trellis *trellis, int k, int level) {
    return ERROR_WEIGHT * (trellis->magnitudes[k] - level) * (trellis->magnitudes[k] - level);
}

CJPEG_INLINE void take_if_cheaper(node *node, float cost, int previous, bool is_lowered) {
    if (!(cost < node->cost)) return;
    node->cost = cost;
    node->previous = previous;
    node->is_lowered = is_lowered;
}

/// Appends the node of position `k`: tries both levels of the coefficient after each node before it.
CJPEG_INLINE void add_node(trellis *trellis, const cjpeg_rates *rates, int k) {
    const node *nodes = trellis->nodes;
    const int high = (int)(trellis->magnitudes[k] + 0.5f), low = high - 1;
    const float high_error = error_of_level(trellis, k, high), low_error = error_of_level(trellis, k, low);
    const float *high_rates = rates->ac + cjpeg_size_category(high), *low_rates = rates->ac + cjpeg_size_category(low);
    const float zeroed = trellis->zeroed_error[k - 1];
    // No path through a node or one before it costs less than its `least_excess` and this, however the sums are
    // rounded: no cost is above `zeroed` + 85, which is a run of 62, the longest code, 15 bits and half a step.
    const float bound = zeroed - (zeroed + 128) * 1e-6f;
    node next = {.position = k, .cost = INFINITY, .zeroed_error = trellis->zeroed_error[k]};
    for (int i = trellis->count - 1; i >= 0 && nodes[i].least_excess + bound < next.cost; i--) {
        const int run = k - nodes[i].position - 1;
        float path = nodes[i].cost + zeroed - nodes[i].zeroed_error;
        if (run > 15) path += (run >> 4) * rates->ac[0xF0];
        const int row = (run & 15) << 4;
        take_if_cheaper(&next, path + high_rates[row] + high_error, i, false);
        if (low > 0) take_if_cheaper(&next, path + low_rates[row] + low_error, i, true);
    }
    next.least_excess = next.cost - next.zeroed_error;
    const float before = nodes[trellis->count - 1].least_excess;
    if (before < next.least_excess) next.least_excess = before;
    trellis->nodes[trellis->count++] = next;
}

/// The node of the last nonzero coefficient on the cheapest path through the block; 0 where all become zero.
CJPEG_INLINE int cheapest_end(const trellis *trellis, const cjpeg_rates *rates) {
    const float zeroed = trellis->zeroed_error[63], end_of_block = rates->ac[0];
    float cheapest = zeroed + end_of_block;
    int last = 0;
    for (int i = 1; i < trellis->count; i++) {
        const node *node = &trellis->nodes[i];
        const float cost = node->cost + zeroed - node->zeroed_error + (node->position < 63 ? end_of_block : 0);
        if (cost < cheapest) {
            cheapest = cost;
            last = i;
        }
    }
    return last;
}

/// Writes the coefficients on the path that ends at node `last`. Returns their positions.
CJPEG_INLINE uint64_t write_path(const trellis *trellis, int last, const int16_t *coefficients, int16_t block[64]) {
    uint64_t nonzero = 0;
    for (int i = last; i > 0; i = trellis->nodes[i].previous) {
        const int k = trellis->nodes[i].position;
        const int level = (int)(trellis->magnitudes[k] + 0.5f) - trellis->nodes[i].is_lowered;
        block[k] = (int16_t)(coefficients[k] < 0 ? -level : level);
        nonzero |= (uint64_t)1 << k;
    }
    return nonzero;
}

CJPEG_INLINE uint64_t
quantize(const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]) {
    trellis trellis;
    const uint64_t candidates = measure(quantizer, coefficients, &trellis) & ~(uint64_t)1;
    memset(block, 0, 64 * sizeof *block);
    block[0] = cjpeg_quantize_dc(quantizer, coefficients[0]);
    if (!candidates) return block[0] != 0;
    accumulate_zeroed_error(&trellis);
    trellis.nodes[0] = (node){0};
    trellis.count = 1;
    for (uint64_t rest = candidates; rest; rest &= rest - 1) add_node(&trellis, rates, __builtin_ctzll(rest));
    return write_path(&trellis, cheapest_end(&trellis, rates), coefficients, block) | (block[0] != 0);
}

CJPEG_KERNEL(
    uint64_t, cjpeg_quantize_trellis, quantize,
    (const cjpeg_quantizer *quantizer, const cjpeg_rates *rates, const int16_t *coefficients, int16_t block[64]),
    (quantizer, rates, coefficients, block))

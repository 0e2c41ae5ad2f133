#include "transform.h"
#include "dct.h"
#include "quantize.h"

#include <string.h>

/// Blocks side by side: coefficients in zigzag order, and which blocks are flat.
typedef struct {
    int16_t *coefficients;
    bool *flat;
} block_row;

static void transform_row(const cjpeg_component *component, int row, int from, int count, block_row blocks) {
    const uint8_t *top = component->samples + (ptrdiff_t)8 * row * component->stride + 8 * from;
    uint8_t edge[8 * 8];
    const int present = component->rows - 8 * row;
    for (int x = 0; x < count; x++) {
        const uint8_t *samples = top + 8 * x;
        ptrdiff_t stride = component->stride;
        if (present < 8) {
            for (int y = 0; y < 8; y++) memcpy(edge + 8 * y, samples + (y < present ? y : present - 1) * stride, 8);
            samples = edge;
            stride = 8;
        }
        blocks.flat[x] = !cjpeg_forward_dct(samples, stride, blocks.coefficients + 64 * x);
    }
}

/// What a part works with: a copy, that threads do not write next to each other.
typedef struct {
    const cjpeg_transform *transform;
    cjpeg_statistics statistics;
    /// The DC value of the block before.
    int predictor;
    /// Where blocks go; NULL where they are not kept.
    cjpeg_blocks *blocks;
    bool lacks_memory;
} worker;

static void quantize_row(worker *worker, int kind, int row, int from, int count, block_row source) {
    const cjpeg_transform *transform = worker->transform;
    const cjpeg_quantizer *quantizer = &transform->quantizers[kind];
    for (int x = 0; x < count; x++) {
        const int16_t *coefficients = source.coefficients + 64 * x;
        int16_t block[64];
        uint64_t nonzero;
        if (source.flat[x]) {
            block[0] = cjpeg_quantize_value(quantizer, coefficients[0]);
            nonzero = block[0] != 0;
        } else if (transform->pass.optimizes) {
            nonzero = cjpeg_quantize_optimized(quantizer, &transform->rates[kind], coefficients, block);
        } else {
            nonzero = cjpeg_quantize(quantizer, coefficients, block);
        }
        cjpeg_count(&worker->statistics, block, nonzero, worker->predictor);
        worker->predictor = block[0];
        if (worker->blocks && !cjpeg_blocks_append(worker->blocks, from + x, row, block, nonzero)) {
            worker->blocks = NULL;
            worker->lacks_memory = true;
        }
    }
}

/// The DC value that the last block of a row gets.
static int last_value(const cjpeg_transform *transform, int index, int row) {
    const cjpeg_component *component = &transform->components[index];
    int16_t coefficients[64];
    bool flat;
    transform_row(component, row, component->width_in_blocks - 1, 1, (block_row){coefficients, &flat});
    return cjpeg_quantize_value(&transform->quantizers[index > 0], coefficients[0]);
}

void cjpeg_transform_make_part(cjpeg_transform *transform, int number) {
    /// Blocks that are computed at once where they are not kept.
    enum { SOME = 32 };
    int16_t coefficients[64 * SOME];
    bool flat[SOME];
    cjpeg_part *part = &transform->parts[number];
    const int index = part->component, kind = index > 0, step = transform->pass.step;
    const cjpeg_component *component = &transform->components[index];
    const int width = component->width_in_blocks;
    // A middle row of each `step`, or the first one where there are fewer.
    const int start = step / 2 < component->height_in_blocks ? step / 2 : 0;
    int y = part->first <= start ? start : start + (part->first - start + step - 1) / step * step;
    worker worker = {.transform = transform, .blocks = transform->pass.keeps ? &transform->blocks[number] : NULL};
    if (y > start && y < part->end) worker.predictor = last_value(transform, index, y - step);
    part->counted = 0;
    for (; y < part->end; y += step) {
        part->counted += width;
        if (component->coefficients) {
            const size_t first = (size_t)y * (size_t)width;
            const block_row row = {component->coefficients + 64 * first, component->flat + first};
            if (!component->transformed[y]) transform_row(component, y, 0, width, row);
            component->transformed[y] = true;
            quantize_row(&worker, kind, y - part->first, 0, width, row);
            continue;
        }
        const block_row row = {coefficients, flat};
        for (int x = 0; x < width; x += SOME) {
            const int count = width - x < SOME ? width - x : SOME;
            transform_row(component, y, x, count, row);
            quantize_row(&worker, kind, y - part->first, x, count, row);
        }
    }
    part->statistics = worker.statistics;
    part->lacks_memory = worker.lacks_memory;
}

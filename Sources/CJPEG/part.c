#include "transform.h"
#include "kernels.h"

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
    cjpeg_symbols symbols;
    /// Where blocks go; NULL where they are not kept.
    cjpeg_blocks *blocks;
    bool lacks_memory;
} worker;

/// `dc` gets the first value of each block.
static void quantize_row(
    worker *worker, int index, int row, int from, int count, block_row source, int16_t *dc) {
    const cjpeg_transform *transform = worker->transform;
    const int kind = index > 0;
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
        dc[x] = block[0];
        if (transform->pass.learns) cjpeg_count(&worker->statistics, block, nonzero);
        cjpeg_symbols_add(&worker->symbols, index, block, nonzero);
        if (worker->blocks && !cjpeg_blocks_append(worker->blocks, from + x, row, block, nonzero)) {
            worker->blocks = NULL;
            worker->lacks_memory = true;
        }
    }
}

/// Counts the DC values of a row of MCUs of which `rows` rows of blocks exist.
static int count_dc(worker *worker, int index, const int16_t *dc, int rows, int predictor) {
    const cjpeg_component *component = &worker->transform->components[index];
    const int width = component->width_in_blocks;
    for (int left = 0; left < width; left += component->h) {
        for (int y = 0; y < component->v; y++) {
            for (int x = left; x < left + component->h; x++) {
                if (y >= rows || x >= width) {
                    cjpeg_symbols_add_filling(&worker->symbols, index);
                    continue;
                }
                cjpeg_symbols_add_dc(&worker->symbols, index, dc[y * width + x] - predictor);
                predictor = dc[y * width + x];
            }
        }
    }
    return predictor;
}

/// The DC value that the last block of a row gets.
static int last_value(const cjpeg_transform *transform, int index, int row) {
    const cjpeg_component *component = &transform->components[index];
    int16_t coefficients[64];
    bool flat;
    transform_row(component, row, component->width_in_blocks - 1, 1, (block_row){coefficients, &flat});
    return cjpeg_quantize_value(&transform->quantizers[index > 0], coefficients[0]);
}

/// One row of blocks, transformed where it was not yet.
static void make_row(worker *worker, const cjpeg_part *part, int y, int16_t *dc) {
    /// Blocks that are computed at once where they are not kept.
    enum { SOME = 32 };
    int16_t coefficients[64 * SOME];
    bool flat[SOME];
    const int index = part->component;
    const cjpeg_component *component = &worker->transform->components[index];
    const int width = component->width_in_blocks;
    if (component->coefficients) {
        const size_t first = (size_t)y * (size_t)width;
        const block_row row = {component->coefficients + 64 * first, component->flat + first};
        if (!component->transformed[y]) transform_row(component, y, 0, width, row);
        component->transformed[y] = true;
        quantize_row(worker, index, y - part->first, 0, width, row, dc);
        return;
    }
    const block_row row = {coefficients, flat};
    for (int x = 0; x < width; x += SOME) {
        const int count = width - x < SOME ? width - x : SOME;
        transform_row(component, y, x, count, row);
        quantize_row(worker, index, y - part->first, x, count, row, dc + x);
    }
}

void cjpeg_transform_make_part(cjpeg_transform *transform, int number) {
    cjpeg_part *part = &transform->parts[number];
    const int index = part->component, step = transform->pass.step;
    const cjpeg_component *component = &transform->components[index];
    const int width = component->width_in_blocks, v = component->v, height = component->height_in_blocks;
    // In rows of MCUs: a middle one of each `step`, or the first one where there are fewer.
    const int start = step / 2 * v < height ? step / 2 : 0, first = part->first / v;
    int row = first <= start ? start : start + (first - start + step - 1) / step * step;
    worker worker = {.transform = transform, .blocks = transform->pass.keeps ? &transform->blocks[number] : NULL};
    cjpeg_symbols_begin(&worker.symbols, transform->picture.components, transform->picture.progressive);
    int predictor = 0;
    part->counted = 0;
    for (bool follows = false; row * v < part->end; row += step, follows = step == 1) {
        if (!follows && row > 0) predictor = last_value(transform, index, row * v - 1);
        const int rows = part->end - row * v < v ? part->end - row * v : v;
        for (int y = 0; y < rows; y++) make_row(&worker, part, row * v + y, part->dc + y * width);
        predictor = count_dc(&worker, index, part->dc, rows, predictor);
        part->counted += rows * width;
    }
    part->statistics = worker.statistics;
    part->symbols = worker.symbols;
    part->lacks_memory = worker.lacks_memory;
}

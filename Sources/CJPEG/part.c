// One pass over one part of a picture: DCT, quantisation and symbol counting, row by row of blocks.

#include "kernels.h"
#include "transform.h"

#include <string.h>

/// Adjacent blocks of one row.
typedef struct {
    int row;
    /// The column of the first block.
    int column;
    int count;
    /// In zigzag order, 64 a block; of a flat block only the DC coefficient is set.
    int16_t *coefficients;
    bool *flat;
} block_run;

/// Transforms the blocks of `run`. Rows below the picture repeat its last one.
static void transform_run(const cjpeg_component *component, const block_run *run) {
    const uint8_t *top = component->samples + (ptrdiff_t)8 * run->row * component->stride + 8 * run->column;
    uint8_t padded[8 * 8];
    const int present = component->rows - 8 * run->row;
    for (int x = 0; x < run->count; x++) {
        const uint8_t *samples = top + 8 * x;
        ptrdiff_t stride = component->stride;
        if (present < 8) {
            for (int y = 0; y < 8; y++) memcpy(padded + 8 * y, samples + (y < present ? y : present - 1) * stride, 8);
            samples = padded;
            stride = 8;
        }
        run->flat[x] = !cjpeg_forward_dct(samples, stride, run->coefficients + 64 * x);
    }
}

/// What a thread writes while it works on a part; copied to the part at the end, so that threads do not share cache
/// lines.
typedef struct {
    const cjpeg_transform *transform;
    const cjpeg_part *part;
    cjpeg_statistics statistics;
    cjpeg_symbols symbols;
    /// Receives the quantised blocks; NULL if they are not kept.
    cjpeg_blocks *blocks;
    bool is_out_of_memory;
} worker;

/// Quantises one block in the manner of the pass. Returns its nonzero positions.
static uint64_t quantize_block(
    const cjpeg_transform *transform, int kind, const int16_t *coefficients, bool is_flat, int16_t block[64]) {
    const cjpeg_quantizer *quantizer = &transform->quantizers[kind];
    if (is_flat) {
        block[0] = cjpeg_quantize_dc(quantizer, coefficients[0]);
        return block[0] != 0;
    }
    if (transform->pass.uses_trellis)
        return cjpeg_quantize_trellis(quantizer, &transform->rates[kind], coefficients, block);
    return cjpeg_quantize(quantizer, coefficients, block);
}

/// Quantises and counts the blocks of `run`; `dc` receives their DC coefficients.
static void quantize_run(worker *worker, const block_run *run, int16_t *dc) {
    const cjpeg_transform *transform = worker->transform;
    const int index = worker->part->component, y = run->row - worker->part->first;
    for (int x = 0; x < run->count; x++) {
        int16_t block[64];
        const uint64_t nonzero = quantize_block(transform, index > 0, run->coefficients + 64 * x, run->flat[x], block);
        dc[x] = block[0];
        if (transform->pass.updates_rates) cjpeg_statistics_add(&worker->statistics, block, nonzero);
        cjpeg_symbols_add_block(&worker->symbols, index, block, nonzero);
        if (worker->blocks && !cjpeg_blocks_append(worker->blocks, run->column + x, y, block, nonzero)) {
            worker->blocks = NULL;
            worker->is_out_of_memory = true;
        }
    }
}

/// Counts the DC coefficients of a row of MCUs, of which `rows` rows of blocks exist. Returns the next DC predictor.
static int count_dc(worker *worker, const int16_t *dc, int rows, int predictor) {
    const int index = worker->part->component;
    const cjpeg_component *component = &worker->transform->components[index];
    const int width = component->width_in_blocks;
    for (int left = 0; left < width; left += component->h) {
        for (int y = 0; y < component->v; y++) {
            for (int x = left; x < left + component->h; x++) {
                if (y >= rows || x >= width) {
                    cjpeg_symbols_add_padding_block(&worker->symbols, index);
                    continue;
                }
                cjpeg_symbols_add_dc(&worker->symbols, index, dc[y * width + x] - predictor);
                predictor = dc[y * width + x];
            }
        }
    }
    return predictor;
}

/// The quantised DC coefficient of the last block in a row: the DC predictor of the row of MCUs after it.
static int predictor_after(const cjpeg_transform *transform, int index, int row) {
    const cjpeg_component *component = &transform->components[index];
    int16_t coefficients[64];
    bool flat;
    const block_run last = {
        .row = row, .column = component->width_in_blocks - 1, .count = 1, .coefficients = coefficients, .flat = &flat};
    transform_run(component, &last);
    return cjpeg_quantize_dc(&transform->quantizers[index > 0], coefficients[0]);
}

/// Transforms one row of blocks unless its coefficients are kept already, and quantises it.
static void run_block_row(worker *worker, int row, int16_t *dc) {
    /// Blocks that are transformed at a time if coefficients are not kept.
    enum { BATCH = 32 };
    int16_t coefficients[64 * BATCH];
    bool flat[BATCH];
    const cjpeg_component *component = &worker->transform->components[worker->part->component];
    const int width = component->width_in_blocks;
    if (component->coefficients) {
        const size_t first = (size_t)row * (size_t)width;
        const block_run whole = {
            .row = row,
            .count = width,
            .coefficients = component->coefficients + 64 * first,
            .flat = component->flat + first};
        if (!component->transformed[row]) transform_run(component, &whole);
        component->transformed[row] = true;
        quantize_run(worker, &whole, dc);
        return;
    }
    for (int x = 0; x < width; x += BATCH) {
        const block_run batch = {
            .row = row,
            .column = x,
            .count = width - x < BATCH ? width - x : BATCH,
            .coefficients = coefficients,
            .flat = flat};
        transform_run(component, &batch);
        quantize_run(worker, &batch, dc + x);
    }
}

/// The first row of MCUs in a part that the pass visits: one in the middle of each `step` rows of the picture, or its
/// first one if it has fewer.
static int first_visited_row(const cjpeg_component *component, const cjpeg_part *part, int step) {
    const int start = step / 2 * component->v < component->height_in_blocks ? step / 2 : 0;
    const int first = part->first / component->v;
    return first <= start ? start : start + (first - start + step - 1) / step * step;
}

void cjpeg_transform_run_part(cjpeg_transform *transform, int number) {
    cjpeg_part *part = &transform->parts[number];
    const int step = transform->pass.mcu_row_step;
    const cjpeg_component *component = &transform->components[part->component];
    const int width = component->width_in_blocks, v = component->v;
    worker worker = {
        .transform = transform,
        .part = part,
        .blocks = transform->pass.keeps_blocks ? &transform->blocks[number] : NULL};
    cjpeg_symbols_begin(&worker.symbols, transform->picture.components, transform->picture.progressive);
    int predictor = 0;
    bool has_predictor = false;
    part->visited_blocks = 0;
    for (int row = first_visited_row(component, part, step); row * v < part->end; row += step) {
        if (!has_predictor && row > 0) predictor = predictor_after(transform, part->component, row * v - 1);
        has_predictor = step == 1;
        const int rows = part->end - row * v < v ? part->end - row * v : v;
        for (int y = 0; y < rows; y++) run_block_row(&worker, row * v + y, part->dc + y * width);
        predictor = count_dc(&worker, part->dc, rows, predictor);
        part->visited_blocks += rows * width;
    }
    part->statistics = worker.statistics;
    part->symbols = worker.symbols;
    part->is_out_of_memory = worker.is_out_of_memory;
}

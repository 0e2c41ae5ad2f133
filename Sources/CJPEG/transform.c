#include "blocks.h"
#include "dct.h"
#include "quantize.h"
#include "session.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

/// The DCT of one component.
typedef struct {
    const uint8_t *samples;
    ptrdiff_t stride;
    int rows;
    int width_in_blocks, height_in_blocks;
    /// All blocks; NULL where they are computed anew for each use. Of a flat block only the first value is set.
    int16_t *coefficients;
    bool *flat;
    /// Which rows of blocks are there already.
    bool *transformed;
} component;

/// A row of blocks: coefficients in zigzag order, and which blocks are flat.
typedef struct {
    int16_t *coefficients;
    bool *flat;
} block_row;

struct cjpeg_transform {
    cjpeg_picture picture;
    component components[3];
    /// For components that keep nothing.
    block_row scratch;
    /// Rates of the AC symbols of luma and chroma, from the latest count.
    cjpeg_rates rates[2];
    bool has_rates;
};

static void transform_row(const component *component, int row, block_row blocks) {
    const uint8_t *top = component->samples + (ptrdiff_t)8 * row * component->stride;
    uint8_t edge[8 * 8];
    const int present = component->rows - 8 * row;
    for (int x = 0; x < component->width_in_blocks; x++) {
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

static block_row row_of(cjpeg_transform *transform, int index, int row) {
    component *component = &transform->components[index];
    if (!component->coefficients) {
        transform_row(component, row, transform->scratch);
        return transform->scratch;
    }
    const size_t first = (size_t)row * (size_t)component->width_in_blocks;
    const block_row kept = {component->coefficients + 64 * first, component->flat + first};
    if (!component->transformed[row]) transform_row(component, row, kept);
    component->transformed[row] = true;
    return kept;
}

cjpeg_transform *cjpeg_transform_create(const cjpeg_picture *picture, bool keeps) {
    cjpeg_transform *transform = calloc(1, sizeof *transform);
    if (!transform) return NULL;
    transform->picture = *picture;
    size_t widest = 0;
    for (int i = 0; i < picture->components; i++) {
        component *component = &transform->components[i];
        const int h = i == 0 ? 1 : picture->h, v = i == 0 ? 1 : picture->v;
        component->samples = picture->plane[i];
        component->stride = picture->stride[i];
        component->rows = picture->plane_height[i];
        component->width_in_blocks = ((picture->width + h - 1) / h + 7) / 8;
        component->height_in_blocks = ((picture->height + v - 1) / v + 7) / 8;
        const size_t wide = (size_t)component->width_in_blocks, blocks = wide * (size_t)component->height_in_blocks;
        if (wide > widest) widest = wide;
        if (!keeps) continue;
        component->coefficients = malloc(blocks * 64 * sizeof(int16_t));
        component->flat = malloc(blocks * sizeof(bool));
        component->transformed = calloc((size_t)component->height_in_blocks, sizeof(bool));
        if (!component->coefficients || !component->flat || !component->transformed) {
            cjpeg_transform_destroy(transform);
            return NULL;
        }
    }
    transform->scratch.coefficients = malloc(widest * 64 * sizeof(int16_t));
    transform->scratch.flat = malloc(widest * sizeof(bool));
    if (!transform->scratch.coefficients || !transform->scratch.flat) {
        cjpeg_transform_destroy(transform);
        return NULL;
    }
    return transform;
}

void cjpeg_transform_destroy(cjpeg_transform *transform) {
    if (!transform) return;
    for (int i = 0; i < 3; i++) {
        free(transform->components[i].coefficients);
        free(transform->components[i].flat);
        free(transform->components[i].transformed);
    }
    free(transform->scratch.coefficients);
    free(transform->scratch.flat);
    free(transform);
}

/// One way through the blocks: the tables that quantise them, and the symbols that come out.
typedef struct {
    cjpeg_transform *transform;
    cjpeg_quantizer quantizers[2];
    cjpeg_statistics statistics[2];
    bool optimizes;
} pass;

static void begin(pass *pass, cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes) {
    memset(pass, 0, sizeof *pass);
    pass->transform = transform;
    pass->optimizes = optimizes;
    for (int i = 0; i < 2; i++) cjpeg_quantizer_set(&pass->quantizers[i], tables[i].values);
}

static uint64_t quantize(pass *pass, int kind, const int16_t *coefficients, int16_t block[64]) {
    const cjpeg_quantizer *quantizer = &pass->quantizers[kind];
    return pass->optimizes ? cjpeg_quantize_optimized(quantizer, &pass->transform->rates[kind], coefficients, block)
                           : cjpeg_quantize(quantizer, coefficients, block);
}

/// `blocks`, where it is not NULL, gets the row. False where it has no memory for it.
static bool quantize_row(pass *pass, int index, int row, int *predictor, cjpeg_blocks *blocks) {
    const int kind = index > 0;
    const block_row source = row_of(pass->transform, index, row);
    for (int x = 0; x < pass->transform->components[index].width_in_blocks; x++) {
        const int16_t *coefficients = source.coefficients + 64 * x;
        int16_t block[64];
        uint64_t nonzero;
        if (source.flat[x]) {
            block[0] = cjpeg_quantize_value(&pass->quantizers[kind], coefficients[0]);
            nonzero = block[0] != 0;
        } else {
            nonzero = quantize(pass, kind, coefficients, block);
        }
        cjpeg_count(&pass->statistics[kind], block, nonzero, *predictor);
        *predictor = block[0];
        if (blocks && !cjpeg_blocks_append(blocks, x, row, block, nonzero)) return false;
    }
    return true;
}

/// Counts every `step`-th row of blocks, starting with a middle one; returns how many times as many there are.
static double count_rows(pass *pass, int step) {
    double counted = 0, blocks = 0;
    for (int i = 0; i < pass->transform->picture.components; i++) {
        const component *component = &pass->transform->components[i];
        blocks += (double)component->width_in_blocks * component->height_in_blocks;
        int predictor = 0;
        for (int y = step / 2 < component->height_in_blocks ? step / 2 : 0; y < component->height_in_blocks; y += step) {
            quantize_row(pass, i, y, &predictor, NULL);
            counted += component->width_in_blocks;
        }
    }
    return blocks / counted;
}

/// Learns what symbols cost at these tables, where nothing was learnt yet.
static void prepare(cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes, int step) {
    if (!optimizes || transform->has_rates) return;
    pass pass;
    begin(&pass, transform, tables, false);
    count_rows(&pass, step);
    for (int i = 0; i < 2; i++) cjpeg_rates_set(&transform->rates[i], &pass.statistics[i]);
    transform->has_rates = true;
}

static void learn(const pass *pass) {
    for (int i = 0; i < 2; i++) cjpeg_rates_set(&pass->transform->rates[i], &pass->statistics[i]);
    pass->transform->has_rates = true;
}

/// The bytes of a sequential stream with `share` times the symbols of the pass, markers included.
static double bytes_of(const pass *pass, double share) {
    double bits = cjpeg_bits(&pass->statistics[0]);
    if (pass->transform->picture.components > 1) bits += cjpeg_bits(&pass->statistics[1]);
    return bits / 8 * share + 200;
}

double cjpeg_transform_estimate(cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes, int step) {
    prepare(transform, tables, optimizes, step);
    pass pass;
    begin(&pass, transform, tables, optimizes);
    const double share = count_rows(&pass, step);
    learn(&pass);
    return bytes_of(&pass, share);
}

static __attribute__((noinline)) int write_stream(
    cjpeg_stream *stream, const cjpeg_picture *picture, cjpeg_blocks blocks[3], uint8_t *buffer, size_t capacity,
    cjpeg_error *error) {
    struct jpeg_compress_struct *info = &stream->info;
    // `stream` belongs to the caller's frame: what changes after setjmp must not live in this one.
    if (setjmp(stream->session.escape)) return cjpeg_session_report(&stream->session, error);
    cjpeg_stream_begin(stream, picture, buffer, capacity);
    cjpeg_blocks_serve(info);
    jvirt_barray_ptr arrays[3];
    for (int i = 0; i < picture->components; i++) arrays[i] = (jvirt_barray_ptr)&blocks[i];
    jpeg_write_coefficients(info, arrays);
    jpeg_finish_compress(info);
    return CJPEG_OK;
}

/// False where memory runs out.
static bool quantize_all(pass *pass, cjpeg_blocks blocks[3]) {
    const cjpeg_picture *picture = &pass->transform->picture;
    for (int i = 0; i < picture->components; i++) {
        const component *component = &pass->transform->components[i];
        const int together = i == 0 ? picture->v : 1;
        if (!cjpeg_blocks_create(&blocks[i], component->width_in_blocks, component->height_in_blocks, together))
            return false;
        int predictor = 0;
        for (int y = 0; y < component->height_in_blocks; y++)
            if (!quantize_row(pass, i, y, &predictor, &blocks[i])) return false;
    }
    return true;
}

int cjpeg_transform_encode(
    cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes, uint8_t *buffer, size_t capacity,
    size_t *count, double *estimate, cjpeg_error *error) {
    prepare(transform, tables, optimizes, 1);
    cjpeg_picture picture = transform->picture;
    memcpy(picture.table, tables, sizeof picture.table);
    pass pass;
    begin(&pass, transform, tables, optimizes);
    cjpeg_blocks blocks[3] = {0};
    int code = CJPEG_NO_MEMORY;
    if (quantize_all(&pass, blocks)) {
        cjpeg_stream stream = {0};
        stream.info.err = cjpeg_session_begin(&stream.session);
        code = write_stream(&stream, &picture, blocks, buffer, capacity, error);
        *count = cjpeg_stream_length(&stream);
        if (stream.info.mem) jpeg_destroy_compress(&stream.info);
        *estimate = bytes_of(&pass, 1);
    } else {
        error->code = code;
        snprintf(error->message, sizeof error->message, "out of memory");
    }
    for (int i = 0; i < 3; i++) cjpeg_blocks_destroy(&blocks[i]);
    return code;
}

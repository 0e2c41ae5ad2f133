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
    /// All blocks; NULL where they are computed anew for each use.
    int16_t *coefficients;
} component;

struct cjpeg_transform {
    cjpeg_picture picture;
    component components[3];
    /// One row of blocks, for components that keep none.
    int16_t *scratch;
    /// Rates of the AC symbols of luma and chroma, from the latest count.
    cjpeg_rates rates[2];
    bool has_rates;
};

static void transform_row(const component *component, int row, int16_t *blocks) {
    const uint8_t *top = component->samples + (ptrdiff_t)8 * row * component->stride;
    uint8_t edge[8 * 8];
    for (int x = 0; x < component->width_in_blocks; x++) {
        const int present = component->rows - 8 * row;
        if (present >= 8) {
            cjpeg_forward_dct(top + 8 * x, component->stride, blocks + 64 * x);
            continue;
        }
        for (int y = 0; y < 8; y++)
            memcpy(edge + 8 * y, top + 8 * x + (y < present ? y : present - 1) * component->stride, 8);
        cjpeg_forward_dct(edge, 8, blocks + 64 * x);
    }
}

static const int16_t *row_of(cjpeg_transform *transform, int index, int row) {
    const component *component = &transform->components[index];
    if (component->coefficients) return component->coefficients + (size_t)row * component->width_in_blocks * 64;
    transform_row(component, row, transform->scratch);
    return transform->scratch;
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
        const size_t row = (size_t)component->width_in_blocks * 64;
        if (row > widest) widest = row;
        if (!keeps) continue;
        component->coefficients = malloc(row * (size_t)component->height_in_blocks * sizeof(int16_t));
        if (!component->coefficients) continue;
        for (int y = 0; y < component->height_in_blocks; y++)
            transform_row(component, y, component->coefficients + row * (size_t)y);
    }
    transform->scratch = malloc(widest * sizeof(int16_t));
    if (!transform->scratch) {
        cjpeg_transform_destroy(transform);
        return NULL;
    }
    return transform;
}

void cjpeg_transform_destroy(cjpeg_transform *transform) {
    if (!transform) return;
    for (int i = 0; i < 3; i++) free(transform->components[i].coefficients);
    free(transform->scratch);
    free(transform);
}

/// Quantises the rows of blocks of one component, counts, and hands each row out where there is a `sink`.
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

/// `blocks`, where it is not NULL, gets the row in natural order.
static void quantize_row(pass *pass, int index, int row, int *predictor, JBLOCK *blocks) {
    const int kind = index > 0;
    const int16_t *coefficients = row_of(pass->transform, index, row);
    for (int x = 0; x < pass->transform->components[index].width_in_blocks; x++, coefficients += 64) {
        int16_t block[64];
        const uint64_t nonzero =
            pass->optimizes
                ? cjpeg_quantize_optimized(
                      &pass->quantizers[kind], &pass->transform->rates[kind], coefficients, block)
                : cjpeg_quantize(&pass->quantizers[kind], coefficients, block);
        cjpeg_count(&pass->statistics[kind], block, nonzero, *predictor);
        *predictor = block[0];
        if (!blocks) continue;
        for (uint64_t rest = nonzero; rest; rest &= rest - 1) {
            const int k = __builtin_ctzll(rest);
            blocks[x][cjpeg_zigzag[k]] = block[k];
        }
    }
}

static void quantize_all(pass *pass) {
    for (int i = 0; i < pass->transform->picture.components; i++) {
        int predictor = 0;
        for (int y = 0; y < pass->transform->components[i].height_in_blocks; y++)
            quantize_row(pass, i, y, &predictor, NULL);
    }
}

/// Learns what symbols cost at these tables, where nothing was learnt yet.
static void prepare(cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes) {
    if (!optimizes || transform->has_rates) return;
    pass pass;
    begin(&pass, transform, tables, false);
    quantize_all(&pass);
    for (int i = 0; i < 2; i++) cjpeg_rates_set(&transform->rates[i], &pass.statistics[i]);
    transform->has_rates = true;
}

static void learn(const pass *pass) {
    for (int i = 0; i < 2; i++) cjpeg_rates_set(&pass->transform->rates[i], &pass->statistics[i]);
    pass->transform->has_rates = true;
}

double cjpeg_transform_estimate(cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes) {
    prepare(transform, tables, optimizes);
    pass pass;
    begin(&pass, transform, tables, optimizes);
    quantize_all(&pass);
    learn(&pass);
    double bits = cjpeg_bits(&pass.statistics[0]);
    if (transform->picture.components > 1) bits += cjpeg_bits(&pass.statistics[1]);
    return bits / 8 + 200;
}

/// `stream` belongs to the caller's frame: what changes after setjmp must not live in this one.
static __attribute__((noinline)) int encode(
    cjpeg_stream *stream, cjpeg_transform *transform, const cjpeg_picture *picture, pass *pass, uint8_t *buffer,
    size_t capacity, cjpeg_error *error) {
    struct jpeg_compress_struct *info = &stream->info;
    if (setjmp(stream->session.escape)) return cjpeg_session_report(&stream->session, error);
    cjpeg_stream_begin(stream, picture, buffer, capacity);
    jvirt_barray_ptr arrays[3];
    for (int i = 0; i < picture->components; i++) {
        const component *component = &transform->components[i];
        const int h = info->comp_info[i].h_samp_factor, v = info->comp_info[i].v_samp_factor;
        arrays[i] = info->mem->request_virt_barray(
            (j_common_ptr)info, JPOOL_IMAGE, TRUE, (JDIMENSION)((component->width_in_blocks + h - 1) / h * h),
            (JDIMENSION)((component->height_in_blocks + v - 1) / v * v), (JDIMENSION)v);
    }
    jpeg_write_coefficients(info, arrays);
    for (int i = 0; i < picture->components; i++) {
        int predictor = 0;
        for (int y = 0; y < transform->components[i].height_in_blocks; y++) {
            JBLOCKARRAY rows =
                info->mem->access_virt_barray((j_common_ptr)info, arrays[i], (JDIMENSION)y, 1, TRUE);
            quantize_row(pass, i, y, &predictor, rows[0]);
        }
    }
    jpeg_finish_compress(info);
    return CJPEG_OK;
}

int cjpeg_transform_encode(
    cjpeg_transform *transform, const cjpeg_table tables[2], bool optimizes, uint8_t *buffer, size_t capacity,
    size_t *count, double *estimate, cjpeg_error *error) {
    prepare(transform, tables, optimizes);
    cjpeg_picture picture = transform->picture;
    memcpy(picture.table, tables, sizeof picture.table);
    pass pass;
    begin(&pass, transform, tables, optimizes);
    cjpeg_stream stream = {0};
    stream.info.err = cjpeg_session_begin(&stream.session);
    const int code = encode(&stream, transform, &picture, &pass, buffer, capacity, error);
    *count = cjpeg_stream_length(&stream);
    if (stream.info.mem) jpeg_destroy_compress(&stream.info);
    *estimate = (cjpeg_bits(&pass.statistics[0]) + (picture.components > 1 ? cjpeg_bits(&pass.statistics[1]) : 0)) / 8 + 200;
    return code;
}

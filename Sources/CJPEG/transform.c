#include "transform.h"
#include "kernels.h"
#include "session.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

/// Enough blocks to be worth a thread; and no more parts of a component than any machine has use for.
enum { BLOCKS_OF_PART = 2048, MOST_PARTS = 16 };

/// Divides a component into bands of equal height, but for the last one.
static bool divide(cjpeg_transform *transform, int index) {
    cjpeg_component *component = &transform->components[index];
    const long blocks = (long)component->width_in_blocks * component->height_in_blocks;
    const long wanted = blocks / BLOCKS_OF_PART < MOST_PARTS ? blocks / BLOCKS_OF_PART : MOST_PARTS;
    int height = wanted > 1 ? (int)((component->height_in_blocks + wanted - 1) / wanted) : component->height_in_blocks;
    height = (height + component->v - 1) / component->v * component->v;
    component->first_part = transform->part_count;
    component->part_count = (component->height_in_blocks + height - 1) / height;
    const size_t count = (size_t)(transform->part_count + component->part_count);
    cjpeg_part *parts = realloc(transform->parts, count * sizeof *parts);
    if (!parts) return false;
    transform->parts = parts;
    bool complete = true;
    for (int row = 0; row < component->height_in_blocks; row += height) {
        const int end = row + height < component->height_in_blocks ? row + height : component->height_in_blocks;
        int16_t *dc = malloc((size_t)component->width_in_blocks * (size_t)component->v * sizeof *dc);
        parts[transform->part_count++] = (cjpeg_part){.component = index, .first = row, .end = end, .dc = dc};
        complete = complete && dc;
    }
    return complete;
}

cjpeg_transform *cjpeg_transform_create(const cjpeg_picture *picture, bool keeps) {
    cjpeg_transform *transform = calloc(1, sizeof *transform);
    if (!transform) return NULL;
    transform->picture = *picture;
    for (int i = 0; i < picture->components; i++) {
        cjpeg_component *component = &transform->components[i];
        const int h = i == 0 ? 1 : picture->h, v = i == 0 ? 1 : picture->v;
        component->samples = picture->plane[i];
        component->stride = picture->stride[i];
        component->rows = picture->plane_height[i];
        component->h = i == 0 ? picture->h : 1;
        component->v = i == 0 ? picture->v : 1;
        component->width_in_blocks = ((picture->width + h - 1) / h + 7) / 8;
        component->height_in_blocks = ((picture->height + v - 1) / v + 7) / 8;
        bool complete = divide(transform, i);
        if (keeps) {
            const size_t blocks = (size_t)component->width_in_blocks * (size_t)component->height_in_blocks;
            component->coefficients = malloc(blocks * 64 * sizeof(int16_t));
            component->flat = malloc(blocks * sizeof(bool));
            component->transformed = calloc((size_t)component->height_in_blocks, sizeof(bool));
            complete = complete && component->coefficients && component->flat && component->transformed;
        }
        if (!complete) {
            cjpeg_transform_destroy(transform);
            return NULL;
        }
    }
    return transform;
}

static void destroy_blocks(cjpeg_transform *transform) {
    for (int i = 0; transform->blocks && i < transform->part_count; i++) cjpeg_blocks_destroy(&transform->blocks[i]);
    free(transform->blocks);
    transform->blocks = NULL;
}

void cjpeg_transform_destroy(cjpeg_transform *transform) {
    if (!transform) return;
    for (int i = 0; i < 3; i++) {
        free(transform->components[i].coefficients);
        free(transform->components[i].flat);
        free(transform->components[i].transformed);
    }
    destroy_blocks(transform);
    for (int i = 0; i < transform->part_count; i++) free(transform->parts[i].dc);
    free(transform->parts);
    free(transform);
}

// A pass

bool cjpeg_transform_has_rates(const cjpeg_transform *transform) { return transform->has_rates; }

bool cjpeg_transform_holds(const cjpeg_transform *transform, const cjpeg_pass *pass) {
    return transform->kept.is_whole && transform->kept.optimizes == pass->optimizes
           && memcmp(transform->kept.tables, pass->tables, sizeof transform->kept.tables) == 0;
}

int cjpeg_transform_part_count(const cjpeg_transform *transform) { return transform->part_count; }

static bool make_room(cjpeg_transform *transform) {
    if (transform->blocks) {
        for (int i = 0; i < transform->part_count; i++) cjpeg_blocks_clear(&transform->blocks[i]);
        return true;
    }
    transform->blocks = calloc((size_t)transform->part_count, sizeof *transform->blocks);
    if (!transform->blocks) return false;
    for (int i = 0; i < transform->part_count; i++) {
        const cjpeg_part *part = &transform->parts[i];
        const int width = transform->components[part->component].width_in_blocks;
        if (cjpeg_blocks_create(&transform->blocks[i], width, part->end - part->first)) continue;
        destroy_blocks(transform);
        return false;
    }
    return true;
}

void cjpeg_transform_begin(cjpeg_transform *transform, const cjpeg_pass *pass) {
    transform->pass = *pass;
    for (int i = 0; i < 2; i++) cjpeg_quantizer_set(&transform->quantizers[i], pass->tables[i].values);
    if (!pass->keeps) return;
    transform->kept.is_whole = false;
    transform->pass.keeps = make_room(transform);
}

/// What symbols cost, by what the parts have counted.
static void learn(cjpeg_transform *transform) {
    for (int kind = 0; kind < 2; kind++) {
        cjpeg_statistics sum = {0};
        for (int i = 0; i < transform->part_count; i++) {
            const cjpeg_part *part = &transform->parts[i];
            if ((part->component > 0) != kind) continue;
            for (int symbol = 0; symbol < 256; symbol++) sum.ac[symbol] += part->statistics.ac[symbol];
        }
        cjpeg_rates_set(&transform->rates[kind], &sum);
    }
    transform->has_rates = true;
}

double cjpeg_transform_end(cjpeg_transform *transform) {
    const cjpeg_pass *pass = &transform->pass;
    cjpeg_symbols symbols;
    cjpeg_symbols_begin(&symbols, transform->picture.components, transform->picture.progressive);
    double blocks = 0, counted = 0;
    bool whole = pass->keeps;
    for (int i = 0; i < transform->part_count; i++) {
        const cjpeg_part *part = &transform->parts[i];
        cjpeg_symbols_merge(&symbols, &part->symbols);
        blocks += (double)transform->components[part->component].width_in_blocks * (part->end - part->first);
        counted += (double)part->counted;
        whole = whole && !part->lacks_memory;
    }
    if (pass->learns) learn(transform);
    if (pass->keeps) {
        transform->kept.is_whole = whole;
        transform->kept.optimizes = pass->optimizes;
        memcpy(transform->kept.tables, pass->tables, sizeof transform->kept.tables);
    }
    return cjpeg_symbols_bytes(&symbols, pass->share * blocks / counted);
}

// The stream

static __attribute__((noinline)) int write_stream(
    cjpeg_stream *stream, const cjpeg_transform *transform, uint8_t *buffer, size_t capacity, cjpeg_error *error) {
    struct jpeg_compress_struct *info = &stream->info;
    // `stream` belongs to the caller's frame: what changes after setjmp must not live in this one.
    if (setjmp(stream->session.escape)) return cjpeg_session_report(&stream->session, error);
    if (!transform->kept.is_whole) cjpeg_session_leave((j_common_ptr)info, CJPEG_NO_MEMORY, "out of memory");
    cjpeg_picture picture = transform->picture;
    memcpy(picture.table, transform->kept.tables, sizeof picture.table);
    cjpeg_stream_begin(stream, &picture, buffer, capacity);
    cjpeg_blocks_serve(info);
    cjpeg_served_blocks served[3];
    jvirt_barray_ptr arrays[3];
    for (int i = 0; i < picture.components; i++) {
        const cjpeg_component *component = &transform->components[i];
        served[i] = (cjpeg_served_blocks){
            .bands = transform->blocks + component->first_part, .band_count = component->part_count};
        arrays[i] = (jvirt_barray_ptr)&served[i];
    }
    jpeg_write_coefficients(info, arrays);
    jpeg_finish_compress(info);
    return CJPEG_OK;
}

int cjpeg_transform_write(
    const cjpeg_transform *transform, uint8_t *buffer, size_t capacity, size_t *count, cjpeg_error *error) {
    cjpeg_stream stream = {0};
    stream.info.err = cjpeg_session_begin(&stream.session);
    const int code = write_stream(&stream, transform, buffer, capacity, error);
    *count = cjpeg_stream_length(&stream);
    if (stream.info.mem) jpeg_destroy_compress(&stream.info);
    return code;
}

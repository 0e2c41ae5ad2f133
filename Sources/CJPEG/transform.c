// A picture as coefficients: its parts, the passes over them, and the stream at the end.

#include "transform.h"
#include "kernels.h"
#include "session.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

/// Enough blocks to be worth a thread, and as many parts of a component as any machine has use for.
enum { MINIMUM_PART_BLOCKS = 2048, MAXIMUM_PARTS = 16 };

/// Divides a component into parts of equal height, except the last one. Returns false if memory runs out.
static bool divide_into_parts(cjpeg_transform *transform, int index) {
    cjpeg_component *component = &transform->components[index];
    const long blocks = (long)component->width_in_blocks * component->height_in_blocks;
    const long wanted = blocks / MINIMUM_PART_BLOCKS < MAXIMUM_PARTS ? blocks / MINIMUM_PART_BLOCKS : MAXIMUM_PARTS;
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

/// Allocates the DCT coefficients of a component. Returns false if memory runs out.
static bool allocate_coefficients(cjpeg_component *component) {
    const size_t blocks = (size_t)component->width_in_blocks * (size_t)component->height_in_blocks;
    component->coefficients = malloc(blocks * 64 * sizeof(int16_t));
    component->flat = malloc(blocks * sizeof(bool));
    component->transformed = calloc((size_t)component->height_in_blocks, sizeof(bool));
    return component->coefficients && component->flat && component->transformed;
}

cjpeg_transform *cjpeg_transform_create(const cjpeg_picture *picture, bool keeps_coefficients) {
    cjpeg_transform *transform = calloc(1, sizeof *transform);
    if (!transform) return NULL;
    transform->picture = *picture;
    for (int i = 0; i < picture->components; i++) {
        cjpeg_component *component = &transform->components[i];
        // By how much the component is subsampled.
        const int h = i == 0 ? 1 : picture->h, v = i == 0 ? 1 : picture->v;
        component->samples = picture->plane[i];
        component->stride = picture->stride[i];
        component->rows = picture->plane_height[i];
        component->h = i == 0 ? picture->h : 1;
        component->v = i == 0 ? picture->v : 1;
        component->width_in_blocks = ((picture->width + h - 1) / h + 7) / 8;
        component->height_in_blocks = ((picture->height + v - 1) / v + 7) / 8;
        if (divide_into_parts(transform, i) && (!keeps_coefficients || allocate_coefficients(component))) continue;
        cjpeg_transform_destroy(transform);
        return NULL;
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

// MARK: - A pass

bool cjpeg_transform_has_rates(const cjpeg_transform *transform) { return transform->has_rates; }

bool cjpeg_transform_has_blocks_for(const cjpeg_transform *transform, const cjpeg_pass *pass) {
    return transform->kept.is_complete && transform->kept.uses_trellis == pass->uses_trellis &&
        memcmp(transform->kept.tables, pass->tables, sizeof transform->kept.tables) == 0;
}

int cjpeg_transform_part_count(const cjpeg_transform *transform) { return transform->part_count; }

/// Empties the lists of quantised blocks, or creates them. Returns false if memory runs out.
static bool prepare_blocks(cjpeg_transform *transform) {
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
    if (!pass->keeps_blocks) return;
    transform->kept.is_complete = false;
    transform->pass.keeps_blocks = prepare_blocks(transform);
}

/// Sets the rates from the statistics of all parts.
static void update_rates(cjpeg_transform *transform) {
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
    double blocks = 0, visited = 0;
    bool is_complete = pass->keeps_blocks;
    for (int i = 0; i < transform->part_count; i++) {
        const cjpeg_part *part = &transform->parts[i];
        cjpeg_symbols_merge(&symbols, &part->symbols);
        blocks += (double)transform->components[part->component].width_in_blocks * (part->end - part->first);
        visited += (double)part->visited_blocks;
        is_complete = is_complete && !part->is_out_of_memory;
    }
    if (pass->updates_rates) update_rates(transform);
    if (pass->keeps_blocks) {
        transform->kept.is_complete = is_complete;
        transform->kept.uses_trellis = pass->uses_trellis;
        memcpy(transform->kept.tables, pass->tables, sizeof transform->kept.tables);
    }
    return cjpeg_symbols_bytes(&symbols, pass->scale * blocks / visited);
}

// MARK: - The stream

static __attribute__((noinline)) int write_stream(
    cjpeg_stream *stream, const cjpeg_transform *transform, const cjpeg_buffer *output, cjpeg_error *error) {
    struct jpeg_compress_struct *info = &stream->info;
    // `stream` is in the caller's frame: after a longjmp, locals of this one that changed are indeterminate.
    if (setjmp(stream->session.escape)) return cjpeg_session_report(&stream->session, error);
    if (!transform->kept.is_complete) cjpeg_session_leave((j_common_ptr)info, CJPEG_NO_MEMORY, "out of memory");
    cjpeg_picture picture = transform->picture;
    memcpy(picture.table, transform->kept.tables, sizeof picture.table);
    cjpeg_stream_begin(stream, &picture, output);
    cjpeg_blocks_serve(info);
    cjpeg_block_array served[3];
    jvirt_barray_ptr arrays[3];
    for (int i = 0; i < picture.components; i++) {
        const cjpeg_component *component = &transform->components[i];
        served[i] = (cjpeg_block_array){.bands = transform->blocks + component->first_part,
                                        .band_count = component->part_count};
        arrays[i] = (jvirt_barray_ptr)&served[i];
    }
    jpeg_write_coefficients(info, arrays);
    jpeg_finish_compress(info);
    return CJPEG_OK;
}

int cjpeg_transform_write(const cjpeg_transform *transform, cjpeg_buffer *output, cjpeg_error *error) {
    cjpeg_stream stream = {0};
    stream.info.err = cjpeg_session_begin(&stream.session);
    const int code = write_stream(&stream, transform, output, error);
    output->count = cjpeg_stream_length(&stream);
    if (stream.info.mem) jpeg_destroy_compress(&stream.info);
    return code;
}

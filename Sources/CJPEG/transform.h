// The state of cjpeg_transform, which transform.c manages and part.c fills.

#ifndef CJPEG_TRANSFORM_H
#define CJPEG_TRANSFORM_H

#include "blocks.h"
#include "kernels.h"
#include "symbols.h"

/// One component and, if they are kept, its DCT coefficients.
typedef struct {
    const uint8_t *samples;
    ptrdiff_t stride;
    int rows;
    int width_in_blocks, height_in_blocks;
    /// Sampling factors: blocks of an MCU side by side, and one below the other.
    int h, v;
    /// Of all blocks; NULL if each pass computes them again. Of a flat block only the DC coefficient is set.
    int16_t *coefficients;
    bool *flat;
    /// Which rows of blocks have their coefficients.
    bool *transformed;
    int first_part, part_count;
} cjpeg_component;

/// Some rows of blocks of a component. A pass over one part does not depend on any other.
typedef struct {
    int component;
    /// The first row of blocks, and the one after the last. Parts end at a whole MCU, except the last one.
    int first, end;
    /// DC coefficients of one row of MCUs, row by row of its blocks.
    int16_t *dc;
    cjpeg_statistics statistics;
    cjpeg_symbols symbols;
    long visited_blocks;
    bool is_out_of_memory;
} cjpeg_part;

struct cjpeg_transform {
    cjpeg_picture picture;
    cjpeg_component components[3];
    cjpeg_part *parts;
    int part_count;
    /// The current pass, or the latest one.
    cjpeg_pass pass;
    cjpeg_quantizer quantizers[2];
    /// Of the AC symbols of luma and chroma.
    cjpeg_rates rates[2];
    bool has_rates;
    /// One for each part; allocated by the first pass that keeps blocks.
    cjpeg_blocks *blocks;
    /// The latest pass that kept its blocks.
    struct {
        bool is_complete, uses_trellis;
        cjpeg_table tables[2];
    } kept;
};

#endif

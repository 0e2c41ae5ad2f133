#ifndef CJPEG_TRANSFORM_H
#define CJPEG_TRANSFORM_H

#include "blocks.h"
#include "symbols.h"
#include "kernels.h"

/// The DCT of one component.
typedef struct {
    const uint8_t *samples;
    ptrdiff_t stride;
    int rows;
    int width_in_blocks, height_in_blocks;
    /// Blocks of an MCU side by side and one below the other.
    int h, v;
    /// All blocks; NULL where they are computed anew for each use. Of a flat block only the first value is set.
    int16_t *coefficients;
    bool *flat;
    /// Which rows of blocks are there already.
    bool *transformed;
    /// Its first part, and how many there are.
    int first_part, part_count;
} cjpeg_component;

/// Some rows of blocks of a component. What one pass makes of them depends on no other part.
typedef struct {
    int component;
    /// The first row, and the one behind the last; of whole MCUs, but for the last part.
    int first, end;
    /// DC values of a row of MCUs, row by row of its blocks.
    int16_t *dc;
    cjpeg_statistics statistics;
    cjpeg_symbols symbols;
    /// Blocks that were looked at.
    long counted;
    bool lacks_memory;
} cjpeg_part;

struct cjpeg_transform {
    cjpeg_picture picture;
    cjpeg_component components[3];
    cjpeg_part *parts;
    int part_count;
    /// The pass in hand, or the latest one.
    cjpeg_pass pass;
    cjpeg_quantizer quantizers[2];
    /// Rates of the AC symbols of luma and chroma.
    cjpeg_rates rates[2];
    bool has_rates;
    /// Of each part; made with the first pass that keeps them.
    cjpeg_blocks *blocks;
    /// Of the latest pass that kept its blocks.
    struct {
        bool is_whole, optimizes;
        cjpeg_table tables[2];
    } kept;
};

#endif

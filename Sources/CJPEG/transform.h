#ifndef CJPEG_TRANSFORM_H
#define CJPEG_TRANSFORM_H

#include "blocks.h"
#include "CJPEG.h"

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
    /// Its first part, and how many there are.
    int first_part, part_count;
} cjpeg_component;

/// Some rows of blocks of a component. What one pass makes of them depends on no other part.
typedef struct {
    int component;
    /// The first row, and the one behind the last.
    int first, end;
    cjpeg_statistics statistics;
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
        double estimate;
    } kept;
};

#endif

#ifndef CJPEG_BLOCKS_H
#define CJPEG_BLOCKS_H

#include "scans.h"
#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many values of a block, from the first on, are kept whatever they are: those of the scans of low frequencies.
enum { CJPEG_LOW_COUNT = CJPEG_LOW_LAST + 1 };

/// Quantised blocks of some rows of a component: but for the first three, only values that are not zero are kept.
/// libjpeg's own arrays take 128 bytes a block, nearly all of them zeros.
typedef struct {
    int width, height;
    /// Of each block, row by row: bit k is set where position k of the zigzag order has a value.
    uint64_t *nonzero;
    /// The first three values of each block, which scans of their own read.
    int16_t (*low_values)[CJPEG_LOW_COUNT];
    /// Where the other values of each row start.
    size_t *starts;
    /// A byte a value, as nearly all need no more; WIDE, and behind it two bytes, for what does.
    int8_t *values;
    size_t count, capacity;
} cjpeg_blocks;

/// False where memory runs out; `cjpeg_blocks_destroy` is due in any case.
bool cjpeg_blocks_create(cjpeg_blocks *blocks, int width, int height);
void cjpeg_blocks_destroy(cjpeg_blocks *blocks);

/// Makes room for other blocks in the memory of those that are there.
void cjpeg_blocks_clear(cjpeg_blocks *blocks);

/// Appends the blocks of one row from left to right, rows from top to bottom. `block` is in zigzag order; only positions
/// of `nonzero` are looked at. False where memory runs out.
bool cjpeg_blocks_append(cjpeg_blocks *blocks, int x, int y, const int16_t block[64], uint64_t nonzero);

/// A component as a compressor reads it, scan by scan.
typedef struct {
    /// From top to bottom, each but the last of the same height.
    const cjpeg_blocks *bands;
    int band_count;
    /// Rows handed out last, in natural order; the compressor's memory.
    JBLOCKARRAY rows;
    JDIMENSION row_count;
} cjpeg_served_blocks;

/// Lets `info` read the arrays that jpeg_write_coefficients is given from `cjpeg_served_blocks`: each "virtual array" is a
/// pointer to one. Rows below the last one are zero.
void cjpeg_blocks_serve(struct jpeg_compress_struct *info);

#endif

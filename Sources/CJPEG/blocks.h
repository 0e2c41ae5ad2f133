// Quantised blocks in little memory, and how a libjpeg compressor reads them.

#ifndef CJPEG_BLOCKS_H
#define CJPEG_BLOCKS_H

#include "scans.h"
#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The leading coefficients of each block that are stored even if they are zero: DC and those of the low-frequency
/// scans.
enum { CJPEG_LOW_COUNT = CJPEG_LOW_LAST + 1 };

/// Quantised blocks of some rows of a component. Zeros are not stored, except among the first coefficients: libjpeg's
/// arrays take 128 bytes a block, nearly all of them zeros.
typedef struct {
    int width, height;
    /// Of each block in raster order: bit k is set if position k of the zigzag order is nonzero.
    uint64_t *nonzero;
    /// The first coefficients of each block, which have scans of their own.
    int16_t (*low_values)[CJPEG_LOW_COUNT];
    /// The index in `values` at which each row starts.
    size_t *starts;
    /// The other nonzero coefficients, one byte each; a value that does not fit is ESCAPE followed by two bytes.
    int8_t *values;
    size_t count, capacity;
} cjpeg_blocks;

/// Returns false if memory runs out; `cjpeg_blocks_destroy` must be called in either case.
bool cjpeg_blocks_create(cjpeg_blocks *blocks, int width, int height);
void cjpeg_blocks_destroy(cjpeg_blocks *blocks);

/// Removes all blocks and keeps the memory.
void cjpeg_blocks_clear(cjpeg_blocks *blocks);

/// Appends a block, in raster order. `block` is in zigzag order; only the positions of `nonzero` are read. Returns
/// false if memory runs out.
bool cjpeg_blocks_append(cjpeg_blocks *blocks, int x, int y, const int16_t block[64], uint64_t nonzero);

/// A component as the compressor reads it, scan by scan.
typedef struct {
    /// From top to bottom; all have the same height except the last.
    const cjpeg_blocks *bands;
    int band_count;
    /// The rows that were returned last, in natural order, in the compressor's memory.
    JBLOCKARRAY rows;
    JDIMENSION row_count;
} cjpeg_block_array;

/// Makes `info` read the coefficients from the `cjpeg_block_array`s that are passed to jpeg_write_coefficients as its
/// virtual arrays. Rows below the last one are zero.
void cjpeg_blocks_serve(struct jpeg_compress_struct *info);

#endif

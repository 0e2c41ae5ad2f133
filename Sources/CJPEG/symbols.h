// Counts the Huffman symbols of a stream, so that its size is known before it is written.

#ifndef CJPEG_SYMBOLS_H
#define CJPEG_SYMBOLS_H

#include "scans.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Symbol frequencies of one AC scan (T.81 F.1.2.2, G.1.2.2 and G.1.2.3).
typedef struct {
    /// By run and size; EOBn by n.
    uint32_t counts[256];
    /// Bits that follow the symbols.
    uint64_t extra_bits;
    /// The EOB run that is not coded yet, and its correction bits.
    uint32_t eob_run, correction_bits;
} cjpeg_scan_symbols;

/// Symbol frequencies of a picture, or of a part of it, for the scans of scans.h.
typedef struct {
    bool progressive;
    int components;
    /// Of luma and chroma, by the size category of the difference.
    uint32_t dc[2][12];
    uint64_t dc_extra_bits;
    cjpeg_scan_symbols ac[CJPEG_AC_SCAN_COUNT];
} cjpeg_symbols;

void cjpeg_symbols_begin(cjpeg_symbols *symbols, int components, bool progressive);

/// Counts the AC coefficients of the next block of a component: `block` in zigzag order, bit k of `nonzero` set where
/// position k is nonzero. The blocks of a component come in raster order.
void cjpeg_symbols_add_block(cjpeg_symbols *symbols, int component, const int16_t block[64], uint64_t nonzero);

/// Counts the difference of a DC coefficient to its predictor. The blocks of an interleaved scan come MCU by MCU.
void cjpeg_symbols_add_dc(cjpeg_symbols *symbols, int component, int difference);

/// Counts a block beyond the edge that completes an MCU: its DC coefficient equals the predictor, the others are zero.
void cjpeg_symbols_add_padding_block(cjpeg_symbols *symbols, int component);

/// Adds the frequencies of another part of the picture.
void cjpeg_symbols_merge(cjpeg_symbols *symbols, const cjpeg_symbols *part);

/// The bytes of a stream with `scale` times these symbols, from SOI to EOI without any APP marker.
double cjpeg_symbols_bytes(const cjpeg_symbols *symbols, double scale);

#endif

#ifndef CJPEG_SYMBOLS_H
#define CJPEG_SYMBOLS_H

#include "scans.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How often each Huffman symbol comes in one scan of AC values (T.81 F.1.2.2, G.1.2.2 and G.1.2.3).
typedef struct {
    /// By run and size, or by the size of a run of ended blocks.
    uint32_t counts[256];
    /// Bits behind the symbols.
    uint64_t extra;
    /// Blocks that have ended, and the bits that correct them, which no symbol stands for yet.
    uint32_t ended, corrections;
} cjpeg_scan_symbols;

/// The symbols of a picture, or of a part of one, as the scans of scans.h hold them: what a stream will take is known
/// before it is written.
typedef struct {
    bool progressive;
    int components;
    /// Of luma and chroma, by the size category of the difference.
    uint32_t dc[2][12];
    uint64_t dc_extra;
    cjpeg_scan_symbols ac[CJPEG_MOST_AC_SCANS];
} cjpeg_symbols;

void cjpeg_symbols_begin(cjpeg_symbols *symbols, int components, bool progressive);

/// Counts the AC values of the next block of a component: `block` in zigzag order, bit k of `nonzero` set where position k has
/// a value. All blocks of a component come one after the other, row by row.
void cjpeg_symbols_add(cjpeg_symbols *symbols, int component, const int16_t block[64], uint64_t nonzero);

/// Counts a DC value by its difference to the one before it: in the scan that holds all components those of one MCU come
/// one after the other.
void cjpeg_symbols_add_dc(cjpeg_symbols *symbols, int component, int difference);

/// Counts a block beyond the edge that fills up an MCU: its DC value is that of the block before it, and it has no others.
void cjpeg_symbols_add_filling(cjpeg_symbols *symbols, int component);

/// Adds what another part of the picture has counted.
void cjpeg_symbols_merge(cjpeg_symbols *symbols, const cjpeg_symbols *part);

/// The bytes of a stream with `share` times these symbols, from SOI to EOI without any APP marker.
double cjpeg_symbols_bytes(const cjpeg_symbols *symbols, double share);

#endif

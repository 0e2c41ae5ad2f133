#ifndef CJPEG_SCANS_H
#define CJPEG_SCANS_H

// The scans of progressive streams, for the writer (stream.c) and for the counter (symbols.c).
//
// Low frequencies first; the lowest bit of luma's high ones comes last. The split after coefficient 2 gives the symbols of the
// first two, which are hardly ever zero, Huffman tables of their own. Chosen among 36 scripts as the one that takes least over
// 14 photographs at qualities 75 and 90.

enum {
    /// Positions of the zigzag order.
    CJPEG_LOW_FIRST = 1,
    CJPEG_LOW_LAST = 2,
    CJPEG_HIGH_FIRST = 3,
    CJPEG_HIGH_LAST = 63,
    /// Bits of luma's high values that a last scan adds.
    CJPEG_LAST_BITS = 1,
};

/// The scans of AC values by what they hold: SCAN(name, component, first, last, bits before, bits behind).
#define CJPEG_LUMA_SCANS(SCAN) \
    SCAN(CJPEG_LUMA_LOW, 0, CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0, 0) \
    SCAN(CJPEG_LUMA_HIGH, 0, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0, CJPEG_LAST_BITS)
#define CJPEG_CHROMA_SCANS(SCAN) \
    SCAN(CJPEG_CB_LOW, 1, CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0, 0) \
    SCAN(CJPEG_CR_LOW, 2, CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0, 0) \
    SCAN(CJPEG_CB_HIGH, 1, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0, 0) \
    SCAN(CJPEG_CR_HIGH, 2, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0, 0)
#define CJPEG_LAST_SCANS(SCAN) \
    SCAN(CJPEG_LUMA_LAST_BITS, 0, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, CJPEG_LAST_BITS, 0)

#define CJPEG_SCAN_NAME(name, component, first, last, before, behind) name,
enum {
    CJPEG_LUMA_SCANS(CJPEG_SCAN_NAME) CJPEG_LAST_SCANS(CJPEG_SCAN_NAME) CJPEG_CHROMA_SCANS(CJPEG_SCAN_NAME)
    CJPEG_MOST_AC_SCANS
};
#undef CJPEG_SCAN_NAME

#endif

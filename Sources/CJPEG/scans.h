// The scan script of progressive streams, for the writer (stream.c) and for the counter (symbols.c).
//
// Low frequencies come first, the lowest bit of the high luma frequencies last. Ending the low band at coefficient 2
// gives the first two coefficients, which are rarely zero, Huffman tables of their own. Of 36 scripts this one was the
// smallest over 14 photographs at qualities 75 and 90.

#ifndef CJPEG_SCANS_H
#define CJPEG_SCANS_H

enum {
    /// Spectral selection (T.81 G.1.1.1.1): positions of the zigzag order.
    CJPEG_LOW_FIRST = 1,
    CJPEG_LOW_LAST = 2,
    CJPEG_HIGH_FIRST = 3,
    CJPEG_HIGH_LAST = 63,
    /// Successive approximation (T.81 G.1.1.1.2): bits of the high luma frequencies that are left to the refinement
    /// scan.
    CJPEG_LUMA_AL = 1,
};

/// The AC scans: SCAN(name, component, Ss, Se, Ah, Al).
#define CJPEG_LUMA_SCANS(SCAN) \
    SCAN(CJPEG_LUMA_LOW, 0, CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0, 0) \
    SCAN(CJPEG_LUMA_HIGH, 0, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0, CJPEG_LUMA_AL)
#define CJPEG_CHROMA_SCANS(SCAN) \
    SCAN(CJPEG_CB_LOW, 1, CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0, 0) \
    SCAN(CJPEG_CR_LOW, 2, CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0, 0) \
    SCAN(CJPEG_CB_HIGH, 1, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0, 0) \
    SCAN(CJPEG_CR_HIGH, 2, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0, 0)
#define CJPEG_REFINEMENT_SCANS(SCAN) SCAN(CJPEG_LUMA_REFINEMENT, 0, CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, CJPEG_LUMA_AL, 0)

// clang-format off
#define CJPEG_SCAN_NAME(name, component, ss, se, ah, al) name,
enum {
    CJPEG_LUMA_SCANS(CJPEG_SCAN_NAME) CJPEG_REFINEMENT_SCANS(CJPEG_SCAN_NAME) CJPEG_CHROMA_SCANS(CJPEG_SCAN_NAME)
    CJPEG_AC_SCAN_COUNT
};
#undef CJPEG_SCAN_NAME
// clang-format on

#endif

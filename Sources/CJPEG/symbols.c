// Symbol frequencies of sequential and progressive scans, and the size of their Huffman codes.

#include "symbols.h"
#include "coefficients.h"

#include <stdlib.h>
#include <string.h>

/// The scans of a sequential stream.
enum { LUMA, CHROMA };

/// A band of frequencies that an AC scan codes, and its point transform.
typedef struct {
    int ss, se, al;
} band;

static const band LOW = {CJPEG_LOW_FIRST, CJPEG_LOW_LAST, 0};
static const band HIGH = {CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, 0};
static const band LUMA_HIGH = {CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST, CJPEG_LUMA_AL};

CJPEG_INLINE uint64_t positions(band band) { return (~UINT64_C(0) >> (63 - band.se)) & (~UINT64_C(0) << band.ss); }

void cjpeg_symbols_begin(cjpeg_symbols *symbols, int components, bool progressive) {
    memset(symbols, 0, sizeof *symbols);
    symbols->components = components;
    symbols->progressive = progressive;
}

/// Codes the pending EOB run (G.1.2.2: EOBn).
static void flush_eob_run(cjpeg_scan_symbols *scan) {
    if (scan->eob_run == 0) return;
    const int size = cjpeg_size_category((int)scan->eob_run) - 1;
    scan->counts[size << 4]++;
    scan->extra_bits += (uint64_t)size;
    scan->eob_run = scan->correction_bits = 0;
}

/// libjpeg flushes at the longest EOB run, and when the next block might overflow its buffer of correction bits.
enum { LONGEST_EOB_RUN = 0x7FFF, MAXIMUM_CORRECTION_BITS = 1000 - 64 + 1 };

static void extend_eob_run(cjpeg_scan_symbols *scan, uint32_t correction_bits) {
    scan->eob_run++;
    scan->correction_bits += correction_bits;
    if (scan->eob_run == LONGEST_EOB_RUN || scan->correction_bits > MAXIMUM_CORRECTION_BITS) flush_eob_run(scan);
}

/// The first scan of a band (G.1.2.2). Bits of `nonzero` outside the band must be clear.
CJPEG_INLINE void count_first_scan(cjpeg_scan_symbols *scan, const int16_t block[64], uint64_t nonzero, band band) {
    if (nonzero) {
        flush_eob_run(scan);
        scan->extra_bits += cjpeg_count_ac_symbols(scan->counts, block, nonzero, band.ss - 1, band.al);
        if (nonzero >> band.se) return;
    }
    extend_eob_run(scan, 0);
}

/// The scan that adds the lowest bit (G.1.2.3): coefficients at `large` get a correction bit, those at `small` are 1 or
/// -1 and become nonzero here.
CJPEG_INLINE void count_refinement_scan(cjpeg_scan_symbols *scan, uint64_t small, uint64_t large, band band) {
    int from = band.ss - 1;
    scan->extra_bits += (uint64_t)__builtin_popcountll(large);
    if (small) {
        flush_eob_run(scan);
        for (; small; small &= small - 1) {
            const int k = __builtin_ctzll(small);
            const uint64_t between = (UINT64_C(1) << k) - (UINT64_C(2) << from);
            int run = k - from - 1 - __builtin_popcountll(large & between);
            for (; run > 15; run -= 16) scan->counts[0xF0]++;
            scan->counts[run << 4 | 1]++;
            scan->extra_bits++;
            from = k;
        }
    }
    if (from < band.se) extend_eob_run(scan, (uint32_t)__builtin_popcountll(large >> from >> 1));
}

/// The only scan of a sequential stream (F.1.2.2).
static void count_sequential_scan(cjpeg_scan_symbols *scan, const int16_t block[64], uint64_t nonzero) {
    scan->extra_bits += cjpeg_count_ac_symbols(scan->counts, block, nonzero, 0, 0);
    if (!(nonzero >> 63)) scan->counts[0]++;
}

void cjpeg_symbols_add_dc(cjpeg_symbols *symbols, int component, int difference) {
    const int size = cjpeg_size_category(difference < 0 ? -difference : difference);
    symbols->dc[component > 0][size]++;
    symbols->dc_extra_bits += (uint64_t)size;
}

void cjpeg_symbols_add_block(cjpeg_symbols *symbols, int component, const int16_t block[64], uint64_t nonzero) {
    nonzero &= ~UINT64_C(1);
    cjpeg_scan_symbols *ac = symbols->ac;
    if (!symbols->progressive) {
        count_sequential_scan(&ac[component > 0 ? CHROMA : LUMA], block, nonzero);
        return;
    }
    const uint64_t low = nonzero & positions(LOW), high = nonzero & positions(HIGH);
    if (component > 0) {
        count_first_scan(&ac[CJPEG_CB_LOW + component - 1], block, low, LOW);
        count_first_scan(&ac[CJPEG_CB_HIGH + component - 1], block, high, HIGH);
        return;
    }
    count_first_scan(&ac[CJPEG_LUMA_LOW], block, low, LOW);
    uint64_t large = 0;
    for (uint64_t rest = high; rest; rest &= rest - 1) {
        const int k = __builtin_ctzll(rest);
        if (block[k] > 1 || block[k] < -1) large |= UINT64_C(1) << k;
    }
    count_first_scan(&ac[CJPEG_LUMA_HIGH], block, large, LUMA_HIGH);
    count_refinement_scan(&ac[CJPEG_LUMA_REFINEMENT], high & ~large, large, HIGH);
}

void cjpeg_symbols_add_padding_block(cjpeg_symbols *symbols, int component) {
    symbols->dc[component > 0][0]++;
    // Scans of a single component have no padding blocks.
    if (!symbols->progressive) symbols->ac[component > 0 ? CHROMA : LUMA].counts[0]++;
}

void cjpeg_symbols_merge(cjpeg_symbols *symbols, const cjpeg_symbols *part) {
    for (int kind = 0; kind < 2; kind++)
        for (int size = 0; size < 12; size++) symbols->dc[kind][size] += part->dc[kind][size];
    symbols->dc_extra_bits += part->dc_extra_bits;
    for (int i = 0; i < CJPEG_AC_SCAN_COUNT; i++) {
        cjpeg_scan_symbols *sum = &symbols->ac[i], scan = part->ac[i];
        // This cuts an EOB run between two parts: one symbol more among thousands.
        flush_eob_run(&scan);
        for (int symbol = 0; symbol < 256; symbol++) sum->counts[symbol] += scan.counts[symbol];
        sum->extra_bits += scan.extra_bits;
    }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Bits of all symbols under the Huffman code for their frequencies. Adds the length of its DHT segment to
/// `table_bytes`.
static double code_bits(const uint32_t *counts, int length, double scale, double *table_bytes) {
    double leaves[257], nodes[257];
    int leaf_count = 0;
    for (int i = 0; i < length; i++)
        if (counts[i]) leaves[leaf_count++] = counts[i] * scale;
    if (leaf_count == 0) return 0;
    *table_bytes += 4 + 1 + 16 + leaf_count;
    // libjpeg reserves the code of all ones by adding a symbol.
    leaves[leaf_count++] = 1;
    qsort(leaves, (size_t)leaf_count, sizeof *leaves, ascending);
    // Huffman's algorithm with two queues: joining two subtrees adds one bit to each of their symbols.
    double bits = 0;
    int leaf = 0, node = 0, node_count = 0;
    while (leaf_count - leaf + node_count - node > 1) {
        double sum = 0;
        for (int i = 0; i < 2; i++) {
            const bool takes_leaf = node == node_count || (leaf < leaf_count && leaves[leaf] <= nodes[node]);
            sum += takes_leaf ? leaves[leaf++] : nodes[node++];
        }
        nodes[node_count++] = sum;
        bits += sum;
    }
    return bits;
}

double cjpeg_symbols_bytes(const cjpeg_symbols *symbols, double scale) {
    const int components = symbols->components, kinds = components > 1 ? 2 : 1;
    // SOI, EOI, DQT, SOF, and the SOS of the interleaved scan.
    double markers = 2 + 2 + 69 * kinds + 10 + 3 * components + 8 + 2 * components;
    double bits = symbols->dc_extra_bits * scale;
    for (int kind = 0; kind < kinds; kind++) bits += code_bits(symbols->dc[kind], 12, scale, &markers);
    for (int i = 0; i < CJPEG_AC_SCAN_COUNT; i++) {
        cjpeg_scan_symbols scan = symbols->ac[i];
        flush_eob_run(&scan);
        double headers = 0;
        bits += code_bits(scan.counts, 256, scale, &headers) + scan.extra_bits * scale;
        // SOS, and half a byte of padding on average.
        if (symbols->progressive && headers > 0) headers += 10.5;
        markers += headers;
    }
    // A zero byte is stuffed after each byte of all ones.
    return markers + bits / 8 * (1 + 1.0 / 256);
}

#include "symbols.h"
#include "steps.h"

#include <stdlib.h>
#include <string.h>

/// Positions `first` to `last` of the zigzag order.
#define BAND(first, last) ((~UINT64_C(0) >> (63 - (last))) & (~UINT64_C(0) << (first)))

/// Those of a sequential stream, luma and chroma.
enum { LUMA, CHROMA };

void cjpeg_symbols_begin(cjpeg_symbols *symbols, int components, bool progressive) {
    memset(symbols, 0, sizeof *symbols);
    symbols->components = components;
    symbols->progressive = progressive;
}

/// Writes the blocks that have ended (G.1.2.2: EOBn).
static void write_ended(cjpeg_scan_symbols *scan) {
    if (scan->ended == 0) return;
    const int size = cjpeg_category((int)scan->ended) - 1;
    scan->counts[size << 4]++;
    scan->extra += (uint64_t)size;
    scan->ended = scan->corrections = 0;
}

/// Longer runs of ended blocks, and more corrections than libjpeg holds back, are written at once.
enum { LONGEST_RUN = 0x7FFF, MOST_CORRECTIONS = 1000 - 64 + 1 };

static void add_ended(cjpeg_scan_symbols *scan, uint32_t corrections) {
    scan->ended++;
    scan->corrections += corrections;
    if (scan->ended == LONGEST_RUN || scan->corrections > MOST_CORRECTIONS) write_ended(scan);
}

/// The first scan of a band that ends at position `last`.
static void count_first(
    cjpeg_scan_symbols *scan, const int16_t block[64], uint64_t present, int from, int last, int low) {
    if (present) {
        write_ended(scan);
        scan->extra += cjpeg_count_values(scan->counts, block, present, from, low);
        if (present >> last) return;
    }
    add_ended(scan, 0);
}

/// The scan that adds the lowest bit: values of `large` are corrected by a bit, those of `small` are 1 or -1 and new.
static void count_last_bits(cjpeg_scan_symbols *scan, uint64_t small, uint64_t large, int from, int last) {
    scan->extra += (uint64_t)__builtin_popcountll(large);
    if (small) {
        write_ended(scan);
        for (; small; small &= small - 1) {
            const int k = __builtin_ctzll(small);
            const uint64_t between = (UINT64_C(1) << k) - (UINT64_C(2) << from);
            int zeros = k - from - 1 - __builtin_popcountll(large & between);
            for (; zeros > 15; zeros -= 16) scan->counts[0xF0]++;
            scan->counts[zeros << 4 | 1]++;
            scan->extra++;
            from = k;
        }
    }
    if (from < last) add_ended(scan, (uint32_t)__builtin_popcountll(large >> from >> 1));
}

static void count_sequential(cjpeg_scan_symbols *scan, const int16_t block[64], uint64_t nonzero) {
    scan->extra += cjpeg_count_values(scan->counts, block, nonzero, 0, 0);
    if (!(nonzero >> 63)) scan->counts[0]++;
}

void cjpeg_symbols_add_dc(cjpeg_symbols *symbols, int component, int difference) {
    const int size = cjpeg_category(difference < 0 ? -difference : difference);
    symbols->dc[component > 0][size]++;
    symbols->dc_extra += (uint64_t)size;
}

void cjpeg_symbols_add(cjpeg_symbols *symbols, int component, const int16_t block[64], uint64_t nonzero) {
    nonzero &= ~UINT64_C(1);
    cjpeg_scan_symbols *ac = symbols->ac;
    if (!symbols->progressive) {
        count_sequential(&ac[component > 0 ? CHROMA : LUMA], block, nonzero);
        return;
    }
    const uint64_t low = nonzero & BAND(CJPEG_LOW_FIRST, CJPEG_LOW_LAST), high = nonzero & BAND(CJPEG_HIGH_FIRST, CJPEG_HIGH_LAST);
    if (component > 0) {
        count_first(&ac[CJPEG_CB_LOW + component - 1], block, low, CJPEG_LOW_FIRST - 1, CJPEG_LOW_LAST, 0);
        count_first(&ac[CJPEG_CB_HIGH + component - 1], block, high, CJPEG_HIGH_FIRST - 1, CJPEG_HIGH_LAST, 0);
        return;
    }
    count_first(&ac[CJPEG_LUMA_LOW], block, low, CJPEG_LOW_FIRST - 1, CJPEG_LOW_LAST, 0);
    uint64_t large = 0;
    for (uint64_t rest = high; rest; rest &= rest - 1) {
        const int k = __builtin_ctzll(rest);
        if (block[k] > 1 || block[k] < -1) large |= UINT64_C(1) << k;
    }
    count_first(&ac[CJPEG_LUMA_HIGH], block, large, CJPEG_HIGH_FIRST - 1, CJPEG_HIGH_LAST, CJPEG_LAST_BITS);
    count_last_bits(
        &ac[CJPEG_LUMA_LAST_BITS], high & ~large, large, CJPEG_HIGH_FIRST - 1, CJPEG_HIGH_LAST);
}

void cjpeg_symbols_add_filling(cjpeg_symbols *symbols, int component) {
    symbols->dc[component > 0][0]++;
    // Scans of one component do not hold it.
    if (!symbols->progressive) symbols->ac[component > 0 ? CHROMA : LUMA].counts[0]++;
}

void cjpeg_symbols_merge(cjpeg_symbols *symbols, const cjpeg_symbols *part) {
    for (int kind = 0; kind < 2; kind++)
        for (int size = 0; size < 12; size++) symbols->dc[kind][size] += part->dc[kind][size];
    symbols->dc_extra += part->dc_extra;
    for (int scan = 0; scan < CJPEG_MOST_AC_SCANS; scan++) {
        cjpeg_scan_symbols *mine = &symbols->ac[scan], ended = part->ac[scan];
        // Between two parts a run is cut; it is one symbol among thousands.
        write_ended(&ended);
        for (int symbol = 0; symbol < 256; symbol++) mine->counts[symbol] += ended.counts[symbol];
        mine->extra += ended.extra;
    }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Bits of the symbols under a Huffman code of their own, and the bytes of its table, added to `table`.
static double code_bits(const uint32_t *counts, int length, double share, double *table) {
    double leaves[257], joined[257];
    int leaf_count = 0;
    for (int i = 0; i < length; i++)
        if (counts[i]) leaves[leaf_count++] = counts[i] * share;
    if (leaf_count == 0) return 0;
    *table += 4 + 1 + 16 + leaf_count;
    // The code of all ones is not used: libjpeg gives it to a symbol of its own.
    leaves[leaf_count++] = 1;
    qsort(leaves, (size_t)leaf_count, sizeof *leaves, ascending);
    // Huffman's construction with two queues: each symbol takes a bit each time that its tree is joined.
    double bits = 0;
    int leaf = 0, tree = 0, tree_count = 0;
    while (leaf_count - leaf + tree_count - tree > 1) {
        double sum = 0;
        for (int i = 0; i < 2; i++) {
            const int takes_leaf = tree == tree_count || (leaf < leaf_count && leaves[leaf] <= joined[tree]);
            sum += takes_leaf ? leaves[leaf++] : joined[tree++];
        }
        joined[tree_count++] = sum;
        bits += sum;
    }
    return bits;
}

double cjpeg_symbols_bytes(const cjpeg_symbols *symbols, double share) {
    const int components = symbols->components, kinds = components > 1 ? 2 : 1;
    // SOI, EOI, a table of each kind, SOF; SOS of the scan that holds all components.
    double markers = 2 + 2 + 69 * kinds + 10 + 3 * components + 8 + 2 * components;
    double bits = symbols->dc_extra * share;
    for (int kind = 0; kind < kinds; kind++) bits += code_bits(symbols->dc[kind], 12, share, &markers);
    for (int i = 0; i < CJPEG_MOST_AC_SCANS; i++) {
        cjpeg_scan_symbols scan = symbols->ac[i];
        write_ended(&scan);
        double table = 0;
        bits += code_bits(scan.counts, 256, share, &table) + scan.extra * share;
        // SOS, and what fills its last byte.
        if (symbols->progressive && table > 0) table += 10.5;
        markers += table;
    }
    // Behind a byte of all ones comes one of all zeros.
    return markers + bits / 8 * (1 + 1.0 / 256);
}

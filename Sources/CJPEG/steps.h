#ifndef CJPEG_STEPS_H
#define CJPEG_STEPS_H

#include "quantize.h"
#include "wide.h"

/// Eight values in steps of the table, from position `k` on.
CJPEG_BODY void cjpeg_in_steps(
    const cjpeg_quantizer *quantizer, const int16_t *coefficients, int k, cjpeg_floats *steps) {
    cjpeg_shorts values;
    cjpeg_floats inverse;
    memcpy(&values, coefficients + k, sizeof values);
    memcpy(&inverse, quantizer->inverse + k, sizeof inverse);
    *steps = __builtin_convertvector(values, cjpeg_floats) * inverse;
}

/// One bit for each lane that is true.
CJPEG_BODY uint64_t cjpeg_bits_of(cjpeg_truths truths) {
    uint8_t all;
    memcpy(&all, &truths, sizeof all);
    return all;
}

/// Bits of the magnitude of a value: its size category in T.81 F.1.2.
CJPEG_BODY int cjpeg_category(int magnitude) { return magnitude ? 32 - __builtin_clz((unsigned)magnitude) : 0; }

#endif

#ifndef CJPEG_HALVE_H
#define CJPEG_HALVE_H

#include <stdint.h>

/// Means over 2 x 2 samples of two rows, halves up. What lies past the edge is the edge once more.
void cjpeg_halve_rows(const uint8_t *above, const uint8_t *below, int width, uint8_t *target);

#endif

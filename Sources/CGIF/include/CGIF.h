// giflib, opened when the first GIF is decoded: no command that decodes none pays for it.

#ifndef CGIF_H
#define CGIF_H

#include <stddef.h>
#include <stdint.h>

/// Opens giflib. Returns what is missing, or NULL. Call it once.
const char *cgif_open_library(void);

/// A GIF in memory, which must outlive it.
struct cgif_file;

/// The first picture of a GIF, and the canvas that it lies on. The picture may reach beyond the canvas.
struct cgif_frame {
    int canvas_width, canvas_height;
    int left, top, width, height;
    int is_interlaced;
    /// The index of the transparent colour, or -1.
    int transparent;
    /// Red, green and blue of each colour.
    int color_count;
    uint8_t colors[3 * 256];
};

/// Reads up to the first picture. NULL if there is none.
struct cgif_file *cgif_open(const uint8_t *bytes, size_t count, struct cgif_frame *frame);
void cgif_close(struct cgif_file *file);

/// Decodes the next row, as stored: `width` indices. False at the end of the data and at damage.
int cgif_read_row(struct cgif_file *file, uint8_t *row, int width);

#endif

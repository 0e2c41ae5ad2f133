// giflib, opened when the first GIF is decoded: no command that decodes none pays for it.

#ifndef CGIF_H
#define CGIF_H

#include <stddef.h>
#include <stdint.h>

/// Opens giflib. Returns what is missing, or NULL. Call it once.
const char *cgif_open_library(void);

/// A GIF in memory, which must outlive it.
struct cgif_file;

/// One frame of a GIF, and the canvas that it lies on. The frame may reach beyond the canvas.
struct cgif_frame {
    int canvas_width, canvas_height;
    int left, top, width, height;
    int is_interlaced;
    /// From the graphics control before it: the index of the transparent colour, or -1; how long it is shown, in
    /// hundredths of a second; what becomes of it then; whether that waits for the user.
    int transparent, delay, disposal, waits;
    /// Red, green and blue of each colour.
    int color_count;
    uint8_t colors[3 * 256];
};

/// An extension: its blocks, each after its length, and the empty one that ends them.
struct cgif_extension {
    uint8_t label;
    const uint8_t *blocks;
    size_t count;
};

enum cgif_part {
    CGIF_DAMAGED,
    CGIF_FRAME,
    CGIF_EXTENSION,
    CGIF_END,
};

/// Opens a GIF, and tells the size of its canvas. NULL if it is none.
struct cgif_file *cgif_open(const uint8_t *bytes, size_t count, struct cgif_frame *frame);
void cgif_close(struct cgif_file *file);

/// Goes on to the next part, whose values it writes to `frame` or `extension`. All rows of a frame must have been read
/// before. Graphics controls are no parts: their values are those of the next frame.
enum cgif_part cgif_next(struct cgif_file *file, struct cgif_frame *frame, struct cgif_extension *extension);

/// Decodes the next row, as stored: `width` indices. False at the end of the data and at damage.
int cgif_read_row(struct cgif_file *file, uint8_t *row, int width);

#endif

// libtiff, opened when the first TIFF file is decoded. Linked, the six codecs that it needs would add milliseconds to
// the start of every command.

#ifndef CTIFF_H
#define CTIFF_H

#include <stddef.h>
#include <stdint.h>

/// Opens libtiff, and silences its messages. Returns what is missing, or NULL. Call it once.
const char *ctiff_open_library(void);

/// A TIFF file in memory, which must outlive it.
struct ctiff_file;

/// NULL if the file has no directory that libtiff understands. `width` and `height` are those of the first picture. A
/// strip or tile that takes more than `most_memory` bytes is not decoded, whatever size the file claims for it.
struct ctiff_file *ctiff_open(
    const uint8_t *bytes, size_t count, size_t most_memory, uint32_t *width, uint32_t *height);
void ctiff_close(struct ctiff_file *file);

/// Decodes the first picture, turned as its tag says, to red, green, blue and alpha bytes: `width * height * 4` of
/// them. 0 where nothing could be decoded; damaged parts are left as they were.
int ctiff_read(struct ctiff_file *file, uint32_t width, uint32_t height, uint8_t *rgba);

/// Decodes the strips or tiles of the first picture as they are stored, in their order, and passes each to `take`. 0
/// where one cannot be decoded, or is longer than `most` bytes.
int ctiff_visit_samples(
    struct ctiff_file *file, size_t most, void (*take)(void *user, const void *bytes, size_t count), void *user);

#endif

#include "CTIFF.h"

#include <dynamic_library.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// clang-format off
#define CTIFF_FUNCTIONS(each) \
    each(TIFFSetErrorHandler) \
    each(TIFFSetWarningHandler) \
    each(TIFFOpenOptionsAlloc) \
    each(TIFFOpenOptionsFree) \
    each(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    each(TIFFClientOpenExt) \
    each(TIFFClose) \
    each(TIFFGetField) \
    each(TIFFIsTiled) \
    each(TIFFNumberOfStrips) \
    each(TIFFNumberOfTiles) \
    each(TIFFReadEncodedStrip) \
    each(TIFFReadEncodedTile) \
    each(TIFFStripSize) \
    each(TIFFTileSize) \
    each(TIFFReadRGBAImageOriented)
// clang-format on

DYNAMIC_LIBRARY(ctiff, CTIFF_FUNCTIONS)

static struct ctiff_functions library;

struct ctiff_file {
    TIFF *tiff;
    const uint8_t *bytes;
    uint64_t count;
    uint64_t place;
};

const char *ctiff_open_library(void) {
    const char *missing = ctiff_load("libtiff.so.6", &library);
    if (missing) return missing;
    library.TIFFSetErrorHandler(NULL);
    library.TIFFSetWarningHandler(NULL);
    return NULL;
}

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t wanted) {
    struct ctiff_file *file = handle;
    if (wanted < 0 || file->place >= file->count) return 0;
    uint64_t left = file->count - file->place;
    uint64_t length = (uint64_t)wanted < left ? (uint64_t)wanted : left;
    memcpy(target, file->bytes + file->place, length);
    file->place += length;
    return (tmsize_t)length;
}

static tmsize_t refuse_write(thandle_t handle, void *source, tmsize_t count) {
    (void)handle, (void)source, (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    struct ctiff_file *file = handle;
    if (whence == SEEK_CUR) offset += file->place;
    if (whence == SEEK_END) offset += file->count;
    return file->place = offset;
}

static int keep_open(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size(thandle_t handle) { return ((struct ctiff_file *)handle)->count; }

/// The bytes are only read: libtiff maps files without the right to write.
static int map(thandle_t handle, void **base, toff_t *count) {
    struct ctiff_file *file = handle;
    *base = (void *)file->bytes;
    *count = file->count;
    return 1;
}

static void unmap(thandle_t handle, void *base, toff_t count) { (void)handle, (void)base, (void)count; }

struct ctiff_file *ctiff_open(
    const uint8_t *bytes, size_t count, size_t most_memory, uint32_t *width, uint32_t *height) {
    struct ctiff_file *file = calloc(1, sizeof *file);
    TIFFOpenOptions *options = library.TIFFOpenOptionsAlloc();
    if (file && options) {
        file->bytes = bytes;
        file->count = count;
        library.TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most_memory);
        // Mapped, because libtiff 4.5 refuses raw tiles of less than 1024 bytes where it reads them itself.
        file->tiff = library.TIFFClientOpenExt(
            "memory", "r", file, read_bytes, refuse_write, seek, keep_open, size, map, unmap, options);
    }
    if (options) library.TIFFOpenOptionsFree(options);
    if (!file) return NULL;
    if (!file->tiff || !library.TIFFGetField(file->tiff, TIFFTAG_IMAGEWIDTH, width) ||
        !library.TIFFGetField(file->tiff, TIFFTAG_IMAGELENGTH, height)) {
        ctiff_close(file);
        return NULL;
    }
    return file;
}

void ctiff_close(struct ctiff_file *file) {
    if (file->tiff) library.TIFFClose(file->tiff);
    free(file);
}

int ctiff_read(struct ctiff_file *file, uint32_t width, uint32_t height, uint8_t *rgba) {
    // libtiff packs the four bytes into words, red lowest: their order in memory on little-endian machines.
    return library.TIFFReadRGBAImageOriented(file->tiff, width, height, (uint32_t *)(void *)rgba, ORIENTATION_TOPLEFT, 0);
}

int ctiff_visit_samples(
    struct ctiff_file *file, size_t most, void (*take)(void *user, const void *bytes, size_t count), void *user) {
    const int is_tiled = library.TIFFIsTiled(file->tiff);
    const tmsize_t size = is_tiled ? library.TIFFTileSize(file->tiff) : library.TIFFStripSize(file->tiff);
    const uint32_t count = is_tiled ? library.TIFFNumberOfTiles(file->tiff) : library.TIFFNumberOfStrips(file->tiff);
    if (size <= 0 || (size_t)size > most || count == 0) return 0;
    void *samples = calloc(1, (size_t)size);
    if (!samples) return 0;
    uint32_t index = 0;
    for (; index < count; index++) {
        const tmsize_t length = is_tiled ? library.TIFFReadEncodedTile(file->tiff, index, samples, size)
                                         : library.TIFFReadEncodedStrip(file->tiff, index, samples, size);
        if (length < 0) break;
        take(user, samples, (size_t)length);
    }
    free(samples);
    return index == count;
}

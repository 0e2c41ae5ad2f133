#include <zimg.h>

// zimg's buffers keep their planes in an array of anonymous structs, which Swift cannot name, and the version that
// every struct must carry is a macro with arguments, which Swift does not import.

static inline unsigned czimg_api_version(void) { return ZIMG_API_VERSION; }

/// A buffer of one plane in memory, rows `stride` bytes apart.
static inline zimg_image_buffer_const czimg_source(const void *data, ptrdiff_t stride) {
    zimg_image_buffer_const buffer = {.version = ZIMG_API_VERSION};
    buffer.plane[0].data = data;
    buffer.plane[0].stride = stride;
    buffer.plane[0].mask = ZIMG_BUFFER_MAX;
    return buffer;
}

static inline zimg_image_buffer czimg_destination(void *data, ptrdiff_t stride) {
    zimg_image_buffer buffer = {.version = ZIMG_API_VERSION};
    buffer.plane[0].data = data;
    buffer.plane[0].stride = stride;
    buffer.plane[0].mask = ZIMG_BUFFER_MAX;
    return buffer;
}

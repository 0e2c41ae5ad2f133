#ifndef CJPEG_STREAM_H
#define CJPEG_STREAM_H

#include "session.h"

/// A compressor with a destination of fixed size.
typedef struct {
    struct jpeg_compress_struct info;
    cjpeg_session session;
    struct jpeg_destination_mgr destination;
    size_t capacity;
} cjpeg_stream;

/// Creates the compressor (`info.err` is set already) and sets all parameters of `picture`.
void cjpeg_stream_begin(cjpeg_stream *stream, const cjpeg_picture *picture, uint8_t *buffer, size_t capacity);

/// Creates the compressor (`info.err` is set already) with nothing but its destination.
void cjpeg_stream_open(cjpeg_stream *stream, uint8_t *buffer, size_t capacity);

/// Makes gray and YCbCr streams progressive by our own script, others by the library's.
void cjpeg_stream_set_scans(cjpeg_stream *stream);

/// Bytes written so far.
size_t cjpeg_stream_length(const cjpeg_stream *stream);

#endif

// A libjpeg compressor that writes to memory, with the parameters that all our streams share.

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

/// Creates the compressor (`info.err` must be set) and sets only its destination.
void cjpeg_stream_open(cjpeg_stream *stream, const cjpeg_buffer *output);

/// Creates the compressor (`info.err` must be set) and sets all parameters for `picture`.
void cjpeg_stream_begin(cjpeg_stream *stream, const cjpeg_picture *picture, const cjpeg_buffer *output);

/// Makes the stream progressive: gray and YCbCr by the script of scans.h, others by the library's.
void cjpeg_stream_set_scans(cjpeg_stream *stream);

/// Bytes written so far.
size_t cjpeg_stream_length(const cjpeg_stream *stream);

#endif

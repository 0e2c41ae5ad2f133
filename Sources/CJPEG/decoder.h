// The state of cjpeg_decoder, which decode.c and turn_coefficients.c share.

#ifndef CJPEG_DECODER_H
#define CJPEG_DECODER_H

#include "session.h"

struct cjpeg_decoder {
    struct jpeg_decompress_struct info;
    cjpeg_session session;
    struct jpeg_progress_mgr progress;
    struct jpeg_source_mgr source;
    /// Bytes that the source has not passed on yet.
    const uint8_t *rest;
    size_t rest_count;
    /// Blocks of all components.
    double blocks;
    cjpeg_output output;
};

#endif

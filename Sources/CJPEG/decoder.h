#ifndef CJPEG_DECODER_H
#define CJPEG_DECODER_H

#include "session.h"

struct cjpeg_decoder {
    struct jpeg_decompress_struct info;
    cjpeg_session session;
    struct jpeg_progress_mgr progress;
    struct jpeg_source_mgr source;
    /// What the source has not handed over yet.
    const uint8_t *rest;
    size_t rest_count;
    /// Of all components.
    double blocks;
    cjpeg_output output;
};

#endif

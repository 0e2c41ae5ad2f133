#ifndef CJPEG_DECODER_H
#define CJPEG_DECODER_H

#include "session.h"

struct cjpeg_decoder {
    struct jpeg_decompress_struct info;
    cjpeg_session session;
    struct jpeg_progress_mgr progress;
    /// Of all components.
    double blocks;
    cjpeg_output output;
};

#endif

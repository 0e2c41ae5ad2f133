// Turns libjpeg's errors and warnings into values.

#include "session.h"

#include <string.h>

static void error_exit(j_common_ptr info) {
    cjpeg_session *session = (cjpeg_session *)info->err;
    session->code = info->err->msg_code == JERR_OUT_OF_MEMORY || info->err->msg_code == JERR_NO_BACKING_STORE
        ? CJPEG_NO_MEMORY
        : CJPEG_REFUSED;
    info->err->format_message(info, session->message);
    longjmp(session->escape, 1);
}

/// Records a warning that affects no pixel, and returns whether it is one: bytes between the segments before the first
/// scan, where T.81 allows none, or bytes after the last block. Whether this scan is the last one, and what the bytes
/// are, is not known yet. A missing EOI is harmless too if the decoder had all the data that it needed; the arithmetic
/// decoder cannot tell.
static bool record_leftover(cjpeg_session *session, j_common_ptr info) {
    if (!info->is_decompressor) return false;
    const struct jpeg_decompress_struct *decoder = (const struct jpeg_decompress_struct *)info;
    if (info->err->msg_code == JWRN_JPEG_EOF) {
        session->leftovers.lacks_eoi = true;
        return !decoder->arith_code;
    }
    if (info->err->msg_code != JWRN_EXTRANEOUS_DATA) return false;
    const int count = info->err->msg_parm.i[0], marker = info->err->msg_parm.i[1];
    if (decoder->input_scan_number == 0) {
        session->leftovers.bytes_between_segments += count;
        return true;
    }
    if (session->leftover_scan > 0 || (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7)) return false;
    session->leftover_scan = decoder->input_scan_number;
    session->leftovers.bytes_after_scan = count;
    return true;
}

static void emit_message(j_common_ptr info, int level) {
    if (level >= 0) return; // traces
    cjpeg_session *session = (cjpeg_session *)info->err;
    if (record_leftover(session, info)) return;
    if (info->err->num_warnings++ == 0) info->err->format_message(info, session->warning);
}

static void output_message(j_common_ptr info) { (void)info; }

struct jpeg_error_mgr *cjpeg_session_begin(cjpeg_session *session) {
    memset(session, 0, sizeof *session);
    struct jpeg_error_mgr *manager = jpeg_std_error(&session->manager);
    manager->error_exit = error_exit;
    manager->emit_message = emit_message;
    manager->output_message = output_message;
    return manager;
}

int cjpeg_session_report(const cjpeg_session *session, cjpeg_error *error) {
    error->code = session->code;
    snprintf(error->message, sizeof error->message, "%s", session->message);
    return session->code;
}

_Noreturn void cjpeg_session_leave(j_common_ptr info, int code, const char *message) {
    cjpeg_session *session = (cjpeg_session *)info->err;
    session->code = code;
    snprintf(session->message, sizeof session->message, "%s", message);
    longjmp(session->escape, 1);
}

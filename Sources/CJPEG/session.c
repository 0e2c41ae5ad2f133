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

static void emit_message(j_common_ptr info, int level) {
    if (level >= 0) return; // traces
    cjpeg_session *session = (cjpeg_session *)info->err;
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

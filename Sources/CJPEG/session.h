#ifndef CJPEG_SESSION_H
#define CJPEG_SESSION_H

#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

/// The library's error manager, and where to go when it gives up.
typedef struct {
    struct jpeg_error_mgr manager; // first: the library hands this address back
    jmp_buf escape;
    /// What the escape was for: CJPEG_REFUSED unless somebody has set another code before.
    int code;
    char message[JMSG_LENGTH_MAX];
    /// Of the first warning that is not a leftover.
    char warning[JMSG_LENGTH_MAX];
    cjpeg_leftovers leftovers;
    /// The scan that bytes were left in; 0 for none.
    int left_scan;
} cjpeg_session;

/// Makes `session` the error manager of a compressor or decompressor.
struct jpeg_error_mgr *cjpeg_session_begin(cjpeg_session *session);

/// Fills `error` from an escape and returns its code.
int cjpeg_session_report(const cjpeg_session *session, cjpeg_error *error);

/// Leaves the library with a code and a message of our own.
_Noreturn void cjpeg_session_leave(j_common_ptr info, int code, const char *message);

#endif

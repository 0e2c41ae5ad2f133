// Error handling: the setjmp that each entry point sets, and what libjpeg reported.

#ifndef CJPEG_SESSION_H
#define CJPEG_SESSION_H

#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h> // needs stdio.h

#include <jerror.h>

/// The library's error manager, and where it jumps on an error.
typedef struct {
    struct jpeg_error_mgr manager; // first: callbacks receive its address
    jmp_buf escape;
    /// The reason for the jump.
    int code;
    char message[JMSG_LENGTH_MAX];
    /// The first warning that is not a leftover.
    char warning[JMSG_LENGTH_MAX];
    cjpeg_leftovers leftovers;
    /// The scan after which extraneous bytes were found; 0 for none.
    int leftover_scan;
} cjpeg_session;

/// Makes `session` the error manager of a compressor or decompressor.
struct jpeg_error_mgr *cjpeg_session_begin(cjpeg_session *session);

/// After the jump: fills `error` and returns its code.
int cjpeg_session_report(const cjpeg_session *session, cjpeg_error *error);

/// Jumps with a code and a message of our own.
_Noreturn void cjpeg_session_leave(j_common_ptr info, int code, const char *message);

#endif

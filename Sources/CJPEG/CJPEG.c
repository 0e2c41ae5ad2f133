#include "CJPEG.h"

#include <stdio.h>
#include <jpeglib.h>

int cjpeg_library_version(void) { return JPEG_LIB_VERSION; }

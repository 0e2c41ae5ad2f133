#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h> // needs stdio.h

#include <jerror.h>

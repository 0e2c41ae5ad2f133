#include <lcms2.h>

// Pixel formats are expressions of cast macros, which Swift does not import.

static const cmsUInt32Number CLCMS_RGB_8 = TYPE_RGB_8;
static const cmsUInt32Number CLCMS_RGBA_8 = TYPE_RGBA_8;
static const cmsUInt32Number CLCMS_RGBA_16 = TYPE_RGBA_16;
static const cmsUInt32Number CLCMS_GRAY_8 = TYPE_GRAY_8;
static const cmsUInt32Number CLCMS_GRAY_16 = TYPE_GRAY_16;
static const cmsUInt32Number CLCMS_CMYK_8 = TYPE_CMYK_8;
/// CMYK with 255 for no ink, as Adobe writes it into JPEG.
static const cmsUInt32Number CLCMS_CMYK_8_INVERTED = TYPE_CMYK_8_REV;

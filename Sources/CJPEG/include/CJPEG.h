#ifndef CJPEG_H
#define CJPEG_H
/// The version of the JPEG library this was compiled against, such as 62.
int cjpeg_library_version(void);
#endif

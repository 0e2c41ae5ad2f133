#include "CGIF.h"

#include <dynamic_library.h>
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

// The layout of GifFileType goes with the name of the library.
_Static_assert(GIFLIB_MAJOR == 5, "libgif.so.7 is giflib 5.1 to 5.2");
#define LIBRARY "libgif.so.7"

// DGifSlurp allocates all pictures of a file at the sizes that they claim, so rows are read one by one.
// clang-format off
#define CGIF_FUNCTIONS(each) \
    each(DGifOpen) \
    each(DGifCloseFile) \
    each(DGifGetRecordType) \
    each(DGifGetImageDesc) \
    each(DGifGetExtension) \
    each(DGifGetExtensionNext) \
    each(DGifExtensionToGCB) \
    each(DGifGetLine) \
    each(GifFreeSavedImages)
// clang-format on

DYNAMIC_LIBRARY(cgif, CGIF_FUNCTIONS)

static struct cgif_functions library;

struct cgif_file {
    GifFileType *gif;
    const uint8_t *bytes;
    size_t count;
    size_t place;
};

const char *cgif_open_library(void) {
    return cgif_load(LIBRARY, &library);
}

static int read_bytes(GifFileType *gif, GifByteType *target, int wanted) {
    struct cgif_file *file = gif->UserData;
    const size_t left = file->count - file->place;
    const size_t length = wanted < 0 ? 0 : (size_t)wanted < left ? (size_t)wanted : left;
    memcpy(target, file->bytes + file->place, length);
    file->place += length;
    return (int)length;
}

/// Reads one extension. False at damage; `is_control` tells whether it was a graphics control for the next frame.
static int read_extension(
    struct cgif_file *file, struct cgif_frame *frame, struct cgif_extension *extension, int *is_control) {
    GifFileType *gif = file->gif;
    const size_t start = file->place;
    int code;
    GifByteType *block;
    if (library.DGifGetExtension(gif, &code, &block) == GIF_ERROR) return 0;
    GraphicsControlBlock control;
    // The first byte of a block is its length.
    *is_control = block && code == GRAPHICS_EXT_FUNC_CODE &&
                  library.DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK;
    if (*is_control) {
        frame->transparent = control.TransparentColor;
        frame->delay = control.DelayTime;
        frame->disposal = control.DisposalMode;
        frame->waits = control.UserInputFlag;
    }
    while (block)
        if (library.DGifGetExtensionNext(gif, &block) == GIF_ERROR) return 0;
    // Behind the label.
    extension->label = (uint8_t)code;
    extension->blocks = file->bytes + start + 1;
    extension->count = file->place - start - 1;
    return 1;
}

static void clear_control(struct cgif_frame *frame) {
    frame->transparent = NO_TRANSPARENT_COLOR;
    frame->delay = frame->disposal = frame->waits = 0;
}

static void describe(const GifFileType *gif, struct cgif_frame *frame) {
    const GifImageDesc *picture = &gif->Image;
    frame->left = picture->Left, frame->top = picture->Top;
    frame->width = picture->Width, frame->height = picture->Height;
    frame->is_interlaced = picture->Interlace;
    const ColorMapObject *map = picture->ColorMap ? picture->ColorMap : gif->SColorMap;
    frame->color_count = !map ? 0 : map->ColorCount > 256 ? 256 : map->ColorCount;
    for (int i = 0; i < frame->color_count; i++) {
        frame->colors[3 * i] = map->Colors[i].Red;
        frame->colors[3 * i + 1] = map->Colors[i].Green;
        frame->colors[3 * i + 2] = map->Colors[i].Blue;
    }
}

struct cgif_file *cgif_open(const uint8_t *bytes, size_t count, struct cgif_frame *frame) {
    struct cgif_file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->bytes = bytes;
    file->count = count;
    int error;
    file->gif = library.DGifOpen(file, read_bytes, &error);
    if (!file->gif) {
        cgif_close(file);
        return NULL;
    }
    frame->canvas_width = file->gif->SWidth, frame->canvas_height = file->gif->SHeight;
    clear_control(frame);
    return file;
}

enum cgif_part cgif_next(struct cgif_file *file, struct cgif_frame *frame, struct cgif_extension *extension) {
    GifFileType *gif = file->gif;
    if (gif->SavedImages) {
        // giflib keeps a record of each frame: millions of empty ones would fill the memory.
        library.GifFreeSavedImages(gif);
        gif->SavedImages = NULL;
        gif->ImageCount = 0;
        clear_control(frame);
    }
    GifRecordType type;
    while (library.DGifGetRecordType(gif, &type) == GIF_OK) {
        int is_control = 0;
        switch (type) {
        case IMAGE_DESC_RECORD_TYPE:
            if (library.DGifGetImageDesc(gif) == GIF_ERROR) return CGIF_DAMAGED;
            describe(gif, frame);
            return CGIF_FRAME;
        case EXTENSION_RECORD_TYPE:
            if (!read_extension(file, frame, extension, &is_control)) return CGIF_DAMAGED;
            if (!is_control) return CGIF_EXTENSION;
            break;
        case TERMINATE_RECORD_TYPE: return CGIF_END;
        default: return CGIF_DAMAGED;
        }
    }
    return CGIF_DAMAGED;
}

void cgif_close(struct cgif_file *file) {
    int error;
    if (file->gif) library.DGifCloseFile(file->gif, &error);
    free(file);
}

int cgif_read_row(struct cgif_file *file, uint8_t *row, int width) {
    return library.DGifGetLine(file->gif, row, width) == GIF_OK;
}

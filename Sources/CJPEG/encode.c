#include "session.h"
#include "stream.h"

/// `stream` belongs to the caller's frame: what changes after setjmp must not live in this one.
static __attribute__((noinline)) int encode(
    cjpeg_stream *stream, const cjpeg_picture *picture, uint8_t *buffer, size_t capacity, cjpeg_error *error) {
    struct jpeg_compress_struct *info = &stream->info;
    if (setjmp(stream->session.escape)) return cjpeg_session_report(&stream->session, error);
    cjpeg_stream_begin(stream, picture, buffer, capacity);
    info->raw_data_in = TRUE;
    jpeg_start_compress(info, TRUE);

    JSAMPROW rows[3][4 * DCTSIZE];
    JSAMPARRAY image[3] = {rows[0], rows[1], rows[2]};
    const int mcu_rows = info->max_v_samp_factor * DCTSIZE;
    for (int mcu = 0; info->next_scanline < info->image_height; mcu++) {
        for (int i = 0; i < picture->components; i++) {
            const int high = info->comp_info[i].v_samp_factor * DCTSIZE;
            for (int row = 0; row < high; row++) {
                int y = mcu * high + row;
                if (y >= picture->plane_height[i]) y = picture->plane_height[i] - 1;
                rows[i][row] = (JSAMPROW)picture->plane[i] + y * picture->stride[i];
            }
        }
        jpeg_write_raw_data(info, image, (JDIMENSION)mcu_rows);
    }
    jpeg_finish_compress(info);
    return CJPEG_OK;
}

int cjpeg_encode(
    const cjpeg_picture *picture, uint8_t *buffer, size_t capacity, size_t *count, cjpeg_error *error) {
    cjpeg_stream stream = {0};
    stream.info.err = cjpeg_session_begin(&stream.session);
    const int code = encode(&stream, picture, buffer, capacity, error);
    *count = cjpeg_stream_length(&stream);
    if (stream.info.mem) jpeg_destroy_compress(&stream.info);
    return code;
}

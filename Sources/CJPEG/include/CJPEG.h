// libjpeg over memory, with errors as values.
//
// libjpeg leaves a failed call with longjmp, which must never cross a Swift frame: each function below that calls the
// library sets its own setjmp, and the jump ends inside it.
//
// Planes have 8 bits a sample and rows `stride` bytes apart. Tables are 64 values in natural (raster) order.

#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CJPEG_OK = 0,
    /// The stream does not fit the buffer.
    CJPEG_TOO_LONG = 1,
    /// The library refused the data; the message says why.
    CJPEG_REFUSED = 2,
    CJPEG_NO_MEMORY = 3,
    /// More scans than any honest file has: decoding would take too long.
    CJPEG_TOO_MANY_SCANS = 4,
};

/// Why a call failed. A function that fails fills both fields and returns the code (or NULL); one that succeeds returns
/// CJPEG_OK and leaves them as they were.
typedef struct {
    int code;
    char message[208];
} cjpeg_error;

/// Memory for a stream. `count` is set to the bytes that were written.
typedef struct {
    uint8_t *bytes;
    size_t capacity, count;
} cjpeg_buffer;

// MARK: - Decoding

enum { CJPEG_GRAY = 1, CJPEG_YCC = 2, CJPEG_RGB = 3, CJPEG_CMYK = 4, CJPEG_YCCK = 5, CJPEG_OTHER = 0 };

/// What the markers up to the first scan say.
typedef struct {
    int width, height;
    int components;
    /// CJPEG_GRAY … CJPEG_YCCK, as libjpeg concludes from JFIF and Adobe markers and component IDs.
    int color;
    /// Sampling factors, 1…4.
    int h[4], v[4];
    bool progressive, arithmetic;
    /// A quantisation table has values above 255, which baseline does not allow.
    bool wide_tables;
    /// There is an APP14 "Adobe" marker: CMYK samples are inverted.
    bool adobe;
    /// The quantisation table of the first component.
    uint16_t table[64];
    /// JFIF density: unit 0 (aspect only), 1 (per inch), 2 (per cm).
    bool jfif;
    int density_unit, x_density, y_density;
} cjpeg_header;

typedef struct cjpeg_decoder cjpeg_decoder;

/// Reads the markers up to the first scan. `bytes` must outlive the decoder. Returns NULL and fills `error` on failure.
/// `memory` limits what the library may allocate, in bytes; 0 for no limit.
cjpeg_decoder *cjpeg_decoder_create(const uint8_t *bytes, size_t count, size_t memory, cjpeg_error *error);
void cjpeg_decoder_destroy(cjpeg_decoder *decoder);
void cjpeg_decoder_get_header(const cjpeg_decoder *decoder, cjpeg_header *header);

enum { CJPEG_AS_PLANES = 0, CJPEG_AS_RGB = 1, CJPEG_AS_CMYK = 2 };

/// The size of the decoded picture. For rows of pixels only `width` and `height` have a meaning.
typedef struct {
    int width, height;
    /// Samples of each component, and the size of the buffer that it needs, which is a whole number of blocks.
    int plane_width[4], plane_height[4];
    int buffer_width[4], buffer_height[4];
    /// How many samples the picture covers: the last ones of a scaled or subsampled plane may be covered in part.
    double covered_width[4], covered_height[4];
    /// Chroma planes that cjpeg_decoder_read_planes can halve: they are as large as luma, which includes those of a
    /// scaled 4:2:0 picture, and have an even number of rows in each row of MCUs.
    bool can_be_halved[4];
    /// Planes with fewer samples than the file has. Subsampled chroma is decoded at twice the scale of luma.
    bool is_reduced[4];
} cjpeg_output;

typedef struct {
    uint8_t *data[4];
    ptrdiff_t stride[4];
} cjpeg_planes;

/// Starts to decode at 1/`denominator` (1, 2, 4 or 8) of the size. Reads all of a progressive file.
int cjpeg_decoder_start(cjpeg_decoder *decoder, int denominator, int form, cjpeg_output *output, cjpeg_error *error);

/// Decodes the picture into `planes`, which have the sizes in `cjpeg_output`. With `halves_chroma`, planes that can be
/// halved get half the width and height, rounded up: means over 2 x 2 samples.
int cjpeg_decoder_read_planes(
    cjpeg_decoder *decoder, const cjpeg_planes *planes, bool halves_chroma, cjpeg_error *error);

/// Decodes the next `count` rows of interleaved pixels (3 bytes of RGB or 4 of CMYK); there must be that many.
int cjpeg_decoder_read_rows(cjpeg_decoder *decoder, uint8_t *rows, ptrdiff_t stride, int count, cjpeg_error *error);

/// Restores fine detail in a plane that was decoded at 1/2, 1/4 or 1/8: such a decode averages samples, which weakens
/// waves of 4 samples by 8 % and waves of 2 samples by 30 %.
void cjpeg_restore_detail(uint8_t *plane, ptrdiff_t stride, int width, int height);

/// Reads to the end of the picture, so that damage at its end is found too.
int cjpeg_decoder_finish(cjpeg_decoder *decoder, cjpeg_error *error);

/// Bytes that the decoder skipped and that affect no pixel.
typedef struct {
    /// Between the segments before the first scan.
    long bytes_between_segments;
    /// After the last block of the last scan; only the caller can tell what they are.
    long bytes_after_scan;
    /// The data end without EOI, and every block was present.
    bool lacks_eoi;
} cjpeg_leftovers;

/// Valid after cjpeg_decoder_finish, if cjpeg_decoder_warning_count is 0.
cjpeg_leftovers cjpeg_decoder_leftovers(const cjpeg_decoder *decoder);

/// How often the library had to guess, leftovers apart, and the text of its first warning; "" for none.
long cjpeg_decoder_warning_count(const cjpeg_decoder *decoder);
const char *cjpeg_decoder_warning(const cjpeg_decoder *decoder);

// MARK: - Turning

/// How stored rows and columns map to those of the turned picture: columns are reversed (right to left) and rows are
/// reversed (bottom to top) as they are stored; then, with `swaps_axes`, columns become rows.
typedef struct {
    bool swaps_axes, reverses_columns, reverses_rows;
} cjpeg_turn;

/// A plane to read.
typedef struct {
    const uint8_t *samples;
    ptrdiff_t stride;
    int width, height;
} cjpeg_plane;

/// Turns a plane, whose sizes are not 0, into `target`, which must not overlap it.
void cjpeg_turn_plane(cjpeg_plane plane, cjpeg_turn turn, uint8_t *target, ptrdiff_t target_stride);

/// Writes the picture turned without loss, by its coefficients: a complete stream with optimised Huffman tables and
/// without any APP marker. Along each axis that is reversed, the picture must be a whole number of MCUs. The decoder
/// must not have been started, and cannot be used afterwards. Refuses damaged data.
int cjpeg_decoder_write_turned(
    cjpeg_decoder *decoder, cjpeg_turn turn, bool progressive, cjpeg_buffer *output, cjpeg_error *error);

// MARK: - Encoding

/// A quantisation table: values 1…255.
typedef struct {
    uint16_t values[64];
} cjpeg_table;

/// A picture to encode. The rows of each plane must be readable up to a multiple of 8 samples; rows from `plane_height`
/// on are not read, the last one is repeated instead.
typedef struct {
    int width, height;
    /// 1 (gray) or 3 (YCbCr).
    int components;
    /// Sampling factors of luma; those of chroma are 1.
    int h, v;
    const uint8_t *plane[3];
    ptrdiff_t stride[3];
    int plane_height[3];
    /// Luma and, with three components, chroma.
    cjpeg_table table[2];
    bool progressive;
} cjpeg_picture;

/// A picture that is quantised and counted as often as the search for a size needs. A stream is written from the latest
/// pass that kept its blocks.
typedef struct cjpeg_transform cjpeg_transform;

/// Returns NULL if memory runs out. The planes must outlive the transform; `picture->table` is not used.
/// `keeps_coefficients` stores all DCT coefficients (2 bytes a sample) when they are first used; otherwise each pass
/// computes them again.
cjpeg_transform *cjpeg_transform_create(const cjpeg_picture *picture, bool keeps_coefficients);
void cjpeg_transform_destroy(cjpeg_transform *transform);

/// One pass over the blocks of a picture: quantises them and counts the Huffman symbols of their stream.
typedef struct {
    /// Of luma and chroma.
    cjpeg_table tables[2];
    /// Rate-distortion optimised quantisation, with the rates of the latest pass that had `updates_rates`; there must
    /// have been one.
    bool uses_trellis;
    /// Only every `mcu_row_step`-th row of MCUs is visited, and stands for the others.
    int mcu_row_step;
    /// By how much to multiply the size; more than 1 if the planes are only some rows of the picture.
    double scale;
    /// Keeps the quantised blocks for cjpeg_transform_write; only with a step of 1.
    bool keeps_blocks;
    /// Sets the rates of the AC symbols from this pass.
    bool updates_rates;
} cjpeg_pass;

/// Whether a pass has set the rates.
bool cjpeg_transform_has_rates(const cjpeg_transform *transform);

/// Whether the blocks that are kept were quantised with the tables and in the manner of `pass`.
bool cjpeg_transform_has_blocks_for(const cjpeg_transform *transform, const cjpeg_pass *pass);

/// A pass is begun, run part by part, and ended. The parts depend only on the picture, and not on each other: threads
/// may run different ones at once.
int cjpeg_transform_part_count(const cjpeg_transform *transform);
void cjpeg_transform_begin(cjpeg_transform *transform, const cjpeg_pass *pass);
void cjpeg_transform_run_part(cjpeg_transform *transform, int part);

/// The size of the stream in bytes, from the symbols of all its scans. Assumes that bytes of all ones, which are
/// followed by a stuffed byte, are as frequent as in random data: about 0.1 % too much.
double cjpeg_transform_end(cjpeg_transform *transform);

/// Writes the blocks that were kept: a complete stream with optimised Huffman tables and without any APP marker.
/// CJPEG_TOO_LONG if it needs `capacity` bytes or more; CJPEG_NO_MEMORY also if there was none to keep the blocks.
int cjpeg_transform_write(const cjpeg_transform *transform, cjpeg_buffer *output, cjpeg_error *error);

#endif

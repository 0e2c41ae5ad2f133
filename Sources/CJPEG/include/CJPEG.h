#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg over memory, errors as values. libjpeg leaves a failed call with longjmp, which must never cross a Swift
// frame: each function below that calls the library sets its own setjmp and is left again before it returns.
//
// Planes are 8 bit, rows `stride` bytes apart. Coefficient blocks and tables are 64 values in natural (row) order.

enum {
    CJPEG_OK = 0,
    /// The encoder gave up: the stream is longer than the buffer.
    CJPEG_TOO_LONG = 1,
    /// The library refused the data; the message says why.
    CJPEG_REFUSED = 2,
    CJPEG_NO_MEMORY = 3,
    /// More scans than any honest file has: decoding would take for ever.
    CJPEG_TOO_MANY_SCANS = 4,
};

typedef struct {
    int code;
    char message[208];
} cjpeg_error;

enum { CJPEG_GRAY = 1, CJPEG_YCC = 2, CJPEG_RGB = 3, CJPEG_CMYK = 4, CJPEG_YCCK = 5, CJPEG_OTHER = 0 };

/// What the markers up to the first scan say.
typedef struct {
    int width, height;
    int components;
    /// CJPEG_GRAY … CJPEG_YCCK, as libjpeg concludes from JFIF and Adobe markers and component numbers.
    int color;
    /// Sampling factors, 1…4.
    int h[4], v[4];
    bool progressive, arithmetic;
    /// A quantisation table holds values above 255, which baseline has not.
    bool wide_tables;
    /// An APP14 "Adobe" marker was there: CMYK samples are inverted then.
    bool adobe;
    /// The quantisation table of the first component.
    uint16_t table[64];
    /// JFIF density: unit 0 (aspect only), 1 (per inch), 2 (per cm).
    bool jfif;
    int density_unit, x_density, y_density;
} cjpeg_header;

typedef struct cjpeg_decoder cjpeg_decoder;

/// Reads the markers up to the first scan. `bytes` must outlive the decoder. NULL with `error` filled on failure.
/// `memory` bounds what the library may take, in bytes; 0 for no bound.
cjpeg_decoder *cjpeg_decoder_create(const uint8_t *bytes, size_t count, size_t memory, cjpeg_error *error);
void cjpeg_decoder_destroy(cjpeg_decoder *decoder);
void cjpeg_decoder_get_header(const cjpeg_decoder *decoder, cjpeg_header *header);

enum { CJPEG_AS_PLANES = 0, CJPEG_AS_RGB = 1, CJPEG_AS_CMYK = 2 };

/// The size of what a decoder gives out. In planes: samples of each component, and the columns and rows that a buffer
/// for it must hold, which are whole blocks. Else only `width` and `height` of the pixels.
typedef struct {
    int width, height;
    int plane_width[4], plane_height[4];
    int buffer_width[4], buffer_height[4];
    /// How many of the samples the picture covers: the last ones of a scaled or subsampled plane stand for less.
    double covered_width[4], covered_height[4];
    /// Planes of chroma that are as large as that of luma, as those of a reduced 4:2:0 picture are too, and come in an
    /// even number of rows at a time: cjpeg_decoder_read_planes can halve them.
    bool can_be_halved[4];
    /// Planes with fewer samples than the file holds; chroma of half the density is decoded at twice the scale of luma.
    bool is_reduced[4];
} cjpeg_output;

typedef struct {
    uint8_t *data[4];
    ptrdiff_t stride[4];
} cjpeg_planes;

/// Starts to decode at 1/`denominator` (1, 2, 4 or 8) of the size. For a progressive file this reads all of it.
int cjpeg_decoder_start(cjpeg_decoder *decoder, int denominator, int form, cjpeg_output *output, cjpeg_error *error);

/// Decodes all rows into `planes`, each as large as `cjpeg_output` asks for.
/// `halves_chroma` gives those that can be halved at half their width and height, rounded up: means over 2 x 2 samples.
int cjpeg_decoder_read_planes(
    cjpeg_decoder *decoder, const cjpeg_planes *planes, bool halves_chroma, cjpeg_error *error);

/// Decodes the next `count` rows of interleaved pixels (3 bytes of RGB or 4 of CMYK); there must be as many.
int cjpeg_decoder_read_rows(cjpeg_decoder *decoder, uint8_t *rows, ptrdiff_t stride, int count, cjpeg_error *error);

/// Gives a plane decoded at 1/2, 1/4 or 1/8 the fine detail back that such a decode weakens: it is a mean over the
/// samples it replaces, which takes 8 % from what repeats every 4 samples and 30 % from what repeats every 2.
void cjpeg_restore_detail(uint8_t *plane, ptrdiff_t stride, int width, int height);

/// How stored columns and rows become those of another picture: rows and columns change places first where `swaps_axes`
/// is set; stored columns are read from right to left, stored rows from bottom to top, where they are reversed.
typedef struct {
    bool swaps_axes, reverses_columns, reverses_rows;
} cjpeg_turn;

/// Turns a plane of `width` x `height` samples, none of them 0, into `target`, which must not overlap it.
void cjpeg_turn_plane(
    const uint8_t *plane, ptrdiff_t stride, int width, int height, cjpeg_turn turn, uint8_t *target,
    ptrdiff_t target_stride);

/// Writes the picture turned, value by value of its blocks, so that nothing is lost, with optimised Huffman tables: a
/// whole stream without JFIF or other APP markers. Only for pictures of whole MCUs along each axis that is reversed. The
/// decoder must not have been started and is used up by this. Also refused where data are damaged.
int cjpeg_decoder_write_turned(
    cjpeg_decoder *decoder, cjpeg_turn turn, bool progressive, uint8_t *buffer, size_t capacity, size_t *count,
    cjpeg_error *error);

/// Reads to the end of the picture, so that damage at the end is seen too.
int cjpeg_decoder_finish(cjpeg_decoder *decoder, cjpeg_error *error);

/// What a decoder passed over that is a part of no pixel.
typedef struct {
    /// Bytes between the segments in front of the first scan.
    long stray;
    /// Bytes of any value behind the last block of the last scan, which only the caller can judge.
    long behind;
    /// The data end without EOI, and every block was there.
    bool lacks_end;
} cjpeg_leftovers;

/// To be asked once the picture was read to its end. Where cjpeg_decoder_warning_count is not 0 it means nothing.
cjpeg_leftovers cjpeg_decoder_leftovers(const cjpeg_decoder *decoder);

/// How often the library met data that it could only guess at, leftovers apart, and its words for the first time; "" for none.
long cjpeg_decoder_warning_count(const cjpeg_decoder *decoder);
const char *cjpeg_decoder_warning(const cjpeg_decoder *decoder);

/// A quantisation table: values 1…255 in natural order.
typedef struct {
    uint16_t values[64];
} cjpeg_table;

/// A picture to encode. Each plane must hold `plane_width` rounded up to 8 columns; rows past `plane_height` are not
/// read, the last one is repeated instead.
typedef struct {
    int width, height;
    /// 1 (gray) or 3 (YCbCr).
    int components;
    /// Sampling factors of the luma plane; those of chroma are 1.
    int h, v;
    const uint8_t *plane[3];
    ptrdiff_t stride[3];
    int plane_height[3];
    /// Luma, and chroma where there are three components.
    cjpeg_table table[2];
    bool progressive;
} cjpeg_picture;

/// A picture after its DCT, to be quantised and encoded as often as the search for a size needs. The latest pass that kept
/// its blocks is what a stream is written from.
typedef struct cjpeg_transform cjpeg_transform;

/// NULL where memory runs out. The planes must outlive the transform; `picture->table` is not used.
/// `keeps` holds all coefficients (2 bytes a sample) from their first use on, else they are computed for each use.
cjpeg_transform *cjpeg_transform_create(const cjpeg_picture *picture, bool keeps);
void cjpeg_transform_destroy(cjpeg_transform *transform);

/// One way through the blocks of a picture: quantises them and counts the symbols that a stream of them has.
typedef struct {
    /// Of luma and of chroma.
    cjpeg_table tables[2];
    /// Spends bits where they are worth most (rate-distortion optimised quantisation), by what symbols cost in the latest
    /// pass that `learns`; there must have been one.
    bool optimizes;
    /// Only every `step`-th row of MCUs is looked at and counts for the others.
    int step;
    /// How many times as much as all of this the stream is to hold: more than 1 for the sample of a picture.
    double share;
    /// The blocks are kept for cjpeg_transform_write; only where `step` is 1.
    bool keeps;
    bool learns;
} cjpeg_pass;

/// Whether a pass has learnt what symbols cost.
bool cjpeg_transform_has_rates(const cjpeg_transform *transform);

/// Whether the blocks that are kept are quantised as this pass would: with its tables and in its manner.
bool cjpeg_transform_holds(const cjpeg_transform *transform, const cjpeg_pass *pass);

/// A pass is begun, made part by part, and ended. Parts depend on the picture alone and not on each other: different ones
/// may be made by different threads at once.
int cjpeg_transform_part_count(const cjpeg_transform *transform);
void cjpeg_transform_begin(cjpeg_transform *transform, const cjpeg_pass *pass);
void cjpeg_transform_make_part(cjpeg_transform *transform, int part);

/// The bytes that the stream takes by the symbols of all its scans; bytes of all ones, behind which one is stuffed, are
/// taken to be as frequent as chance has them, which is some 0.1 % too much.
double cjpeg_transform_end(cjpeg_transform *transform);

/// Writes the blocks that are kept with optimised Huffman tables into `buffer`: a whole stream without JFIF or other APP
/// markers. CJPEG_TOO_LONG where the stream needs `capacity` bytes or more, CJPEG_NO_MEMORY also where there was none to
/// keep the blocks.
int cjpeg_transform_write(
    const cjpeg_transform *transform, uint8_t *buffer, size_t capacity, size_t *count, cjpeg_error *error);

#endif

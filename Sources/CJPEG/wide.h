#ifndef CJPEG_WIDE_H
#define CJPEG_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// The inner loops are written once, over vectors of 32 bytes, and on x86-64 compiled twice: for every processor, where
/// the compiler splits such vectors, and for those that have them (AVX2). Both give the same results, bit for bit: the
/// processor must never show in a file. So neither fuses a multiplication with an addition.
#pragma STDC FP_CONTRACT OFF

/// What both forms consist of.
#define CJPEG_BODY static inline __attribute__((always_inline))

#if defined __x86_64__
#define CJPEG_WIDE __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define CJPEG_HAS_WIDE \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && \
     __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt"))
#else
#define CJPEG_WIDE
#define CJPEG_HAS_WIDE false
#endif

/// Defines a function and its form for every processor, `NAME_plain`, which tests compare with it: both call `body`.
#define CJPEG_KERNEL(result, name, body, parameters, arguments) \
    static CJPEG_WIDE result name##_wide parameters { return body arguments; } \
    result name##_plain parameters { return body arguments; } \
    result name parameters { return CJPEG_HAS_WIDE ? name##_wide arguments : name##_plain arguments; }

typedef float cjpeg_floats __attribute__((vector_size(32)));
typedef int32_t cjpeg_ints __attribute__((vector_size(32)));
typedef int16_t cjpeg_shorts __attribute__((vector_size(16)));
typedef bool cjpeg_truths __attribute__((ext_vector_type(8)));

/// To the nearest, halves away from zero.
CJPEG_BODY void cjpeg_round(const cjpeg_floats *values, cjpeg_shorts *rounded) {
    const cjpeg_ints sign = (cjpeg_ints)*values & INT32_MIN;
    const cjpeg_floats half = (cjpeg_floats)(sign | (cjpeg_ints)((cjpeg_floats){0} + 0.5f));
    *rounded = __builtin_convertvector(__builtin_convertvector(*values + half, cjpeg_ints), cjpeg_shorts);
}

#endif

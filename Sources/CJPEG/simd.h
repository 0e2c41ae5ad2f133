// Vector types, and how a kernel is compiled for more than one instruction set.
//
// The inner loops are written once, over vectors of 32 bytes, and compiled twice on x86-64: portably, where the
// compiler splits such vectors, and for AVX2. Both give the same results bit for bit, because a file must not depend on
// the processor. Therefore neither fuses a multiplication with an addition.

#ifndef CJPEG_SIMD_H
#define CJPEG_SIMD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/// A function that is compiled into each variant of a kernel.
#define CJPEG_INLINE static inline __attribute__((always_inline))

#if defined __x86_64__
#define CJPEG_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define CJPEG_HAS_AVX2 \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && \
     __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt"))
#else
#define CJPEG_AVX2
#define CJPEG_HAS_AVX2 false
#endif

/// Defines the function `name`, which calls `body` compiled for this processor, and `NAME_portable` for the tests that
/// compare the two.
#define CJPEG_KERNEL(result, name, body, parameters, arguments) \
    static CJPEG_AVX2 result name##_avx2 parameters { return body arguments; } \
    result name##_portable parameters { return body arguments; } \
    result name parameters { return CJPEG_HAS_AVX2 ? name##_avx2 arguments : name##_portable arguments; }

typedef uint8_t cjpeg_u8x8 __attribute__((vector_size(8)));
typedef uint8_t cjpeg_u8x16 __attribute__((vector_size(16)));
typedef uint8_t cjpeg_u8x32 __attribute__((vector_size(32)));
typedef uint16_t cjpeg_u16x16 __attribute__((vector_size(32)));
typedef int16_t cjpeg_i16x8 __attribute__((vector_size(16)));
typedef int16_t cjpeg_i16x16 __attribute__((vector_size(32)));
typedef int32_t cjpeg_i32x8 __attribute__((vector_size(32)));
typedef float cjpeg_f32x8 __attribute__((vector_size(32)));
typedef bool cjpeg_mask8 __attribute__((ext_vector_type(8)));

/// Rounds to the nearest integer, halves away from zero.
CJPEG_INLINE void cjpeg_round(const cjpeg_f32x8 *values, cjpeg_i16x8 *rounded) {
    const cjpeg_i32x8 sign = (cjpeg_i32x8)*values & INT32_MIN;
    const cjpeg_f32x8 half = (cjpeg_f32x8)(sign | (cjpeg_i32x8)((cjpeg_f32x8){0} + 0.5f));
    *rounded = __builtin_convertvector(__builtin_convertvector(*values + half, cjpeg_i32x8), cjpeg_i16x8);
}

#endif

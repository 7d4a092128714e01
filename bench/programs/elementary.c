/* Elementary functions of each element, by the C library. */
#include "support.h"

#define FUNCTION(NAME, T, OPERAND, RESULT) \
    ENTRY(NAME) { \
        const i64 n = LENGTH(T, 0); \
        const T *restrict xs = IN(T, 0); \
        T *restrict o = KEPT(T, n); \
        for (i64 i = 0; i < n; i++) { \
            const T x = xs[i], y = OPERAND; \
            o[i] = RESULT; \
        } \
        GIVE(T, 0, o, n); \
        return DONE; \
    } \
    PASS void NAME##_operands(i64 n, const T *restrict a, T *restrict o) { \
        for (i64 i = 0; i < n; i++) { \
            const T x = a[i]; \
            o[i] = OPERAND; \
        } \
    } \
    PASS void NAME##_results(i64 n, const T *restrict a, const T *restrict b, T *restrict o) { \
        for (i64 i = 0; i < n; i++) { \
            const T x = a[i], y = b[i]; \
            (void)x; \
            o[i] = RESULT; \
        } \
    } \
    ENTRY(NAME##_unfused) { \
        const i64 n = LENGTH(T, 0); \
        T *operands = KEPT(T, n), *o = KEPT(T, n); \
        NAME##_operands(n, IN(T, 0), operands); \
        NAME##_results(n, IN(T, 0), operands, o); \
        GIVE(T, 0, o, n); \
        return DONE; \
    }

FUNCTION(exp_f64, f64, x * 10, exp(y))
FUNCTION(exp2_f64, f64, x * 10, exp2(y))
FUNCTION(log_f64, f64, x * 10 + 11, log(y))
FUNCTION(log2_f64, f64, x * 10 + 11, log2(y))
FUNCTION(sin_f64, f64, x * 10, sin(y))
FUNCTION(cos_f64, f64, x * 10, cos(y))
FUNCTION(tanh_f64, f64, x * 10, tanh(y))

FUNCTION(exp_f32, f32, x * 10, expf(y))
FUNCTION(exp2_f32, f32, x * 10, exp2f(y))
FUNCTION(log_f32, f32, x * 10 + 11, logf(y))
FUNCTION(log2_f32, f32, x * 10 + 11, log2f(y))
FUNCTION(sin_f32, f32, x * 10, sinf(y))
FUNCTION(cos_f32, f32, x * 10, cosf(y))
FUNCTION(tanh_f32, f32, x * 10, tanhf(y))
FUNCTION(pow_f32, f32, x * 10 + 11, powf(y, x))

/* Inner products of pairs, and of two arrays. */
#include "support.h"

#define DOT(T) \
    ENTRY(dot_##T) { \
        const i64 n = LENGTH(T, 0); \
        const T *restrict a = IN(T, 0), *restrict b = IN(T, 1), *restrict c = IN(T, 2), *restrict d = IN(T, 3); \
        T *restrict o = KEPT(T, n); \
        PARALLEL() \
        for (i64 i = 0; i < n; i++) \
            o[i] = (T)((wrap_##T)a[i] * (wrap_##T)b[i] + (wrap_##T)c[i] * (wrap_##T)d[i]); \
        GIVE(T, 0, o, n); \
        return DONE; \
    } \
    ENTRY(dot_##T##_unfused) { \
        const i64 n = LENGTH(T, 0); \
        T *left = KEPT(T, n), *right = KEPT(T, n), *o = KEPT(T, n); \
        T##_mul(n, IN(T, 0), IN(T, 1), left); \
        T##_mul(n, IN(T, 2), IN(T, 3), right); \
        T##_add(n, left, right, o); \
        GIVE(T, 0, o, n); \
        return DONE; \
    }
DOT(i32)
DOT(f64)

ENTRY(inner_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict a = IN(f64, 0), *restrict b = IN(f64, 1);
    f64 sum = 0;
    PARALLEL(reduction(+ : sum))
    for (i64 i = 0; i < n; i++) sum += a[i] * b[i];
    GIVE_SCALAR(f64, 0, sum);
    return DONE;
}

ENTRY(inner_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *products = KEPT(f64, n);
    f64_mul(n, IN(f64, 0), IN(f64, 1), products);
    GIVE_SCALAR(f64, 0, f64_sum(n, products));
    return DONE;
}

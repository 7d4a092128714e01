/* Prefix sums. */
#include "support.h"

#define SCAN(T, WHAT, FIRST, BY) \
    ENTRY(scan_##T) { \
        const i64 n = LENGTH(T, 0); \
        const T *restrict x = IN(T, 0); \
        T *restrict o = KEPT(T, n); \
        wrap_##T sum = 0; \
        for (i64 i = 0; i < n; i++) { \
            sum += (wrap_##T)x[i] WHAT BY; \
            o[i] = (T)sum; \
        } \
        GIVE(T, 0, o, n); \
        return DONE; \
    } \
    PASS void T##_prefixes(i64 n, const T *restrict a, T *restrict o) { \
        wrap_##T sum = 0; \
        for (i64 i = 0; i < n; i++) o[i] = (T)(sum += (wrap_##T)a[i]); \
    } \
    ENTRY(scan_##T##_unfused) { \
        const i64 n = LENGTH(T, 0); \
        T *mapped = KEPT(T, n), *o = KEPT(T, n); \
        FIRST(n, IN(T, 0), BY, mapped); \
        T##_prefixes(n, mapped, o); \
        GIVE(T, 0, o, n); \
        return DONE; \
    }
SCAN(i32, +, i32_add_to, 1)
SCAN(f64, *, f64_mul_by, 2)

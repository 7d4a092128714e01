/* The least and the largest element. */
#include "support.h"

#define MIN_MAX(T, LOWEST, HIGHEST) \
    ENTRY(min_max_##T) { \
        const i64 n = LENGTH(T, 0); \
        const T *restrict x = IN(T, 0); \
        T least = HIGHEST, most = LOWEST; \
        PARALLEL(reduction(min : least) reduction(max : most)) \
        for (i64 i = 0; i < n; i++) { \
            if (x[i] < least) least = x[i]; \
            if (x[i] > most) most = x[i]; \
        } \
        GIVE_SCALAR(T, 0, least); \
        GIVE_SCALAR(T, 1, most); \
        return DONE; \
    } \
    ENTRY(min_max_##T##_unfused) { \
        const i64 n = LENGTH(T, 0); \
        GIVE_SCALAR(T, 0, T##_least(n, IN(T, 0), HIGHEST)); \
        GIVE_SCALAR(T, 1, T##_most(n, IN(T, 0), LOWEST)); \
        return DONE; \
    }
MIN_MAX(i32, INT32_MIN, INT32_MAX)
MIN_MAX(f64, -INFINITY, INFINITY)

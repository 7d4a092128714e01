/* An array divided by two sums; division of integers rounds down, as in Arr. */
#include "support.h"

#define FLOOR_DIVISION(T) \
    static inline T T##_divide(T x, T y) { \
        const T q = x / y; \
        return q - ((x % y != 0) & ((x < 0) != (y < 0))); \
    }
FLOOR_DIVISION(i32)
FLOOR_DIVISION(i64)
static inline f64 f64_divide(f64 x, f64 y) { return x / y; }
static inline int i32_fails(i32 y) { return y == 0; }
static inline int i64_fails(i64 y) { return y == 0; }
static inline int f64_fails(f64 y) { (void)y; return 0; }

#define NORMALIZE2(T) \
    ENTRY(normalize2_##T) { \
        const i64 n = LENGTH(T, 0); \
        const T *restrict x = IN(T, 0); \
        T *restrict first = KEPT(T, n), *restrict second = KEPT(T, n); \
        wrap_##T all = 0, some = 0; \
        PARALLEL(reduction(+ : all, some)) \
        for (i64 i = 0; i < n; i++) { \
            all += (wrap_##T)x[i]; \
            if (x[i] > 0) some += (wrap_##T)x[i]; \
        } \
        if (n > 0 && (T##_fails((T)all) || T##_fails((T)some))) return 2; \
        PARALLEL() \
        for (i64 i = 0; i < n; i++) { \
            first[i] = T##_divide(x[i], (T)all); \
            second[i] = T##_divide(x[i], (T)some); \
        } \
        GIVE(T, 0, first, n); \
        GIVE(T, 1, second, n); \
        return DONE; \
    } \
    PASS void T##_divide_by(i64 n, const T *restrict a, T k, T *restrict o) { \
        for (i64 i = 0; i < n; i++) o[i] = T##_divide(a[i], k); \
    } \
    ENTRY(normalize2_##T##_unfused) { \
        const i64 n = LENGTH(T, 0); \
        T *positive = KEPT(T, n), *first = KEPT(T, n), *second = KEPT(T, n); \
        const T all = T##_sum(n, IN(T, 0)); \
        const T some = T##_sum(T##_above(n, IN(T, 0), 0, positive), positive); \
        if (n > 0 && (T##_fails(all) || T##_fails(some))) return 2; \
        T##_divide_by(n, IN(T, 0), all, first); \
        T##_divide_by(n, IN(T, 0), some, second); \
        GIVE(T, 0, first, n); \
        GIVE(T, 1, second, n); \
        return DONE; \
    }
NORMALIZE2(i32)
NORMALIZE2(i64)
NORMALIZE2(f64)

/* Filters whose results are kept, folded, and filtered again. */
#include "support.h"

ENTRY(filter_sum_i32) {
    const i64 n = LENGTH(i32, 1);
    const i32 limit = SCALAR(i32, 0), *restrict x = IN(i32, 1);
    i32 *restrict o = KEPT(i32, n);
    wrap_i32 all = 0, some = 0;
    i64 j = 0;
    for (i64 i = 0; i < n; i++) {
        all += (wrap_i32)x[i];
        if (x[i] > limit) {
            some += (wrap_i32)x[i];
            o[j++] = x[i];
        }
    }
    GIVE(i32, 0, o, j);
    GIVE_SCALAR(i32, 1, (i32)some);
    GIVE_SCALAR(i32, 2, (i32)all);
    return DONE;
}

ENTRY(filter_sum_i32_unfused) {
    const i64 n = LENGTH(i32, 1);
    i32 *o = KEPT(i32, n);
    const i64 j = i32_above(n, IN(i32, 1), SCALAR(i32, 0), o);
    GIVE(i32, 0, o, j);
    GIVE_SCALAR(i32, 1, i32_sum(j, o));
    GIVE_SCALAR(i32, 2, i32_sum(n, IN(i32, 1)));
    return DONE;
}

#define FILTER_MAX(T) \
    ENTRY(filter_max_##T) { \
        const i64 n = LENGTH(T, 1); \
        const T limit = SCALAR(T, 0), *restrict x = IN(T, 1); \
        T *restrict o = KEPT(T, n), most = 0; \
        i64 j = 0; \
        for (i64 i = 0; i < n; i++) { \
            const T more = (T)((wrap_##T)x[i] + 1); \
            if (more > limit) { \
                o[j++] = more; \
                if (more > most) most = more; \
            } \
        } \
        GIVE(T, 0, o, j); \
        GIVE_SCALAR(T, 1, most); \
        return DONE; \
    } \
    ENTRY(filter_max_##T##_unfused) { \
        const i64 n = LENGTH(T, 1); \
        T *more = KEPT(T, n), *o = KEPT(T, n); \
        T##_add_to(n, IN(T, 1), 1, more); \
        const i64 j = T##_above(n, more, SCALAR(T, 0), o); \
        GIVE(T, 0, o, j); \
        GIVE_SCALAR(T, 1, T##_most(j, o, 0)); \
        return DONE; \
    }
FILTER_MAX(i32)
FILTER_MAX(i64)

ENTRY(nested_filter_i32) {
    const i64 n = LENGTH(i32, 1);
    const i32 limit = SCALAR(i32, 0), *restrict x = IN(i32, 1);
    i32 *restrict above = KEPT(i32, n), *restrict odd = KEPT(i32, n);
    i64 j = 0, k = 0;
    for (i64 i = 0; i < n; i++) {
        if (x[i] > limit) {
            above[j++] = x[i];
            if (x[i] & 1) odd[k++] = x[i];
        }
    }
    GIVE(i32, 0, above, j);
    GIVE(i32, 1, odd, k);
    return DONE;
}

PASS i64 i32_odd(i64 n, const i32 *restrict a, i32 *restrict o) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++) if (a[i] & 1) o[j++] = a[i];
    return j;
}

ENTRY(nested_filter_i32_unfused) {
    const i64 n = LENGTH(i32, 1);
    i32 *above = KEPT(i32, n), *odd = KEPT(i32, n);
    const i64 j = i32_above(n, IN(i32, 1), SCALAR(i32, 0), above);
    GIVE(i32, 0, above, j);
    GIVE(i32, 1, odd, i32_odd(j, above, odd));
    return DONE;
}

#define SUM_ABOVE(T) \
    ENTRY(sum_above_##T) { \
        const i64 n = LENGTH(T, 1); \
        const T limit = SCALAR(T, 0), *restrict x = IN(T, 1); \
        wrap_##T sum = 0; \
        PARALLEL(reduction(+ : sum)) \
        for (i64 i = 0; i < n; i++) if (x[i] > limit) sum += (wrap_##T)x[i]; \
        GIVE_SCALAR(T, 0, (T)sum); \
        return DONE; \
    } \
    ENTRY(sum_above_##T##_unfused) { \
        const i64 n = LENGTH(T, 1); \
        T *o = KEPT(T, n); \
        GIVE_SCALAR(T, 0, T##_sum(T##_above(n, IN(T, 1), SCALAR(T, 0), o), o)); \
        return DONE; \
    }
SUM_ABOVE(i32)
SUM_ABOVE(f64)

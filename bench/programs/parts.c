/* Parts of a few elements, one after the other. */
#include "support.h"

ENTRY(flatmap_i32) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict x = IN(i32, 0);
    i32 *restrict o = KEPT(i32, 3 * n);
    i64 m = 0;
    for (i64 i = 0; i < n; i++) {
        const i32 k = x[i] & 3;
        for (i32 j = 0; j < k; j++) o[m++] = (i32)((wrap_i32)x[i] + (wrap_i32)j);
    }
    GIVE(i32, 0, o, m);
    return DONE;
}

PASS void i32_counts(i64 n, const i32 *restrict a, i32 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = a[i] & 3;
}

PASS i64 i32_starts(i64 n, const i32 *restrict a, i64 *restrict o) {
    i64 s = 0;
    for (i64 i = 0; i < n; i++) {
        o[i] = s;
        s += a[i];
    }
    return s;
}

PASS void i32_parts(
    i64 n, const i32 *restrict a, const i32 *restrict counts, const i64 *restrict starts, i32 *restrict o) {
    for (i64 i = 0; i < n; i++)
        for (i32 j = 0; j < counts[i]; j++) o[starts[i] + j] = (i32)((wrap_i32)a[i] + (wrap_i32)j);
}

ENTRY(flatmap_i32_unfused) {
    const i64 n = LENGTH(i32, 0);
    i32 *counts = KEPT(i32, n);
    i64 *starts = KEPT(i64, n);
    i32_counts(n, IN(i32, 0), counts);
    const i64 m = i32_starts(n, counts, starts);
    i32 *o = KEPT(i32, m);
    i32_parts(n, IN(i32, 0), counts, starts, o);
    GIVE(i32, 0, o, m);
    return DONE;
}

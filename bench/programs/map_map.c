/* Two results of one map. */
#include "support.h"

ENTRY(map_map_i32) {
    const i64 n = LENGTH(i32, 0);
    const wrap_i32 *restrict x = (const wrap_i32 *)IN(i32, 0);
    i32 *restrict first = KEPT(i32, n), *restrict second = KEPT(i32, n);
    PARALLEL()
    for (i64 i = 0; i < n; i++) {
        const wrap_i32 more = x[i] + 1;
        first[i] = (i32)(more * 3);
        second[i] = (i32)(more + 7);
    }
    GIVE(i32, 0, first, n);
    GIVE(i32, 1, second, n);
    return DONE;
}

ENTRY(map_map_i32_unfused) {
    const i64 n = LENGTH(i32, 0);
    i32 *more = KEPT(i32, n), *first = KEPT(i32, n), *second = KEPT(i32, n);
    i32_add_to(n, IN(i32, 0), 1, more);
    i32_mul_by(n, more, 3, first);
    i32_add_to(n, more, 7, second);
    GIVE(i32, 0, first, n);
    GIVE(i32, 1, second, n);
    return DONE;
}

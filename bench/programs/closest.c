/* The least distance of all pairs. */
#include "support.h"

ENTRY(closest_pairs) {
    const i64 n = LENGTH(f64, 0), m = LENGTH(f64, 2);
    const f64 *restrict x = IN(f64, 0), *restrict y = IN(f64, 1), *restrict u = IN(f64, 2), *restrict v = IN(f64, 3);
    f64 least = INFINITY;
    for (i64 i = 0; i < n; i++) {
        for (i64 j = 0; j < m; j++) {
            const f64 dx = x[i] - u[j], dy = y[i] - v[j], d = dx * dx + dy * dy;
            if (d < least) least = d;
        }
    }
    GIVE_SCALAR(f64, 0, least);
    return DONE;
}

PASS void distances(i64 m, f64 x, f64 y, const f64 *restrict u, const f64 *restrict v, f64 *restrict o) {
    for (i64 j = 0; j < m; j++) o[j] = (x - u[j]) * (x - u[j]) + (y - v[j]) * (y - v[j]);
}

/* Row by row: all pairs at once would not fit into memory. */
ENTRY(closest_pairs_unfused) {
    const i64 n = LENGTH(f64, 0), m = LENGTH(f64, 2);
    f64 *row = KEPT(f64, m), least = INFINITY;
    for (i64 i = 0; i < n; i++) {
        distances(m, IN(f64, 0)[i], IN(f64, 1)[i], IN(f64, 2), IN(f64, 3), row);
        least = f64_least(m, row, least);
    }
    GIVE_SCALAR(f64, 0, least);
    return DONE;
}

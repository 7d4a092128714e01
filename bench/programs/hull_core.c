/* The points left of a line and the farthest of them. */
#include "support.h"

#define LINE const f64 ax = SCALAR(f64, 0), ay = SCALAR(f64, 1), bx = SCALAR(f64, 2), by = SCALAR(f64, 3)
#define AREA(X, Y) ((bx - ax) * ((Y) - ay) - (by - ay) * ((X) - ax))

ENTRY(hull_core) {
    LINE;
    const i64 n = LENGTH(f64, 4);
    const f64 *restrict x = IN(f64, 4), *restrict y = IN(f64, 5);
    f64 *restrict px = KEPT(f64, n), *restrict py = KEPT(f64, n);
    f64 fx = ax, fy = ay, most = 0;
    i64 j = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 d = AREA(x[i], y[i]);
        if (d > 0) {
            px[j] = x[i];
            py[j++] = y[i];
            if (!(most > d)) {
                fx = x[i];
                fy = y[i];
                most = d;
            }
        }
    }
    GIVE(f64, 0, px, j);
    GIVE(f64, 1, py, j);
    GIVE_SCALAR(f64, 2, fx);
    GIVE_SCALAR(f64, 3, fy);
    GIVE_SCALAR(f64, 4, most);
    return DONE;
}

PASS void areas(i64 n, const f64 *in[4], const f64 *restrict x, const f64 *restrict y, f64 *restrict o) {
    const f64 ax = *in[0], ay = *in[1], bx = *in[2], by = *in[3];
    for (i64 i = 0; i < n; i++) o[i] = AREA(x[i], y[i]);
}

PASS i64 where(i64 n, const f64 *restrict d, const f64 *restrict a, f64 *restrict o) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++) if (d[i] > 0) o[j++] = a[i];
    return j;
}

PASS i64 farthest(i64 n, const f64 *restrict d) {
    i64 at = -1;
    f64 most = 0;
    for (i64 i = 0; i < n; i++) {
        if (!(most > d[i])) {
            most = d[i];
            at = i;
        }
    }
    return at;
}

ENTRY(hull_core_unfused) {
    const i64 n = LENGTH(f64, 4);
    const f64 *line[4] = {in[0], in[1], in[2], in[3]};
    f64 *area = KEPT(f64, n), *px = KEPT(f64, n), *py = KEPT(f64, n), *left = KEPT(f64, n);
    areas(n, line, IN(f64, 4), IN(f64, 5), area);
    const i64 j = where(n, area, IN(f64, 4), px);
    where(n, area, IN(f64, 5), py);
    where(n, area, area, left);
    const i64 at = farthest(j, left);
    GIVE(f64, 0, px, j);
    GIVE(f64, 1, py, j);
    GIVE_SCALAR(f64, 2, at < 0 ? *line[0] : px[at]);
    GIVE_SCALAR(f64, 3, at < 0 ? *line[1] : py[at]);
    GIVE_SCALAR(f64, 4, at < 0 ? 0 : left[at]);
    return DONE;
}

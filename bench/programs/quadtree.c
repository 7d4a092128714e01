/* The points of the four quarters around a point. */
#include "support.h"

ENTRY(quadtree_cut) {
    const i64 n = LENGTH(f64, 2);
    const f64 cx = SCALAR(f64, 0), cy = SCALAR(f64, 1), *restrict x = IN(f64, 2), *restrict y = IN(f64, 3);
    f64 *restrict ax = KEPT(f64, n), *restrict ay = KEPT(f64, n), *restrict bx = KEPT(f64, n), *restrict by = KEPT(f64, n);
    f64 *restrict dx = KEPT(f64, n), *restrict dy = KEPT(f64, n), *restrict ex = KEPT(f64, n), *restrict ey = KEPT(f64, n);
    i64 a = 0, b = 0, d = 0, e = 0;
    for (i64 i = 0; i < n; i++) {
        if (y[i] < cy) {
            if (x[i] < cx) { ax[a] = x[i]; ay[a++] = y[i]; }
            else { bx[b] = x[i]; by[b++] = y[i]; }
        } else {
            if (x[i] < cx) { dx[d] = x[i]; dy[d++] = y[i]; }
            else { ex[e] = x[i]; ey[e++] = y[i]; }
        }
    }
    GIVE(f64, 0, ax, a); GIVE(f64, 1, ay, a); GIVE(f64, 2, bx, b); GIVE(f64, 3, by, b);
    GIVE(f64, 4, dx, d); GIVE(f64, 5, dy, d); GIVE(f64, 6, ex, e); GIVE(f64, 7, ey, e);
    return DONE;
}

PASS i64 quarter(i64 n, f64 cx, f64 cy, int west, int south, const f64 *restrict x, const f64 *restrict y,
                 f64 *restrict ox, f64 *restrict oy) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++) {
        if ((x[i] < cx) == west && (y[i] < cy) == south) {
            ox[j] = x[i];
            oy[j++] = y[i];
        }
    }
    return j;
}

ENTRY(quadtree_cut_unfused) {
    const i64 n = LENGTH(f64, 2);
    const f64 cx = SCALAR(f64, 0), cy = SCALAR(f64, 1), *x = IN(f64, 2), *y = IN(f64, 3);
    f64 *ax = KEPT(f64, n), *ay = KEPT(f64, n), *bx = KEPT(f64, n), *by = KEPT(f64, n);
    f64 *dx = KEPT(f64, n), *dy = KEPT(f64, n), *ex = KEPT(f64, n), *ey = KEPT(f64, n);
    const i64 a = quarter(n, cx, cy, 1, 1, x, y, ax, ay), b = quarter(n, cx, cy, 0, 1, x, y, bx, by);
    const i64 d = quarter(n, cx, cy, 1, 0, x, y, dx, dy), e = quarter(n, cx, cy, 0, 0, x, y, ex, ey);
    GIVE(f64, 0, ax, a); GIVE(f64, 1, ay, a); GIVE(f64, 2, bx, b); GIVE(f64, 3, by, b);
    GIVE(f64, 4, dx, d); GIVE(f64, 5, dy, d); GIVE(f64, 6, ex, e); GIVE(f64, 7, ey, e);
    return DONE;
}

/* Convex hulls by the algorithm of examples/quickhull.arr. */
#include "support.h"

/* A fused multiply-add would give an end of a line an area that is not 0, and no end to the recursion. */
#pragma STDC FP_CONTRACT OFF

typedef struct { f64 x, y; } point;
/* Where points of the recursion lie, and the hull as it grows. */
typedef struct { f64 *top, *end, *hx, *hy; i64 count; } hull;

static inline f64 area(point a, point b, point p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }
static inline int before(point p, point q) { return p.x < q.x || (p.x == q.x && p.y <= q.y); }

/* A filter and the search for the farthest point, in one loop. */
static int side(hull *h, point a, point b, i64 n, const f64 *restrict x, const f64 *restrict y) {
    f64 *const px = h->top, *const py = h->top + n, most = 0;
    point far = a;
    i64 j = 0;
    if (h->end - h->top < 2 * n) return 5;
    {
        f64 *restrict ox = px, *restrict oy = py;
        f64 best = 0;
        for (i64 i = 0; i < n; i++) {
            const point p = {x[i], y[i]};
            const f64 d = area(a, b, p);
            if (d > 0) {
                ox[j] = p.x;
                oy[j++] = p.y;
                if (!(best > d || (best == d && before(far, p)))) {
                    far = p;
                    best = d;
                }
            }
        }
        if (best == most) {
            h->hx[h->count] = a.x;
            h->hy[h->count++] = a.y;
            return 0;
        }
    }
    h->top += 2 * n;
    int code = side(h, a, far, j, px, py);
    if (code == 0) code = side(h, far, b, j, px, py);
    h->top -= 2 * n;
    return code;
}

PASS void areas(i64 n, point a, point b, const f64 *restrict x, const f64 *restrict y, f64 *restrict d) {
    for (i64 i = 0; i < n; i++) d[i] = area(a, b, (point){x[i], y[i]});
}

PASS i64 where(i64 n, const f64 *restrict d, const f64 *restrict a, f64 *restrict o) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++) if (d[i] > 0) o[j++] = a[i];
    return j;
}

PASS i64 farthest(i64 n, const f64 *restrict d, const f64 *restrict x, const f64 *restrict y) {
    i64 at = -1;
    for (i64 i = 0; i < n; i++)
        if (at < 0 || !(d[at] > d[i] || (d[at] == d[i] && before((point){x[at], y[at]}, (point){x[i], y[i]})))) at = i;
    return at;
}

/* A pass for each combinator. */
static int side_unfused(hull *h, point a, point b, i64 n, const f64 *x, const f64 *y) {
    f64 *px = h->top, *py = px + n, *left = py + n, *d = left + n;
    if (h->end - h->top < 4 * n) return 5;
    areas(n, a, b, x, y, d);
    const i64 j = where(n, d, x, px);
    where(n, d, y, py);
    where(n, d, d, left);
    const i64 at = farthest(j, left, px, py);
    if (at < 0) {
        h->hx[h->count] = a.x;
        h->hy[h->count++] = a.y;
        return 0;
    }
    const point far = {px[at], py[at]};
    h->top += 4 * n;
    int code = side_unfused(h, a, far, j, px, py);
    if (code == 0) code = side_unfused(h, far, b, j, px, py);
    h->top -= 4 * n;
    return code;
}

typedef int side_fn(hull *, point, point, i64, const f64 *, const f64 *);

static int both_sides(hull *h, side_fn *side, point first, point last, i64 n, const f64 *x, const f64 *y) {
    if (n == 0) return 0;
    if (first.x == last.x && first.y == last.y) {
        h->hx[0] = first.x;
        h->hy[h->count++] = first.y;
        return 0;
    }
    const int code = side(h, first, last, n, x, y);
    return code ? code : side(h, last, first, n, x, y);
}

static inline point leftmost(point p, point q) { return before(p, q) ? p : q; }
static inline point rightmost(point p, point q) { return before(p, q) ? q : p; }

ENTRY(quickhull) {
    const i64 n = LENGTH(f64, 0), room = 16 * n + 64;
    const f64 *restrict x = IN(f64, 0), *restrict y = IN(f64, 1);
    f64 *arena = KEPT(f64, room);
    hull h = {arena, arena + room, KEPT(f64, n + 2), KEPT(f64, n + 2), 0};
    point first = {INFINITY, INFINITY}, last = {-INFINITY, -INFINITY};
    for (i64 i = 0; i < n; i++) {
        const point p = {x[i], y[i]};
        first = leftmost(first, p);
        last = rightmost(last, p);
    }
    const int code = both_sides(&h, side, first, last, n, x, y);
    GIVE(f64, 0, h.hx, h.count);
    GIVE(f64, 1, h.hy, h.count);
    return (void)ctx, code;
}

PASS point outermost(i64 n, const f64 *restrict x, const f64 *restrict y, point (*choose)(point, point), point from) {
    for (i64 i = 0; i < n; i++) from = choose(from, (point){x[i], y[i]});
    return from;
}

ENTRY(quickhull_unfused) {
    const i64 n = LENGTH(f64, 0), room = 32 * n + 64;
    const f64 *x = IN(f64, 0), *y = IN(f64, 1);
    f64 *arena = KEPT(f64, room);
    hull h = {arena, arena + room, KEPT(f64, n + 2), KEPT(f64, n + 2), 0};
    const point first = outermost(n, x, y, leftmost, (point){INFINITY, INFINITY});
    const point last = outermost(n, x, y, rightmost, (point){-INFINITY, -INFINITY});
    const int code = both_sides(&h, side_unfused, first, last, n, x, y);
    GIVE(f64, 0, h.hx, h.count);
    GIVE(f64, 1, h.hy, h.count);
    return (void)ctx, code;
}

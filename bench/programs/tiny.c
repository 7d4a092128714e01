/* Recursions down to single elements: many tiny arrays, each in memory of its own by malloc. The results are
 * appended to buffers that are kept. */
#include "support.h"

#pragma STDC FP_CONTRACT OFF

static inline void *memory(i64 count) { return malloc((size_t)(count > 0 ? count : 1) * 8); }

/* A quadtree: the four parts of a cut are made in one loop. */
enum { MAX_DEPTH = 32 };
typedef struct { f64 x1, y1, x2, y2; } box;
typedef struct { f64 *bounds[4], *x, *y; i64 *depth, *offset, *count, leaves, points; } tree;

static void leaf(tree *t, box b, i64 depth, i64 n, const f64 *x, const f64 *y) {
    const i64 at = t->leaves++;
    t->bounds[0][at] = b.x1; t->bounds[1][at] = b.y1; t->bounds[2][at] = b.x2; t->bounds[3][at] = b.y2;
    t->depth[at] = depth;
    t->offset[at] = t->points;
    t->count[at] = n;
    for (i64 i = 0; i < n; i++) {
        t->x[t->points] = x[i];
        t->y[t->points++] = y[i];
    }
}

static void divide(tree *t, box b, i64 depth, i64 n, const f64 *restrict x, const f64 *restrict y) {
    if (n == 0) return;
    if (n == 1 || depth == MAX_DEPTH) {
        leaf(t, b, depth, n, x, y);
        return;
    }
    const f64 cx = (b.x1 + b.x2) / 2, cy = (b.y1 + b.y2) / 2;
    const box parts[4] = {{b.x1, b.y1, cx, cy}, {cx, b.y1, b.x2, cy}, {b.x1, cy, cx, b.y2}, {cx, cy, b.x2, b.y2}};
    f64 *px[4], *py[4];
    i64 counts[4] = {0, 0, 0, 0};
    for (int q = 0; q < 4; q++) px[q] = memory(n), py[q] = memory(n);
    for (i64 i = 0; i < n; i++) {
        const int q = (x[i] < cx ? 0 : 1) + (y[i] < cy ? 0 : 2);
        px[q][counts[q]] = x[i];
        py[q][counts[q]++] = y[i];
    }
    for (int q = 0; q < 4; q++) divide(t, parts[q], depth + 1, counts[q], px[q], py[q]);
    for (int q = 0; q < 4; q++) free(px[q]), free(py[q]);
}

PASS i64 quarter(i64 n, f64 cx, f64 cy, int west, int south, const f64 *restrict x, const f64 *restrict y, f64 *restrict px, f64 *restrict py) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++)
        if ((x[i] < cx) == west && (y[i] < cy) == south) { px[j] = x[i]; py[j++] = y[i]; }
    return j;
}

/* A pass for each quarter. */
static void divide_unfused(tree *t, box b, i64 depth, i64 n, const f64 *x, const f64 *y) {
    if (n == 0) return;
    if (n == 1 || depth == MAX_DEPTH) {
        leaf(t, b, depth, n, x, y);
        return;
    }
    const f64 cx = (b.x1 + b.x2) / 2, cy = (b.y1 + b.y2) / 2;
    const box parts[4] = {{b.x1, b.y1, cx, cy}, {cx, b.y1, b.x2, cy}, {b.x1, cy, cx, b.y2}, {cx, cy, b.x2, b.y2}};
    f64 *px[4], *py[4];
    i64 counts[4];
    for (int q = 0; q < 4; q++) {
        px[q] = memory(n), py[q] = memory(n);
        counts[q] = quarter(n, cx, cy, q % 2 == 0, q < 2, x, y, px[q], py[q]);
    }
    for (int q = 0; q < 4; q++) divide_unfused(t, parts[q], depth + 1, counts[q], px[q], py[q]);
    for (int q = 0; q < 4; q++) free(px[q]), free(py[q]);
}

#define TREE(NAME, DIVIDE) \
    ENTRY(NAME) { \
        const i64 n = LENGTH(f64, 0), most = n + 1; \
        tree t = {{KEPT(f64, most), KEPT(f64, most), KEPT(f64, most), KEPT(f64, most)}, \
                  KEPT(f64, most), KEPT(f64, most), KEPT(i64, most), KEPT(i64, most), KEPT(i64, most), 0, 0}; \
        DIVIDE(&t, (box){0, 0, 1, 1}, 0, n, IN(f64, 0), IN(f64, 1)); \
        for (int k = 0; k < 4; k++) GIVE(f64, k, t.bounds[k], t.leaves); \
        GIVE(i64, 4, t.depth, t.leaves); \
        GIVE(i64, 5, t.offset, t.leaves); \
        GIVE(i64, 6, t.count, t.leaves); \
        GIVE(f64, 7, t.x, t.points); \
        GIVE(f64, 8, t.y, t.points); \
        return DONE; \
    }

TREE(quadtree_points, divide)
TREE(quadtree_points_unfused, divide_unfused)

/* A hull: the points of a side, and the farthest, are found in one loop. */
typedef struct { f64 x, y; } point;
typedef struct { f64 *x, *y; i64 count; } hull;

static inline f64 area(point a, point b, point p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }
static inline int before(point p, point q) { return p.x < q.x || (p.x == q.x && p.y <= q.y); }

static void vertex(hull *h, point a) {
    h->x[h->count] = a.x;
    h->y[h->count++] = a.y;
}

static void side(hull *h, point a, point b, i64 n, const f64 *restrict x, const f64 *restrict y) {
    f64 *restrict px = memory(n), *restrict py = memory(n), best = 0;
    point far = a;
    i64 j = 0;
    for (i64 i = 0; i < n; i++) {
        const point p = {x[i], y[i]};
        const f64 d = area(a, b, p);
        if (d > 0) {
            px[j] = p.x;
            py[j++] = p.y;
            if (!(best > d || (best == d && before(far, p)))) {
                far = p;
                best = d;
            }
        }
    }
    if (best == 0) vertex(h, a);
    else {
        side(h, a, far, j, px, py);
        side(h, far, b, j, px, py);
    }
    free(px), free(py);
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
static void side_unfused(hull *h, point a, point b, i64 n, const f64 *x, const f64 *y) {
    f64 *d = memory(n), *px = memory(n), *py = memory(n), *left = memory(n);
    areas(n, a, b, x, y, d);
    const i64 j = where(n, d, x, px);
    where(n, d, y, py);
    where(n, d, d, left);
    const i64 at = farthest(j, left, px, py);
    if (at < 0) vertex(h, a);
    else {
        const point far = {px[at], py[at]};
        side_unfused(h, a, far, j, px, py);
        side_unfused(h, far, b, j, px, py);
    }
    free(d), free(px), free(py), free(left);
}

#define HULL(NAME, SIDE) \
    ENTRY(NAME) { \
        const i64 n = LENGTH(f64, 0); \
        const f64 *x = IN(f64, 0), *y = IN(f64, 1); \
        hull h = {KEPT(f64, n + 2), KEPT(f64, n + 2), 0}; \
        point first = {INFINITY, INFINITY}, last = {-INFINITY, -INFINITY}; \
        for (i64 i = 0; i < n; i++) { \
            const point p = {x[i], y[i]}; \
            if (!before(first, p)) first = p; \
            if (before(last, p)) last = p; \
        } \
        if (n > 0) { \
            SIDE(&h, first, last, n, x, y); \
            SIDE(&h, last, first, n, x, y); \
        } \
        GIVE(f64, 0, h.x, h.count); \
        GIVE(f64, 1, h.y, h.count); \
        return DONE; \
    }

HULL(circle_hull, side)
HULL(circle_hull_unfused, side_unfused)

/* Merge sort down to single elements. */
static void merge(i64 n, i64 m, const i64 *restrict a, const i64 *restrict b, i64 *restrict o) {
    i64 i = 0, j = 0;
    for (i64 k = 0; k < n + m; k++)
        if (j >= m || (i < n && a[i] <= b[j])) o[k] = a[i++];
        else o[k] = b[j++];
}

/* Single elements stay where they are. */
static i64 *sort(i64 n, const i64 *x, i64 *o) {
    if (n <= 1) {
        if (n == 1) o[0] = x[0];
        return o;
    }
    const i64 h = n / 2;
    i64 *a = memory(h), *b = memory(n - h);
    merge(h, n - h, sort(h, x, a), sort(n - h, x + h, b), o);
    free(a), free(b);
    return o;
}

/* Results are filled with zeros first. */
static i64 *sort_unfused(i64 n, const i64 *x) {
    i64 *o = memory(n);
    if (n <= 1) {
        if (n == 1) o[0] = x[0];
        return o;
    }
    const i64 h = n / 2;
    i64 *a = sort_unfused(h, x), *b = sort_unfused(n - h, x + h);
    for (i64 k = 0; k < n; k++) o[k] = 0;
    merge(h, n - h, a, b, o);
    free(a);
    free(b);
    return o;
}

ENTRY(merge_sort) {
    const i64 n = LENGTH(i64, 0);
    i64 *o = KEPT(i64, n);
    sort(n, IN(i64, 0), o);
    GIVE(i64, 0, o, n);
    return DONE;
}
ENTRY(merge_sort_unfused) {
    static i64 *o;
    const i64 n = LENGTH(i64, 0);
    free(o);
    o = sort_unfused(n, IN(i64, 0));
    GIVE(i64, 0, o, n);
    return DONE;
}

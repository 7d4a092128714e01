/* Quadtrees by the algorithm of examples/quadtree.arr. */
#include "support.h"

enum { MAX_DEPTH = 32 };
typedef struct { f64 x1, y1, x2, y2; } box;
/* The memory for the points of the recursion, and the leaves and points that are finished, in their order. */
typedef struct { f64 *top, *end, *bounds[4], *x, *y; i64 *depth, *offset, *count, leaves, points; } tree;

/* A box that is not cut again. */
static void leaf(tree *t, box b, i64 depth, i64 n, const f64 *x, const f64 *y) {
    const i64 at = t->leaves++;
    t->bounds[0][at] = b.x1; t->bounds[1][at] = b.y1; t->bounds[2][at] = b.x2; t->bounds[3][at] = b.y2;
    t->depth[at] = depth;
    t->offset[at] = t->points;
    t->count[at] = n;
    memcpy(t->x + t->points, x, (size_t)n * sizeof *x);
    memcpy(t->y + t->points, y, (size_t)n * sizeof *y);
    t->points += n;
}

typedef int cut_fn(f64 cx, f64 cy, i64 n, const f64 *restrict x, const f64 *restrict y, f64 *restrict to, i64 counts[4]);

/* The four quarters in one loop. */
static int cut(f64 cx, f64 cy, i64 n, const f64 *restrict x, const f64 *restrict y, f64 *restrict to, i64 counts[4]) {
    f64 *restrict ax = to, *restrict ay = to + n, *restrict bx = to + 2 * n, *restrict by = to + 3 * n;
    f64 *restrict dx = to + 4 * n, *restrict dy = to + 5 * n, *restrict ex = to + 6 * n, *restrict ey = to + 7 * n;
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
    counts[0] = a; counts[1] = b; counts[2] = d; counts[3] = e;
    return 0;
}

PASS i64 quarter(i64 n, f64 cx, f64 cy, int west, int south, const f64 *restrict x, const f64 *restrict y, f64 *restrict to) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++)
        if ((x[i] < cx) == west && (y[i] < cy) == south) { to[j] = x[i]; to[n + j++] = y[i]; }
    return j;
}

/* A pass for each quarter. */
static int cut_unfused(f64 cx, f64 cy, i64 n, const f64 *restrict x, const f64 *restrict y, f64 *restrict to, i64 counts[4]) {
    for (int q = 0; q < 4; q++) counts[q] = quarter(n, cx, cy, q % 2 == 0, q < 2, x, y, to + 2 * q * n);
    return 0;
}

static int divide(tree *t, cut_fn *cut, i64 capacity, box b, i64 depth, i64 n, const f64 *x, const f64 *y) {
    if (n == 0) return 0;
    if (n <= capacity || depth == MAX_DEPTH) return leaf(t, b, depth, n, x, y), 0;
    if (t->end - t->top < 8 * n) return 5;
    const f64 cx = (b.x1 + b.x2) / 2, cy = (b.y1 + b.y2) / 2;
    const box parts[4] = {{b.x1, b.y1, cx, cy}, {cx, b.y1, b.x2, cy}, {b.x1, cy, cx, b.y2}, {cx, cy, b.x2, b.y2}};
    f64 *to = t->top;
    i64 counts[4];
    cut(cx, cy, n, x, y, to, counts);
    t->top += 8 * n;
    int code = 0;
    for (int q = 0; q < 4 && code == 0; q++)
        code = divide(t, cut, capacity, parts[q], depth + 1, counts[q], to + 2 * q * n, to + (2 * q + 1) * n);
    t->top -= 8 * n;
    return code;
}

#define TREE(NAME, BOUNDS, CUT) \
    ENTRY(NAME) { \
        const i64 n = LENGTH(f64, 0), room = 16 * n + 64, most = n + 1; \
        f64 *arena = KEPT(f64, room); \
        tree t = {arena, arena + room, {KEPT(f64, most), KEPT(f64, most), KEPT(f64, most), KEPT(f64, most)}, \
                  KEPT(f64, most), KEPT(f64, most), KEPT(i64, most), KEPT(i64, most), KEPT(i64, most), 0, 0}; \
        const int code = divide(&t, CUT, SCALAR(i64, 2), BOUNDS(n, IN(f64, 0), IN(f64, 1)), 0, n, IN(f64, 0), IN(f64, 1)); \
        for (int k = 0; k < 4; k++) GIVE(f64, k, t.bounds[k], t.leaves); \
        GIVE(i64, 4, t.depth, t.leaves); \
        GIVE(i64, 5, t.offset, t.leaves); \
        GIVE(i64, 6, t.count, t.leaves); \
        GIVE(f64, 7, t.x, t.points); \
        GIVE(f64, 8, t.y, t.points); \
        return (void)ctx, code; \
    }

static box bounds(i64 n, const f64 *restrict x, const f64 *restrict y) {
    box b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (i64 i = 0; i < n; i++) {
        if (x[i] < b.x1) b.x1 = x[i];
        if (y[i] < b.y1) b.y1 = y[i];
        if (x[i] > b.x2) b.x2 = x[i];
        if (y[i] > b.y2) b.y2 = y[i];
    }
    return b;
}

static box bounds_unfused(i64 n, const f64 *x, const f64 *y) {
    return (box){f64_least(n, x, INFINITY), f64_least(n, y, INFINITY), f64_most(n, x, -INFINITY), f64_most(n, y, -INFINITY)};
}

TREE(quadtree, bounds, cut)
TREE(quadtree_unfused, bounds_unfused, cut_unfused)

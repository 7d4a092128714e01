/* The least distance of two of n points, by the algorithm of examples/closest_points.arr. */
#include "support.h"

/* Where the points of the recursion lie. */
typedef struct { f64 *top, *end; } arena;

static inline f64 dist2(f64 x, f64 y, f64 u, f64 v) { return (x - u) * (x - u) + (y - v) * (y - v); }

static f64 naive(i64 n, const f64 *restrict x, const f64 *restrict y) {
    f64 least = INFINITY;
    for (i64 i = 0; i < n; i++)
        for (i64 j = i + 1; j < n; j++) {
            const f64 d = dist2(x[i], y[i], x[j], y[j]);
            if (d < least) least = d;
        }
    return least;
}

/* Each cut has three loops: the mean; both halves; both borders. */
static int closest(arena *a, i64 whole, i64 n, const f64 *restrict x, const f64 *restrict y, f64 *result) {
    if (n < 100 || n == whole) return *result = naive(n, x, y), 0;
    if (a->end - a->top < 4 * n) return 5;
    f64 *restrict ax = a->top, *restrict ay = ax + n, *restrict bx = ay + n, *restrict by = bx + n;
    f64 sum = 0, above, below;
    i64 j = 0, k = 0;
    for (i64 i = 0; i < n; i++) sum += y[i];
    const f64 mid = sum / (f64)n;
    for (i64 i = 0; i < n; i++) {
        if (y[i] > mid) { ax[j] = x[i]; ay[j++] = y[i]; }
        else { bx[k] = x[i]; by[k++] = y[i]; }
    }
    a->top += 4 * n;
    int code = closest(a, n, j, ax, ay, &above);
    if (code == 0) code = closest(a, n, k, bx, by, &below);
    a->top -= 4 * n;
    if (code) return code;
    f64 least = above < below ? above : below;
    const f64 border = least;
    j = k = 0;
    for (i64 i = 0; i < n; i++) {
        if ((y[i] - mid) * (y[i] - mid) < border) {
            if (y[i] > mid) { ax[j] = x[i]; ay[j++] = y[i]; }
            else { bx[k] = x[i]; by[k++] = y[i]; }
        }
    }
    for (i64 i = 0; i < j; i++)
        for (i64 l = 0; l < k; l++) {
            const f64 d = dist2(ax[i], ay[i], bx[l], by[l]);
            if (d < least) least = d;
        }
    return *result = least, 0;
}

ENTRY(closest_points) {
    const i64 n = LENGTH(f64, 0), room = 16 * n + 64;
    f64 *memory = KEPT(f64, room), result = INFINITY;
    arena a = {memory, memory + room};
    const int code = closest(&a, n + 1, n, IN(f64, 0), IN(f64, 1), &result);
    GIVE_SCALAR(f64, 0, sqrt(result));
    return (void)ctx, code;
}

PASS i64 half(i64 n, int is_above, f64 mid, const f64 *restrict x, const f64 *restrict y, f64 *restrict ox, f64 *restrict oy) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++)
        if ((y[i] > mid) == is_above) { ox[j] = x[i]; oy[j++] = y[i]; }
    return j;
}

PASS i64 border(i64 n, int is_above, f64 mid, f64 within, const f64 *restrict x, const f64 *restrict y,
                f64 *restrict ox, f64 *restrict oy) {
    i64 j = 0;
    for (i64 i = 0; i < n; i++)
        if ((y[i] > mid) == is_above && (y[i] - mid) * (y[i] - mid) < within) { ox[j] = x[i]; oy[j++] = y[i]; }
    return j;
}

/* Row by row: all pairs at once would not fit into memory. */
PASS void distances(i64 n, f64 x, f64 y, const f64 *restrict u, const f64 *restrict v, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = dist2(x, y, u[i], v[i]);
}

/* A pass for each combinator. */
static int closest_unfused(arena *a, i64 whole, i64 n, const f64 *x, const f64 *y, f64 *result) {
    if (a->end - a->top < 4 * n) return 5;
    f64 *ax = a->top, *ay = ax + n, *bx = ay + n, *by = bx + n, least = INFINITY, other;
    if (n < 100 || n == whole) {
        for (i64 i = 0; i < n; i++) {
            distances(n - i - 1, x[i], y[i], x + i + 1, y + i + 1, ax);
            least = f64_least(n - i - 1, ax, least);
        }
        return *result = least, 0;
    }
    const f64 mid = f64_sum(n, y) / (f64)n;
    i64 j = half(n, 1, mid, x, y, ax, ay), k = half(n, 0, mid, x, y, bx, by);
    a->top += 4 * n;
    int code = closest_unfused(a, n, j, ax, ay, &least);
    if (code == 0) code = closest_unfused(a, n, k, bx, by, &other);
    a->top -= 4 * n;
    if (code) return code;
    if (other < least) least = other;
    const f64 within = least;
    j = border(n, 1, mid, within, x, y, ax, ay);
    k = border(n, 0, mid, within, x, y, bx, by);
    if (a->end - a->top < 4 * n + k) return 5;
    for (i64 i = 0; i < j; i++) {
        distances(k, ax[i], ay[i], bx, by, a->top + 4 * n);
        least = f64_least(k, a->top + 4 * n, least);
    }
    return *result = least, 0;
}

ENTRY(closest_points_unfused) {
    const i64 n = LENGTH(f64, 0), room = 16 * n + 64;
    f64 *memory = KEPT(f64, room), result = INFINITY;
    arena a = {memory, memory + room};
    const int code = closest_unfused(&a, n + 1, n, IN(f64, 0), IN(f64, 1), &result);
    GIVE_SCALAR(f64, 0, sqrt(result));
    return (void)ctx, code;
}

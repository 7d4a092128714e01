/* Windows and boxes whose size the caller gives. */
#include "support.h"
/* Products and sums are rounded one by one, as in Arr, except where a sum may be taken in any order. */
#pragma STDC FP_CONTRACT OFF

typedef ARRAY(f32, 2) f32ss;

/* The results that are made at once. */
enum { LANES = 32 };

#define SIDE(T, K, DIM) (((const T##ss *)in[K])->shape[DIM])
#define GIVE_MATRIX(T, DATA, ROWS, COLUMNS) \
    (*(T##ss *)out[0] = (T##ss){(DATA), {(ROWS), (COLUMNS)}, {(COLUMNS), 1}, NULL})

ENTRY(window_means_f64) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(f64, 1) - k;
    const f64 *restrict x = IN(f64, 1);
    f64 *restrict o = KEPT(f64, n);
    i64 i = 0;
    for (; i + LANES <= n; i += LANES) {
        f64 s[LANES] = {0};
        for (i64 j = 0; j < k; j++)
            for (int q = 0; q < LANES; q++) s[q] += x[i + j + q];
        for (int q = 0; q < LANES; q++) o[i + q] = s[q] / k;
    }
    for (; i < n; i++) o[i] = f64_sum(k, x + i) / k;
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(window_means_f64_unfused) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(f64, 1) - k;
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = f64_sum(k, IN(f64, 1) + i) / k;
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(window_maxima_i32) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(i32, 1) - k;
    const i32 *x = IN(i32, 1);
    i32 *o = KEPT(i32, n);
    for (i64 from = 0; from < n; from += 1024) {
        /* A block of results stays in the first-level cache. */
        const i64 count = n - from < 1024 ? n - from : 1024;
        i32 *restrict to = o + from;
        for (i64 i = 0; i < count; i++) to[i] = k > 0 ? x[from + i] : INT32_MIN;
        for (i64 j = 1; j < k; j++) {
            const i32 *restrict here = x + from + j;
            for (i64 i = 0; i < count; i++) to[i] = here[i] > to[i] ? here[i] : to[i];
        }
    }
    GIVE(i32, 0, o, n);
    return DONE;
}
ENTRY(window_maxima_i32_unfused) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(i32, 1) - k;
    i32 *restrict o = KEPT(i32, n);
    for (i64 i = 0; i < n; i++) o[i] = i32_most(k, IN(i32, 1) + i, INT32_MIN);
    GIVE(i32, 0, o, n);
    return DONE;
}

/* The weighted sum of a box, whose products are stored. */
static f32 box(i64 k, i64 l, const f32 *w, const f32 *x, i64 width, f32 *t) {
    #pragma clang fp reassociate(on)
    for (i64 p = 0; p < k; p++)
        for (i64 q = 0; q < l; q++) t[p * l + q] = w[p * l + q] * x[p * width + q];
    f32 s = 0;
    for (i64 p = 0; p < k * l; p++) s += t[p];
    return s;
}
ENTRY(boxes_f32) {
    #pragma clang fp contract(fast)
    const i64 k = SIDE(f32, 1, 0), l = SIDE(f32, 1, 1), n = SIDE(f32, 0, 0) - k, width = SIDE(f32, 0, 1), m = width - l;
    const f32 *restrict image = IN(f32, 0), *restrict w = IN(f32, 1);
    f32 *restrict o = KEPT(f32, n * m), *t = KEPT(f32, k * l);
    for (i64 i = 0; i < n; i++) {
        i64 j = 0;
        for (; j + LANES <= m; j += LANES) {
            f32 s[LANES] = {0};
            for (i64 p = 0; p < k; p++)
                for (i64 q = 0; q < l; q++)
                    for (int lane = 0; lane < LANES; lane++)
                        s[lane] += w[p * l + q] * image[(i + p) * width + j + q + lane];
            for (int lane = 0; lane < LANES; lane++) o[i * m + j + lane] = s[lane];
        }
        for (; j < m; j++) o[i * m + j] = box(k, l, w, image + i * width + j, width, t);
    }
    GIVE_MATRIX(f32, o, n, m);
    return DONE;
}
ENTRY(boxes_f32_unfused) {
    const i64 k = SIDE(f32, 1, 0), l = SIDE(f32, 1, 1), n = SIDE(f32, 0, 0) - k, width = SIDE(f32, 0, 1), m = width - l;
    f32 *o = KEPT(f32, n * m), *t = KEPT(f32, k * l);
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) o[i * m + j] = box(k, l, IN(f32, 1), IN(f32, 0) + i * width + j, width, t);
    GIVE_MATRIX(f32, o, n, m);
    return DONE;
}

ENTRY(similar_f64) {
    const i64 r = SCALAR(i64, 0), width = SIDE(f64, 1, 1), n = SIDE(f64, 1, 0) - 2 * r, m = width - 2 * r;
    const f64 *image = IN(f64, 1);
    f64 *restrict o = KEPT(f64, n * m), *restrict vs = KEPT(f64, m), *restrict ws = KEPT(f64, m);
    for (i64 i = 0; i < n; i++) {
        const f64 *restrict c = image + (i + r) * width + r;
        for (i64 j = 0; j < m; j++) vs[j] = ws[j] = 0;
        for (i64 p = 0; p <= 2 * r; p++)
            for (i64 q = 0; q <= 2 * r; q++) {
                const f64 *restrict x = image + (i + p) * width + q, far = 1 + 0.5 * (f64)((p - r) * (p - r) + (q - r) * (q - r));
                for (i64 j = 0; j < m; j++) {
                    const f64 w = 1 / ((1 + (x[j] - c[j]) * (x[j] - c[j])) * far);
                    ws[j] += w;
                    vs[j] += w * x[j];
                }
            }
        for (i64 j = 0; j < m; j++) o[i * m + j] = vs[j] / ws[j];
    }
    GIVE_MATRIX(f64, o, n, m);
    return DONE;
}
ENTRY(similar_f64_unfused) {
    const i64 r = SCALAR(i64, 0), width = SIDE(f64, 1, 1), n = SIDE(f64, 1, 0) - 2 * r, m = width - 2 * r, k = 2 * r + 1;
    const f64 *image = IN(f64, 1);
    f64 *o = KEPT(f64, n * m), *ws = KEPT(f64, k * k), *vs = KEPT(f64, k * k);
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) {
            const f64 c = image[(i + r) * width + j + r];
            for (i64 p = 0; p < k; p++)
                for (i64 q = 0; q < k; q++) {
                    const f64 x = image[(i + p) * width + j + q], far = (f64)((p - r) * (p - r) + (q - r) * (q - r));
                    ws[p * k + q] = 1 / ((1 + (x - c) * (x - c)) * (1 + 0.5 * far));
                    vs[p * k + q] = ws[p * k + q] * x;
                }
            o[i * m + j] = f64_sum(k * k, vs) / f64_sum(k * k, ws);
        }
    GIVE_MATRIX(f64, o, n, m);
    return DONE;
}

static i64 inside(i64 k, i64 n) { return k < 0 ? 0 : k < n ? k : n - 1; }
ENTRY(correlated_f64) {
    #pragma clang fp contract(fast)
    const i64 n = SIDE(f64, 0, 0), m = SIDE(f64, 0, 1), k = SIDE(f64, 1, 0), l = SIDE(f64, 1, 1);
    const f64 *image = IN(f64, 0), *w = IN(f64, 1);
    f64 *restrict o = KEPT(f64, n * m);
    for (i64 i = 0; i < n; i++) {
        f64 *restrict row = o + i * m;
        for (i64 j = 0; j < m; j++) row[j] = 0;
        for (i64 p = 0; p < k; p++)
            for (i64 q = 0; q < l; q++) {
                const f64 *restrict x = image + inside(i + p - k / 2, n) * m, v = w[p * l + q];
                const i64 d = q - l / 2, from = inside(-d, m), to = d > 0 ? m - d : m;
                for (i64 j = 0; j < from; j++) row[j] += v * x[inside(j + d, m)];
                for (i64 j = from; j < to; j++) row[j] += v * x[j + d];
                for (i64 j = to > from ? to : from; j < m; j++) row[j] += v * x[inside(j + d, m)];
            }
    }
    GIVE_MATRIX(f64, o, n, m);
    return DONE;
}
ENTRY(correlated_f64_unfused) {
    const i64 n = SIDE(f64, 0, 0), m = SIDE(f64, 0, 1), k = SIDE(f64, 1, 0), l = SIDE(f64, 1, 1);
    const f64 *image = IN(f64, 0), *w = IN(f64, 1);
    f64 *o = KEPT(f64, n * m), *t = KEPT(f64, k * l);
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) {
            for (i64 p = 0; p < k; p++)
                for (i64 q = 0; q < l; q++)
                    t[p * l + q] = w[p * l + q] * image[inside(i + p - k / 2, n) * m + inside(j + q - l / 2, m)];
            o[i * m + j] = f64_sum(k * l, t);
        }
    GIVE_MATRIX(f64, o, n, m);
    return DONE;
}

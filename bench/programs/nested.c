/* Arrays of arrays: short rows, columns, neighbourhoods, and arrays that a step makes for itself. */
#include "support.h"

/* Every combinator stores its results, also each small array of a step. */
static void map2_mul(i64 n, const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = a[i] * b[i];
}
static f64 sum(i64 n, const f64 *restrict a) {
    f64 s = 0;
    for (i64 i = 0; i < n; i++) s += a[i];
    return s;
}

ENTRY(literal_sum) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = x[i] + x[i] * x[i] + (x[i] + 1);
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(literal_sum_unfused) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n), *restrict t = KEPT(f64, 3 * n);
    for (i64 i = 0; i < n; i++) {
        t[3 * i] = x[i];
        t[3 * i + 1] = x[i] * x[i];
        t[3 * i + 2] = x[i] + 1;
    }
    for (i64 i = 0; i < n; i++) o[i] = sum(3, t + 3 * i);
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(row_sums) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(row_sums_unfused) {
    const i64 n = LENGTH(f64, 0), m = ((const f64ss *)in[0])->shape[1];
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = sum(m, x + m * i);
    GIVE(f64, 0, o, n);
    return DONE;
}

#define GIVE_ROWS(K, DATA, ROWS, ROW) \
    (*(f64ss *)out[K] = (f64ss){(DATA), {(ROWS), (ROW)}, {(ROW), 1}, NULL})

ENTRY(rotate_rows) {
    const i64 n = LENGTH(f64, 1);
    const f64 *restrict m = IN(f64, 0), *restrict p = IN(f64, 1);
    f64 *restrict o = KEPT(f64, 3 * n);
    const f64 a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5], g = m[6], h = m[7], k = m[8];
    for (i64 i = 0; i < n; i++) {
        const f64 x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
        o[3 * i] = a * x + b * y + c * z;
        o[3 * i + 1] = d * x + e * y + f * z;
        o[3 * i + 2] = g * x + h * y + k * z;
    }
    GIVE_ROWS(0, o, n, 3);
    return DONE;
}
ENTRY(rotate_rows_unfused) {
    const i64 n = LENGTH(f64, 1);
    const f64 *restrict m = IN(f64, 0), *restrict p = IN(f64, 1);
    f64 *restrict o = KEPT(f64, 3 * n), *restrict t = KEPT(f64, 9 * n);
    for (i64 i = 0; i < n; i++)
        for (i64 r = 0; r < 3; r++) map2_mul(3, m + 3 * r, p + 3 * i, t + 9 * i + 3 * r);
    for (i64 i = 0; i < 3 * n; i++) o[i] = sum(3, t + 3 * i);
    GIVE_ROWS(0, o, n, 3);
    return DONE;
}

ENTRY(column_sums_5) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, 5);
    f64 a = 0, b = 0, c = 0, d = 0, e = 0;
    for (i64 i = 0; i < n; i++) {
        a += x[5 * i];
        b += x[5 * i + 1];
        c += x[5 * i + 2];
        d += x[5 * i + 3];
        e += x[5 * i + 4];
    }
    o[0] = a, o[1] = b, o[2] = c, o[3] = d, o[4] = e;
    GIVE(f64, 0, o, 5);
    return DONE;
}
static int columns(const f64ss *xss, f64 *restrict o) {
    const i64 n = xss->shape[0], m = xss->shape[1];
    const f64 *restrict x = xss->data;
    memset(o, 0, (size_t)m * sizeof(f64));
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) o[j] += x[m * i + j];
    return 0;
}
static void columns_stored(const f64ss *xss, f64 *restrict o, f64 *restrict t) {
    const i64 n = xss->shape[0], m = xss->shape[1];
    memset(o, 0, (size_t)m * sizeof(f64));
    for (i64 i = 0; i < n; i++) {
        for (i64 j = 0; j < m; j++) t[j] = o[j] + xss->data[m * i + j];
        memcpy(o, t, (size_t)m * sizeof(f64));
    }
}
ENTRY(column_sums_5_unfused) {
    f64 *o = KEPT(f64, 5), *t = KEPT(f64, 5);
    columns_stored(in[0], o, t);
    GIVE(f64, 0, o, 5);
    return DONE;
}
ENTRY(column_sums_m) {
    const i64 m = ((const f64ss *)in[0])->shape[1];
    f64 *o = KEPT(f64, m);
    columns(in[0], o);
    GIVE(f64, 0, o, m);
    return DONE;
}
ENTRY(column_sums_m_unfused) {
    const i64 m = ((const f64ss *)in[0])->shape[1];
    f64 *o = KEPT(f64, m), *t = KEPT(f64, m);
    columns_stored(in[0], o, t);
    GIVE(f64, 0, o, m);
    return DONE;
}

ENTRY(combine_columns) {
    const i64 n = ((const f64ss *)in[0])->shape[1];
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = x[i] * x[n + i] + x[2 * n + i] * x[3 * n + i] + x[4 * n + i];
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(combine_columns_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[1];
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n), *restrict t = KEPT(f64, 5 * n);
    for (i64 i = 0; i < n; i++)
        for (i64 k = 0; k < 5; k++) t[5 * i + k] = x[k * n + i];
    for (i64 i = 0; i < n; i++) {
        const f64 *v = t + 5 * i;
        o[i] = v[0] * v[1] + v[2] * v[3] + v[4];
    }
    GIVE(f64, 0, o, n);
    return DONE;
}

static i64 clamped(i64 x, i64 hi) { return x < 0 ? 0 : x > hi ? hi : x; }
static f64 mean_at(const f64 *restrict x, i64 h, i64 w, i64 i, i64 j) {
    f64 s = 0;
    for (i64 a = -1; a <= 1; a++)
        for (i64 b = -1; b <= 1; b++) s += x[clamped(i + a, h - 1) * w + clamped(j + b, w - 1)];
    return s / 9;
}
ENTRY(blur_3x3) {
    const i64 h = LENGTH(f64, 0), w = ((const f64ss *)in[0])->shape[1];
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, h * w);
    for (i64 i = 0; i < h; i++) {
        const f64 *restrict p = x + clamped(i - 1, h - 1) * w, *restrict q = x + i * w,
                  *restrict r = x + clamped(i + 1, h - 1) * w;
        o[i * w] = mean_at(x, h, w, i, 0);
        for (i64 j = 1; j < w - 1; j++)
            o[i * w + j] = (p[j - 1] + p[j] + p[j + 1] + q[j - 1] + q[j] + q[j + 1] + r[j - 1] + r[j] + r[j + 1]) / 9;
        o[i * w + w - 1] = mean_at(x, h, w, i, w - 1);
    }
    GIVE_ROWS(0, o, h, w);
    return DONE;
}
ENTRY(blur_3x3_unfused) {
    const i64 h = LENGTH(f64, 0), w = ((const f64ss *)in[0])->shape[1];
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, h * w), *restrict t = KEPT(f64, 9);
    for (i64 i = 0; i < h; i++)
        for (i64 j = 0; j < w; j++) {
            for (i64 a = 0; a < 3; a++)
                for (i64 b = 0; b < 3; b++)
                    t[3 * a + b] = x[clamped(i + a - 1, h - 1) * w + clamped(j + b - 1, w - 1)];
            o[i * w + j] = sum(9, t) / 9;
        }
    GIVE_ROWS(0, o, h, w);
    return DONE;
}

ENTRY(count_by_updates) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict k = IN(i32, 0);
    i64 *restrict o = KEPT(i64, 10);
    memset(o, 0, 10 * sizeof(i64));
    for (i64 i = 0; i < n; i++) o[k[i]]++;
    GIVE(i64, 0, o, 10);
    return DONE;
}
ENTRY(count_by_updates_unfused) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict k = IN(i32, 0);
    i64 *restrict o = KEPT(i64, 10), *restrict t = KEPT(i64, 10);
    memset(o, 0, 10 * sizeof(i64));
    for (i64 i = 0; i < n; i++) {
        memcpy(t, o, 10 * sizeof(i64));
        t[k[i]]++;
        memcpy(o, t, 10 * sizeof(i64));
    }
    GIVE(i64, 0, o, 10);
    return DONE;
}

static f64 best(const f64 *restrict path) {
    f64 best = 0;
    for (i64 j = 0; j < 40; j++) best = fmax(best, path[39 - j] * path[j]);
    return best;
}
ENTRY(best_of_paths) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        f64 path[40], at = 0;
        for (i64 j = 0; j < 40; j++) path[j] = at += x[i] * (f64)j - 7;
        o[i] = best(path);
    }
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(best_of_paths_unfused) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        f64 *restrict t = malloc(40 * sizeof(f64)), *restrict path = malloc(40 * sizeof(f64)), at = 0;
        for (i64 j = 0; j < 40; j++) t[j] = x[i] * (f64)j - 7;
        for (i64 j = 0; j < 40; j++) path[j] = at += t[j];
        o[i] = best(path);
        free(t);
        free(path);
    }
    GIVE(f64, 0, o, n);
    return DONE;
}

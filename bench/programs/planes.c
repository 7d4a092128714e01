/* Integral images, layers of channels, and rows of a table. */
#include "support.h"

typedef ARRAY(f32, 2) f32ss;
typedef ARRAY(f32, 3) f32sss;
typedef ARRAY(f32, 4) f32ssss;

ENTRY(integral_f32) {
    const f32ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    const f32 *restrict a = s->data;
    f32 *restrict o = KEPT(f32, h * w);
    f32 sum = 0;
    for (i64 j = 0; j < w; j++) o[j] = sum += a[j];
    for (i64 i = 1; i < h; i++) {
        sum = 0;
        for (i64 j = 0; j < w; j++) {
            sum += a[i * w + j];
            o[i * w + j] = o[(i - 1) * w + j] + sum;
        }
    }
    *(f32ss *)out[0] = (f32ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}

PASS void along(i64 h, i64 w, const f32 *restrict a, f32 *restrict o) {
    for (i64 i = 0; i < h; i++) {
        f32 sum = 0;
        for (i64 j = 0; j < w; j++) o[i * w + j] = sum += a[i * w + j];
    }
}
PASS void across(i64 h, i64 w, const f32 *restrict a, f32 *restrict o) {
    memcpy(o, a, (size_t)w * sizeof(f32));
    for (i64 i = 1; i < h; i++)
        for (i64 j = 0; j < w; j++) o[i * w + j] = o[(i - 1) * w + j] + a[i * w + j];
}
ENTRY(integral_f32_unfused) {
    const f32ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    f32 *rows = KEPT(f32, h * w), *o = KEPT(f32, h * w);
    along(h, w, s->data, rows);
    across(h, w, rows, o);
    *(f32ss *)out[0] = (f32ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}

/* A row of results, of which each channel adds its windows. */
static void windows(i64 w, i64 m, const f32 *restrict p, const f32 *restrict f, f32 *restrict o) {
    for (i64 j = 0; j < m; j++) {
        f32 sum = 0;
        for (i64 u = 0; u < 3; u++)
            for (i64 v = 0; v < 3; v++) sum += p[u * w + j + v] * f[3 * u + v];
        o[j] += sum;
    }
}
ENTRY(channels_f32) {
    const f32sss *s = in[0];
    const f32ssss *t = in[1];
    const i64 c = s->shape[0], h = s->shape[1], w = s->shape[2], k = t->shape[0], n = h - 2, m = w - 2;
    f32 *restrict o = KEPT(f32, k * n * m);
    for (i64 z = 0; z < k; z++)
        for (i64 i = 0; i < n; i++) {
            f32 *row = o + (z * n + i) * m;
            memset(row, 0, (size_t)m * sizeof(f32));
            for (i64 q = 0; q < c; q++) windows(w, m, s->data + (q * h + i) * w, t->data + (z * c + q) * 9, row);
        }
    *(f32sss *)out[0] = (f32sss){o, {k, n, m}, {n * m, m, 1}, NULL};
    return DONE;
}
ENTRY(channels_f32_unfused) { return channels_f32__uniform(ctx, out, in); }

/* From one table to another, so that each thing is taken once. In place, it takes up to four times as long. */
static void take(i64 most, i64 weight, i64 value, const i64 *restrict best, i64 *restrict o) {
    for (i64 c = 0; c <= most; c++) {
        const i64 with = c >= weight ? best[c - weight] + value : 0;
        o[c] = with > best[c] ? with : best[c];
    }
}
ENTRY(knapsack_i64) {
    const i64 n = LENGTH(i64, 0), most = SCALAR(i64, 2);
    i64 *best = KEPT(i64, most + 1), *next = KEPT(i64, most + 1);
    memset(best, 0, (size_t)(most + 1) * sizeof(i64));
    for (i64 i = 0; i < n; i++) {
        take(most, IN(i64, 0)[i], IN(i64, 1)[i], best, next);
        i64 *last = best;
        best = next, next = last;
    }
    GIVE_SCALAR(i64, 0, best[most]);
    return DONE;
}

PASS void with_thing(i64 most, i64 weight, i64 value, const i64 *restrict best, i64 *restrict o) {
    for (i64 c = 0; c <= most; c++) o[c] = c >= weight ? best[c - weight] + value : 0;
}
PASS void better(i64 most, const i64 *restrict with, const i64 *restrict best, i64 *restrict o) {
    for (i64 c = 0; c <= most; c++) o[c] = with[c] > best[c] ? with[c] : best[c];
}
ENTRY(knapsack_i64_unfused) {
    const i64 n = LENGTH(i64, 0), most = SCALAR(i64, 2);
    i64 *best = KEPT(i64, most + 1), *with = KEPT(i64, most + 1), *next = KEPT(i64, most + 1);
    memset(best, 0, (size_t)(most + 1) * sizeof(i64));
    for (i64 i = 0; i < n; i++) {
        with_thing(most, IN(i64, 0)[i], IN(i64, 1)[i], best, with);
        better(most, with, best, next);
        i64 *last = best;
        best = next, next = last;
    }
    GIVE_SCALAR(i64, 0, best[most]);
    return DONE;
}

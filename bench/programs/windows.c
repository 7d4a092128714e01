/* Index form: an array that is read by index is computed where it is read. */
#include "support.h"

#define SQUARE(X) ((X) * (X))

PASS void squares(i64 n, f64 more, const f64 *restrict x, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = SQUARE(x[i]) + more;
}

PASS void backwards(i64 n, const f64 *restrict x, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = x[n - 1 - i];
}

ENTRY(reversed_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = SQUARE(x[n - 1 - i]) + 1;
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(reversed_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *p = KEPT(f64, n), *o = KEPT(f64, n);
    squares(n, 1, IN(f64, 0), p);
    backwards(n, p, o);
    GIVE(f64, 0, o, n);
    return DONE;
}

/* Several sums: a compiler may not split one sum of floats. */
ENTRY(variation_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 sum[32] = {0};
    i64 i = 0;
    for (; i + 32 < n; i += 32)
        for (i64 k = 0; k < 32; k++) sum[k] += fabs(SQUARE(x[i + k + 1]) - SQUARE(x[i + k]));
    for (; i + 1 < n; i++) sum[0] += fabs(SQUARE(x[i + 1]) - SQUARE(x[i]));
    f64 all = 0;
    for (i64 k = 0; k < 32; k++) all += sum[k];
    GIVE_SCALAR(f64, 0, all);
    return DONE;
}

PASS f64 distances(i64 n, const f64 *restrict x, const f64 *restrict y, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = fabs(x[i] - y[i]);
    f64 sum = 0;
    for (i64 i = 0; i < n; i++) sum += o[i];
    return sum;
}

ENTRY(variation_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *p = KEPT(f64, n), *o = KEPT(f64, n);
    squares(n, 0, IN(f64, 0), p);
    GIVE_SCALAR(f64, 0, distances(n - 1, p + 1, p, o));
    return DONE;
}

#define MEAN(L, C, R) (((L) + (C) + (R)) / 3)

ENTRY(smoothed_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 1; i < n - 1; i++) o[i] = MEAN(SQUARE(x[i - 1]), SQUARE(x[i]), SQUARE(x[i + 1]));
    if (n > 0) o[0] = SQUARE(x[0]), o[n - 1] = SQUARE(x[n - 1]);
    GIVE(f64, 0, o, n);
    return DONE;
}

PASS void means(i64 n, const f64 *restrict p, f64 *restrict o) {
    for (i64 i = 1; i < n - 1; i++) o[i] = MEAN(p[i - 1], p[i], p[i + 1]);
    if (n > 0) o[0] = p[0], o[n - 1] = p[n - 1];
}

ENTRY(smoothed_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *p = KEPT(f64, n), *o = KEPT(f64, n);
    squares(n, 0, IN(f64, 0), p);
    means(n, p, o);
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(centred_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    f64 sum[32] = {0};
    i64 i = 0;
    for (; i + 32 <= n; i += 32)
        for (i64 k = 0; k < 32; k++) sum[k] += SQUARE(x[i + k]) + 1;
    for (; i < n; i++) sum[0] += SQUARE(x[i]) + 1;
    f64 all = 0;
    for (i64 k = 0; k < 32; k++) all += sum[k];
    const f64 mean = all / (f64)n;
    for (i64 k = 0; k < n; k++) o[k] = SQUARE(x[k]) + 1 - mean;
    GIVE(f64, 0, o, n);
    return DONE;
}

PASS void less(i64 n, f64 by, const f64 *restrict x, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = x[i] - by;
}

ENTRY(centred_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *p = KEPT(f64, n), *o = KEPT(f64, n), sum = 0;
    squares(n, 1, IN(f64, 0), p);
    for (i64 i = 0; i < n; i++) sum += p[i];
    less(n, sum / (f64)n, p, o);
    GIVE(f64, 0, o, n);
    return DONE;
}

#define GIVE_MATRIX(K, DATA, H, W) (*(f64ss *)out[K] = (f64ss){(DATA), {(H), (W)}, {(W), 1}, NULL})

PASS void columns(i64 h, i64 w, const f64 *restrict x, f64 *restrict o) {
    for (i64 j = 0; j < w; j++)
        for (i64 i = 0; i < h; i++) o[j * h + i] = x[i * w + j];
}

/* In blocks of 8 by 8, so that each line of memory is used while it is in the cache. */
ENTRY(flipped_f64) {
    const i64 h = ((const f64ss *)in[0])->shape[0], w = ((const f64ss *)in[0])->shape[1];
    const f64 *restrict x = ((const f64ss *)in[0])->data;
    f64 *restrict o = KEPT(f64, h * w);
    for (i64 jj = 0; jj < w; jj += 8)
        for (i64 ii = 0; ii < h; ii += 8)
            for (i64 j = jj; j < w && j < jj + 8; j++)
                for (i64 i = ii; i < h && i < ii + 8; i++) o[j * h + i] = SQUARE(x[i * w + j]) + 1;
    GIVE_MATRIX(0, o, w, h);
    return DONE;
}

ENTRY(flipped_f64_unfused) {
    const i64 h = ((const f64ss *)in[0])->shape[0], w = ((const f64ss *)in[0])->shape[1];
    f64 *p = KEPT(f64, h * w), *o = KEPT(f64, h * w);
    squares(h * w, 1, ((const f64ss *)in[0])->data, p);
    columns(h, w, p, o);
    GIVE_MATRIX(0, o, w, h);
    return DONE;
}

/* Stencils with the largest change, the edges by hand. */
#include "support.h"

#define SMOOTH(L, C, R) (0.25 * (L) + 0.5 * (C) + 0.25 * (R))

ENTRY(convolution_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n), most = 0;
    if (n > 0) {
        o[0] = SMOOTH(x[n - 1], x[0], x[n > 1 ? 1 : 0]);
        most = fabs(o[0] - x[0]);
    }
    for (i64 i = 1; i < n - 1; i++) {
        const f64 y = SMOOTH(x[i - 1], x[i], x[i + 1]), change = fabs(y - x[i]);
        o[i] = y;
        if (change > most) most = change;
    }
    if (n > 1) {
        o[n - 1] = SMOOTH(x[n - 2], x[n - 1], x[0]);
        if (fabs(o[n - 1] - x[n - 1]) > most) most = fabs(o[n - 1] - x[n - 1]);
    }
    GIVE(f64, 0, o, n);
    GIVE_SCALAR(f64, 1, most);
    return DONE;
}

PASS void rotated(i64 n, i64 by, const f64 *restrict a, f64 *restrict o) {
    memcpy(o, a + by, (size_t)(n - by) * sizeof *o);
    memcpy(o + (n - by), a, (size_t)by * sizeof *o);
}

PASS void changes(i64 n, const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = fabs(b[i] - a[i]);
}

ENTRY(convolution_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    const f64 *x = IN(f64, 0);
    f64 *l = KEPT(f64, n), *r = KEPT(f64, n), *s = KEPT(f64, n), *t = KEPT(f64, n), *o = KEPT(f64, n);
    rotated(n, n - 1, x, l);
    rotated(n, 1, x, r);
    f64_mul_by(n, l, 0.25, s);
    f64_mul_by(n, x, 0.5, t);
    f64_mul_by(n, r, 0.25, l);
    f64_add(n, s, t, r);
    f64_add(n, r, l, o);
    changes(n, x, o, t);
    GIVE(f64, 0, o, n);
    GIVE_SCALAR(f64, 1, f64_most(n, t, 0));
    return DONE;
}

#define GIVE_SQUARE(K, DATA, N) (*(f64ss *)out[K] = (f64ss){(DATA), {(N), (N)}, {(N), 1}, NULL})

ENTRY(relaxation_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *restrict a = ((const f64ss *)in[0])->data;
    f64 *restrict o = KEPT(f64, n * n), most = 0;
    if (n > 0) {
        memcpy(o, a, (size_t)n * sizeof *o);
        memcpy(o + (n - 1) * n, a + (n - 1) * n, (size_t)n * sizeof *o);
    }
    for (i64 i = 1; i < n - 1; i++) {
        const f64 *restrict p = a + i * n;
        f64 *restrict q = o + i * n;
        q[0] = p[0];
        q[n - 1] = p[n - 1];
        for (i64 j = 1; j < n - 1; j++) {
            const f64 y = 0.25 * (((p[j - n] + p[j + n]) + p[j - 1]) + p[j + 1]), change = fabs(y - p[j]);
            q[j] = y;
            if (change > most) most = change;
        }
    }
    GIVE_SQUARE(0, o, n);
    GIVE_SCALAR(f64, 1, most);
    return DONE;
}

PASS void shifted(i64 n, i64 by, const f64 *restrict a, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = i + by >= 0 && i + by < n ? a[i + by] : 0;
}

PASS void inside(i64 n, const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < n; j++)
            o[i * n + j] = i > 0 && j > 0 && i < n - 1 && j < n - 1 ? b[i * n + j] : a[i * n + j];
}

ENTRY(relaxation_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0], size = n * n;
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *s = KEPT(f64, size), *t = KEPT(f64, size), *o = KEPT(f64, size);
    shifted(size, -n, a, s);
    shifted(size, n, a, t);
    f64_add(size, s, t, o);
    shifted(size, -1, a, s);
    f64_add(size, o, s, t);
    shifted(size, 1, a, s);
    f64_add(size, t, s, o);
    f64_mul_by(size, o, 0.25, s);
    inside(n, a, s, o);
    changes(size, a, o, t);
    GIVE_SQUARE(0, o, n);
    GIVE_SCALAR(f64, 1, f64_most(size, t, 0));
    return DONE;
}

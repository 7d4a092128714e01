/* Mesh generation: two sweeps a step, the fewest that the dependences allow. The first goes down the rows, makes the
 * equations and eliminates. The second goes up, substitutes and moves the points in place. Rows run in vectors. */
#include "support.h"

#define RELAXATION 0.98

#define GIVE_SQUARE(K, DATA, N, M) (*(f64ss *)out[K] = (f64ss){(DATA), {(N), (M)}, {(M), 1}, NULL})
#define MORE(A, B) ((A) > (B) ? (A) : (B))
#define ALONG(Z, I) ((Z)[(I) + 1] - 2 * (Z)[I] + (Z)[(I) - 1])
#define RESIDUAL(A, B, C, L, Z, H, I) \
    ((A) * ALONG(Z, I) + (B) * ((H)[I] - 2 * (Z)[I] + (L)[I]) - (C) * ((H)[(I) + 1] - (H)[(I) - 1] - (L)[(I) + 1] + (L)[(I) - 1]))

/* A row of the elimination: rows below, here and above of x and of y, the results of the row before, and this row's. */
static void eliminate(i64 m, const f64 *restrict xl, const f64 *restrict x, const f64 *restrict xh, const f64 *restrict yl,
                      const f64 *restrict y, const f64 *restrict yh, const f64 *restrict el, const f64 *restrict fl,
                      const f64 *restrict gl, f64 *restrict e, f64 *restrict f, f64 *restrict g, i64 *ex, i64 *ey) {
    i64 most_x = *ex, most_y = *ey;
    for (i64 i = 1; i < m - 1; i++) {
        const f64 xi = x[i + 1] - x[i - 1], yi = y[i + 1] - y[i - 1], xj = xh[i] - xl[i], yj = yh[i] - yl[i];
        const f64 a = 0.25 * (xj * xj + yj * yj), b = 0.25 * (xi * xi + yi * yi), c = 0.125 * (xi * xj + yi * yj);
        const f64 u = RESIDUAL(a, b, c, xl, x, xh, i), v = RESIDUAL(a, b, c, yl, y, yh, i);
        const f64 d = 1 / (2 * b + a * (2 / RELAXATION) - b * el[i]);
        const i64 bits_u = bits_of(fabs(u)), bits_v = bits_of(fabs(v));
        e[i] = b * d;
        f[i] = (u + b * fl[i]) * d;
        g[i] = (v + b * gl[i]) * d;
        most_x = MORE(bits_u, most_x);
        most_y = MORE(bits_v, most_y);
    }
    *ex = most_x;
    *ey = most_y;
}

/* A row of the substitution; u and v are those of the row above, and then those of this row. */
static void substitute(i64 m, const f64 *restrict e, const f64 *restrict f, const f64 *restrict g, f64 *restrict u,
                       f64 *restrict v, f64 *restrict x, f64 *restrict y) {
    for (i64 i = 1; i < m - 1; i++) {
        u[i] = f[i] + e[i] * u[i];
        v[i] = g[i] + e[i] * v[i];
        x[i] += u[i];
        y[i] += v[i];
    }
}

ENTRY(tomcatv) {
    const i64 steps = SCALAR(i64, 0), n = ((const f64ss *)in[1])->shape[0], m = ((const f64ss *)in[1])->shape[1], size = n * m;
    f64 *restrict x = KEPT(f64, size), *restrict y = KEPT(f64, size);
    f64 *restrict e = KEPT(f64, size), *restrict f = KEPT(f64, size), *restrict g = KEPT(f64, size);
    f64 *restrict u = KEPT(f64, m), *restrict v = KEPT(f64, m);
    i64 ex = 0, ey = 0;
    memcpy(x, ((const f64ss *)in[1])->data, (size_t)size * sizeof *x);
    memcpy(y, ((const f64ss *)in[2])->data, (size_t)size * sizeof *y);
    for (i64 step = 0; step < steps; step++) {
        ex = ey = 0;
        for (i64 i = 0; i < m; i++) e[i] = f[i] = g[i] = 0;
        for (i64 j = 1; j < n - 1; j++) {
            const i64 k = j * m;
            eliminate(m, x + k - m, x + k, x + k + m, y + k - m, y + k, y + k + m, e + k - m, f + k - m, g + k - m, e + k, f + k,
                      g + k, &ex, &ey);
        }
        for (i64 i = 0; i < m; i++) u[i] = v[i] = 0;
        for (i64 j = n - 2; j > 0; j--) substitute(m, e + j * m, f + j * m, g + j * m, u, v, x + j * m, y + j * m);
    }
    GIVE_SQUARE(0, x, n, m);
    GIVE_SQUARE(1, y, n, m);
    GIVE_SCALAR(f64, 2, of_bits(ex));
    GIVE_SCALAR(f64, 3, of_bits(ey));
    return DONE;
}

/* Every combinator is a loop of its own, and stores its results. */
#define EACH(BODY) \
    for (i64 j = 1; j < n - 1; j++) \
        for (i64 i = 1; i < m - 1; i++) { const i64 k = j * m + i; BODY; }

PASS void differences(i64 n, i64 m, i64 by, const f64 *restrict z, f64 *restrict o) { EACH(o[k] = z[k + by] - z[k - by]) }
PASS void products(i64 n, i64 m, f64 s, const f64 *restrict p, const f64 *restrict q, const f64 *restrict r,
                   const f64 *restrict t, f64 *restrict o) { EACH(o[k] = s * (p[k] * q[k] + r[k] * t[k])) }
PASS void seconds(i64 n, i64 m, i64 by, const f64 *restrict z, f64 *restrict o) { EACH(o[k] = z[k + by] - 2 * z[k] + z[k - by]) }
PASS void mixed(i64 n, i64 m, const f64 *restrict z, f64 *restrict o) {
    EACH(o[k] = z[k + m + 1] - z[k + m - 1] - z[k - m + 1] + z[k - m - 1])
}
PASS void residuals(i64 n, i64 m, const f64 *restrict a, const f64 *restrict b, const f64 *restrict c, const f64 *restrict p,
                    const f64 *restrict q, const f64 *restrict r, f64 *restrict o) {
    EACH(o[k] = a[k] * p[k] + b[k] * q[k] - c[k] * r[k])
}
PASS f64 largest(i64 n, i64 m, const f64 *restrict z) {
    i64 most = 0;
    EACH(const i64 bits = bits_of(fabs(z[k])); most = MORE(bits, most))
    return of_bits(most);
}
PASS void diagonals(i64 n, i64 m, const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    EACH(o[k] = 2 * b[k] + a[k] * (2 / RELAXATION))
}
PASS void scales(i64 n, i64 m, const f64 *restrict b, f64 *restrict d, f64 *restrict e) {
    for (i64 i = 0; i < m; i++) e[i] = 0;
    EACH(d[k] = 1 / (d[k] - b[k] * e[k - m]); e[k] = b[k] * d[k])
}
PASS void forwards(i64 n, i64 m, const f64 *restrict b, const f64 *restrict d, const f64 *restrict r, f64 *restrict o) {
    for (i64 i = 0; i < m; i++) o[i] = 0;
    EACH(o[k] = (r[k] + b[k] * o[k - m]) * d[k])
}
PASS void backwards(i64 n, i64 m, const f64 *restrict e, f64 *restrict o) {
    for (i64 i = 0; i < m; i++) o[(n - 1) * m + i] = 0;
    for (i64 j = n - 2; j > 0; j--)
        for (i64 i = 1; i < m - 1; i++) o[j * m + i] += e[j * m + i] * o[(j + 1) * m + i];
}
PASS void added(i64 n, i64 m, const f64 *restrict u, f64 *restrict z) { EACH(z[k] += u[k]) }

ENTRY(tomcatv_unfused) {
    const i64 steps = SCALAR(i64, 0), n = ((const f64ss *)in[1])->shape[0], m = ((const f64ss *)in[1])->shape[1], size = n * m;
    f64 *x = KEPT(f64, size), *y = KEPT(f64, size), *all = KEPT(f64, 18 * size), *part[18];
    f64 ex = 0, ey = 0;
    for (i64 k = 0; k < 18; k++) part[k] = all + k * size;
    memcpy(x, ((const f64ss *)in[1])->data, (size_t)size * sizeof *x);
    memcpy(y, ((const f64ss *)in[2])->data, (size_t)size * sizeof *y);
    for (i64 step = 0; step < steps && n > 2; step++) {
        f64 *xi = part[0], *yi = part[1], *xj = part[2], *yj = part[3], *a = part[4], *b = part[5], *c = part[6];
        f64 *d = part[7], *e = part[8];
        differences(n, m, 1, x, xi);
        differences(n, m, 1, y, yi);
        differences(n, m, m, x, xj);
        differences(n, m, m, y, yj);
        products(n, m, 0.25, xj, xj, yj, yj, a);
        products(n, m, 0.25, xi, xi, yi, yi, b);
        products(n, m, 0.125, xi, xj, yi, yj, c);
        diagonals(n, m, a, b, d);
        for (i64 k = 0; k < 2; k++) {
            const f64 *z = k == 0 ? x : y;
            seconds(n, m, 1, z, part[9]);
            seconds(n, m, m, z, part[10]);
            mixed(n, m, z, part[11]);
            residuals(n, m, a, b, c, part[9], part[10], part[11], part[12 + k]);
        }
        ex = largest(n, m, part[12]);
        ey = largest(n, m, part[13]);
        scales(n, m, b, d, e);
        for (i64 k = 0; k < 2; k++) {
            forwards(n, m, b, d, part[12 + k], part[14 + k]);
            backwards(n, m, e, part[14 + k]);
            added(n, m, part[14 + k], k == 0 ? x : y);
        }
    }
    GIVE_SQUARE(0, x, n, m);
    GIVE_SQUARE(1, y, n, m);
    GIVE_SCALAR(f64, 2, ex);
    GIVE_SCALAR(f64, 3, ey);
    return DONE;
}

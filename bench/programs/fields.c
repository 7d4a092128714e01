/* Steps of fields by hand: one sweep each, with the edges apart from the interior. The flows of water are computed once for each
 * square, in three rows that are used in turns. */
#include "support.h"

#include <stdbool.h>

typedef ARRAY(bool, 2) boolss;

#define MORE(A, B) ((A) > (B) ? (A) : (B))
#define SQUARE_OF(T, DATA, N, M) ((T){(DATA), {(N), (M)}, {(M), 1}, NULL})
#define GIVE_SQUARE(T, K, DATA, N, M) (*(T *)out[K] = SQUARE_OF(T, DATA, N, M))
#define ROWS(T, K) (((const T *)in[K])->shape[0])
#define COLUMNS(T, K) (((const T *)in[K])->shape[1])

/* The interior of a row. Gives the bits of the greatest change: those of positive numbers are in the same order. */
static i64 jacobi_row(i64 m, const f64 *restrict c, const f64 *restrict u, const f64 *restrict a, const f64 *restrict d,
                      f64 *restrict o) {
    i64 most = 0;
    o[0] = a[0];
    o[m - 1] = a[m - 1];
    for (i64 j = 1; j < m - 1; j++) {
        const f64 y = 0.25 * (((u[j] + d[j]) + (a[j - 1] + a[j + 1])) + c[j]);
        const i64 change = bits_of(fabs(y - a[j]));
        o[j] = y;
        most = MORE(change, most);
    }
    return most;
}

ENTRY(jacobi_step) {
    const i64 n = ROWS(f64ss, 0), m = COLUMNS(f64ss, 0);
    const f64 *c = IN(f64s, 0), *a = IN(f64s, 1);
    f64 *o = KEPT(f64, n * m);
    i64 most = 0;
    if (n > 0) {
        memcpy(o, a, (size_t)m * sizeof *o);
        memcpy(o + (n - 1) * m, a + (n - 1) * m, (size_t)m * sizeof *o);
    }
    for (i64 i = 1; i < n - 1 && m > 0; i++) {
        const i64 k = i * m, change = jacobi_row(m, c + k, a + k - m, a + k, a + k + m, o + k);
        most = MORE(change, most);
    }
    GIVE_SQUARE(f64ss, 0, o, n, m);
    GIVE_SCALAR(f64, 1, of_bits(most));
    return DONE;
}

PASS void jacobi_all(i64 n, i64 m, const f64 *restrict c, const f64 *restrict a, f64 *restrict o) {
    memcpy(o, a, (size_t)(n * m) * sizeof *o);
    for (i64 i = 1; i < n - 1; i++)
        for (i64 j = 1; j < m - 1; j++) {
            const i64 k = i * m + j;
            o[k] = 0.25 * (((a[k - m] + a[k + m]) + (a[k - 1] + a[k + 1])) + c[k]);
        }
}

PASS f64 changed(i64 n, const f64 *restrict a, const f64 *restrict b) {
    f64 most = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 change = fabs(b[i] - a[i]);
        if (change > most) most = change;
    }
    return most;
}

ENTRY(jacobi_step_unfused) {
    const i64 n = ROWS(f64ss, 0), m = COLUMNS(f64ss, 0);
    f64 *o = KEPT(f64, n * m);
    jacobi_all(n, m, IN(f64s, 0), IN(f64s, 1), o);
    GIVE_SQUARE(f64ss, 0, o, n, m);
    GIVE_SCALAR(f64, 1, changed(n * m, IN(f64s, 1), o));
    return DONE;
}

/* Whether a cell lives, from the rows above, here and below. l and r are its neighbours in a row, around the edges. */
static inline bool lives(const uint8_t *u, const uint8_t *a, const uint8_t *d, i64 l, i64 j, i64 r) {
    const uint8_t sum = (uint8_t)((u[l] + u[j] + u[r]) + (a[l] + a[j] + a[r]) + (d[l] + d[j] + d[r]));
    return (sum == 3) | ((sum == 4) & a[j]);
}

static void life_row(i64 m, const uint8_t *restrict u, const uint8_t *restrict a, const uint8_t *restrict d, uint8_t *restrict o) {
    o[0] = lives(u, a, d, m - 1, 0, m > 1 ? 1 : 0);
    o[m - 1] = lives(u, a, d, m > 1 ? m - 2 : 0, m - 1, 0);
    for (i64 j = 1; j < m - 1; j++) o[j] = lives(u, a, d, j - 1, j, j + 1);
}

ENTRY(life_step) {
    const i64 n = ROWS(boolss, 0), m = COLUMNS(boolss, 0);
    const uint8_t *a = (const uint8_t *)((const boolss *)in[0])->data;
    uint8_t *o = KEPT(uint8_t, n * m);
    for (i64 i = 0; i < n && m > 0; i++)
        life_row(m, a + (i > 0 ? i - 1 : n - 1) * m, a + i * m, a + (i < n - 1 ? i + 1 : 0) * m, o + i * m);
    GIVE_SQUARE(boolss, 0, (bool *)o, n, m);
    return DONE;
}

PASS void life_moved(i64 n, i64 m, i64 di, i64 dj, const uint8_t *restrict a, uint8_t *restrict o) {
    const size_t first = (size_t)((dj + m) % m), rest = (size_t)m - first;
    for (i64 i = 0; i < n; i++) {
        const uint8_t *row = a + (i + di + n) % n * m;
        memcpy(o + i * m, row + first, rest);
        memcpy(o + i * m + (i64)rest, row, first);
    }
}

PASS void life_added(i64 size, const uint8_t *restrict a, uint8_t *restrict o) {
    for (i64 i = 0; i < size; i++) o[i] = (uint8_t)(o[i] + a[i]);
}

ENTRY(life_step_unfused) {
    const i64 n = ROWS(boolss, 0), m = COLUMNS(boolss, 0), size = n * m;
    const uint8_t *a = (const uint8_t *)((const boolss *)in[0])->data;
    uint8_t *s = KEPT(uint8_t, size), *o = KEPT(uint8_t, size);
    memset(o, 0, (size_t)size);
    for (i64 di = -1; di <= 1 && size > 0; di++)
        for (i64 dj = -1; dj <= 1; dj++) {
            life_moved(n, m, di, dj, a, s);
            life_added(size, s, o);
        }
    for (i64 i = 0; i < size; i++) o[i] = (o[i] == 3) | ((o[i] == 4) & a[i]);
    GIVE_SQUARE(boolss, 0, (bool *)o, n, m);
    return DONE;
}

/* The parts of both flows that flow down and to the right, for a row. Of the depth, the flows themselves do. */
static void flows_of(i64 m, const f64 *restrict h, const f64 *restrict p, const f64 *restrict q, f64 *restrict dp, f64 *restrict dq,
                     f64 *restrict rp, f64 *restrict rq) {
    for (i64 j = 0; j < m; j++) {
        const f64 one = 1 / h[j], v = p[j] * one, w = q[j] * one, half = 4.905 * (h[j] * h[j]);
        dp[j] = p[j] * v + half;
        dq[j] = q[j] * v;
        rp[j] = p[j] * w;
        rq[j] = q[j] * w + half;
    }
}

#define NEXT(Z, U, D, A, FU, FD, G, L, J, R) \
    (0.25 * ((U[J] + D[J]) + (A[L] + A[R])) - 0.5 * Z * ((FD[J] - FU[J]) + (G[R] - G[L])))

static void flow_row(i64 m, f64 r, const f64 *restrict u, const f64 *restrict a, const f64 *restrict d, const f64 *restrict fu,
                     const f64 *restrict fd, const f64 *restrict g, f64 *restrict o) {
    o[0] = NEXT(r, u, d, a, fu, fd, g, m - 1, 0, (m > 1 ? 1 : 0));
    o[m - 1] = NEXT(r, u, d, a, fu, fd, g, (m > 1 ? m - 2 : 0), m - 1, 0);
    for (i64 j = 1; j < m - 1; j++) o[j] = NEXT(r, u, d, a, fu, fd, g, j - 1, j, j + 1);
}

ENTRY(flow) {
    const f64 r = SCALAR(f64, 0);
    const i64 steps = SCALAR(i64, 1), n = ROWS(f64ss, 2), m = COLUMNS(f64ss, 2), size = n * m;
    f64 *from = KEPT(f64, 3 * size), *to = KEPT(f64, 3 * size), *rows = KEPT(f64, 16 * m);
    for (i64 k = 0; k < 3; k++) memcpy(from + k * size, IN(f64s, 2 + k), (size_t)size * sizeof *from);
    for (i64 step = 0; step < steps && size > 0; step++) {
        const f64 *h = from, *p = from + size, *q = from + 2 * size;
        for (i64 at = -1; at <= n; at++) {
            const i64 k = (at + n) % n * m, i = at - 1;
            f64 *ring = rows + (at + 1) % 4 * 4 * m;
            flows_of(m, h + k, p + k, q + k, ring, ring + m, ring + 2 * m, ring + 3 * m);
            if (i < 0) continue;
            const f64 *above = rows + i % 4 * 4 * m, *here = rows + (i + 1) % 4 * 4 * m, *below = rows + (i + 2) % 4 * 4 * m;
            const i64 up = (i > 0 ? i - 1 : n - 1) * m, mid = i * m, down = (i < n - 1 ? i + 1 : 0) * m;
            flow_row(m, r, h + up, h + mid, h + down, p + up, p + down, q + mid, to + mid);
            flow_row(m, r, p + up, p + mid, p + down, above, below, here + 2 * m, to + size + mid);
            flow_row(m, r, q + up, q + mid, q + down, above + m, below + m, here + 3 * m, to + 2 * size + mid);
        }
        f64 *other = from;
        from = to;
        to = other;
    }
    for (i64 k = 0; k < 3; k++) GIVE_SQUARE(f64ss, k, from + k * size, n, m);
    return DONE;
}

PASS void flows_all(i64 size, const f64 *h, const f64 *p, const f64 *q, f64 *dp, f64 *dq, f64 *rp, f64 *rq) {
    flows_of(size, h, p, q, dp, dq, rp, rq);
}

PASS void flow_all(i64 n, i64 m, f64 r, const f64 *a, const f64 *f, const f64 *g, f64 *o) {
    for (i64 i = 0; i < n; i++) {
        const i64 up = (i > 0 ? i - 1 : n - 1) * m, down = (i < n - 1 ? i + 1 : 0) * m;
        flow_row(m, r, a + up, a + i * m, a + down, f + up, f + down, g + i * m, o + i * m);
    }
}

ENTRY(flow_unfused) {
    const f64 r = SCALAR(f64, 0);
    const i64 steps = SCALAR(i64, 1), n = ROWS(f64ss, 2), m = COLUMNS(f64ss, 2), size = n * m;
    f64 *from = KEPT(f64, 3 * size), *to = KEPT(f64, 3 * size), *all = KEPT(f64, 4 * size);
    for (i64 k = 0; k < 3; k++) memcpy(from + k * size, IN(f64s, 2 + k), (size_t)size * sizeof *from);
    for (i64 step = 0; step < steps && size > 0; step++) {
        const f64 *h = from, *p = from + size, *q = from + 2 * size;
        flows_all(size, h, p, q, all, all + size, all + 2 * size, all + 3 * size);
        flow_all(n, m, r, h, p, q, to);
        flow_all(n, m, r, p, all, all + 2 * size, to + size);
        flow_all(n, m, r, q, all + size, all + 3 * size, to + 2 * size);
        f64 *other = from;
        from = to;
        to = other;
    }
    for (i64 k = 0; k < 3; k++) GIVE_SQUARE(f64ss, k, from + k * size, n, m);
    return DONE;
}

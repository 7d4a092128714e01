/* Steps with loops of their own. Where an element is one loop there is nothing to fuse: then both versions are the same. */
#include "support.h"
/* Products and sums are rounded one by one, as in Arr, except where a sum may be taken in any order. */
#pragma STDC FP_CONTRACT OFF

static i32 escape(f32 a, f32 b) {
    f32 x = 0, y = 0;
    i32 k = 0;
    while (k < 256 && x * x + y * y < 4) {
        const f32 t = x * x - y * y + a;
        y = 2 * x * y + b;
        x = t;
        k++;
    }
    return k;
}
ENTRY(escape_f32) {
    const i64 n = LENGTH(f32, 0);
    const f32 *restrict a = IN(f32, 0), *restrict b = IN(f32, 1);
    i32 *restrict o = KEPT(i32, n);
    for (i64 i = 0; i < n; i++) o[i] = escape(a[i], b[i]);
    GIVE(i32, 0, o, n);
    return DONE;
}
ENTRY(escape_f32_unfused) { return escape_f32__uniform(ctx, out, in); }

static f64 walk(i32 seed) {
    uint32_t s = (uint32_t)seed;
    f64 at = 0;
    for (int k = 0; k < 50; k++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        at = at * 0.99 + s * 2.0e-10;
    }
    return at;
}
ENTRY(paths_f64) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict seeds = IN(i32, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = walk(seeds[i]);
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(paths_f64_unfused) { return paths_f64__uniform(ctx, out, in); }

ENTRY(horner_f64) {
    const i64 m = LENGTH(f64, 0), n = LENGTH(f64, 1);
    const f64 *restrict c = IN(f64, 0), *restrict x = IN(f64, 1);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        f64 acc = 0;
        for (i64 k = 0; k < m; k++) acc = acc * x[i] + c[k];
        o[i] = acc;
    }
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(horner_f64_unfused) { return horner_f64__uniform(ctx, out, in); }

/* The sum may be taken in any order, as in Arr. */
ENTRY(bodies_f64) {
    #pragma clang fp reassociate(on) contract(fast)
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        f64 s = 0;
        for (i64 j = 0; j < n; j++) {
            const f64 d = x[j] - x[i];
            s += d / (d * d + 0.01);
        }
        o[i] = s;
    }
    GIVE(f64, 0, o, n);
    return DONE;
}
ENTRY(bodies_f64_unfused) {
    #pragma clang fp reassociate(on) contract(fast)
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n), *restrict t = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        for (i64 j = 0; j < n; j++) {
            const f64 d = x[j] - x[i];
            t[j] = d / (d * d + 0.01);
        }
        f64 s = 0;
        for (i64 j = 0; j < n; j++) s += t[j];
        o[i] = s;
    }
    GIVE(f64, 0, o, n);
    return DONE;
}

/* Tiles of 4 rows and 16 columns, in registers; spans of 256 turns. */
enum { ROWS = 4, COLUMNS = 16, SPAN = 256 };
ENTRY(product_f64) {
    #pragma clang fp contract(fast)
    const i64 h = LENGTH(f64, 0), m = ((const f64ss *)in[0])->shape[1], w = ((const f64ss *)in[1])->shape[1];
    const f64 *restrict a = IN(f64, 0), *restrict b = IN(f64, 1);
    f64 *restrict o = KEPT(f64, h * w);
    memset(o, 0, (size_t)(h * w) * sizeof(f64));
    for (i64 k0 = 0; k0 < m; k0 += SPAN) {
        const i64 k1 = k0 + SPAN < m ? k0 + SPAN : m;
        for (i64 j = 0; j + COLUMNS <= w; j += COLUMNS) {
            i64 i = 0;
            for (; i + ROWS <= h; i += ROWS) {
                f64 t[ROWS][COLUMNS];
                for (int r = 0; r < ROWS; r++)
                    for (int c = 0; c < COLUMNS; c++) t[r][c] = o[(i + r) * w + j + c];
                for (i64 k = k0; k < k1; k++)
                    for (int r = 0; r < ROWS; r++)
                        for (int c = 0; c < COLUMNS; c++) t[r][c] += a[(i + r) * m + k] * b[k * w + j + c];
                for (int r = 0; r < ROWS; r++)
                    for (int c = 0; c < COLUMNS; c++) o[(i + r) * w + j + c] = t[r][c];
            }
            for (; i < h; i++)
                for (i64 k = k0; k < k1; k++)
                    for (int c = 0; c < COLUMNS; c++) o[i * w + j + c] += a[i * m + k] * b[k * w + j + c];
        }
        for (i64 i = 0; i < h; i++)
            for (i64 k = k0; k < k1; k++)
                for (i64 j = w / COLUMNS * COLUMNS; j < w; j++) o[i * w + j] += a[i * m + k] * b[k * w + j];
    }
    *(f64ss *)out[0] = (f64ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}
ENTRY(product_f64_unfused) {
    const i64 h = LENGTH(f64, 0), m = ((const f64ss *)in[0])->shape[1], w = ((const f64ss *)in[1])->shape[1];
    const f64 *restrict a = IN(f64, 0), *restrict b = IN(f64, 1);
    f64 *restrict o = KEPT(f64, h * w), *restrict column = KEPT(f64, m), *restrict t = KEPT(f64, m);
    for (i64 i = 0; i < h; i++)
        for (i64 j = 0; j < w; j++) {
            for (i64 k = 0; k < m; k++) column[k] = b[k * w + j];
            f64_mul(m, a + i * m, column, t);
            o[i * w + j] = f64_sum(m, t);
        }
    *(f64ss *)out[0] = (f64ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}

ENTRY(product_of_counts_f64) { return product_f64__uniform(ctx, out, in); }
ENTRY(product_of_counts_f64_unfused) { return product_f64_unfused__uniform(ctx, out, in); }

enum { CELLS = 8, STATE = 4 };

/* The slopes of a state p, q, r, s, and the state a part of a step further. */
#define SLOPES(K, P, Q, R, S, A, B, C, D) \
    const f64 A = Q, B = -(K) * (P) - 0.1 * (Q) + (R), C = 0.5 * (S) - (R) * (P), D = (K) * (P) - 0.2 * (S)
#define FURTHER(H, A, B, C, D, P, Q, R, S) \
    const f64 P = p + (H) * (A), Q = q + (H) * (B), R = r + (H) * (C), S = s + (H) * (D)

/* Some oscillators at once: the loop over them runs in vectors. */
static void oscillate(i64 cells, const f64 *restrict states, const f64 *restrict ks, f64 *restrict o) {
    const f64 h = 0.01;
    f64 k[CELLS] = {0}, ps[CELLS] = {0}, qs[CELLS] = {0}, rs[CELLS] = {0}, ss[CELLS] = {0};
    for (i64 c = 0; c < cells; c++) {
        k[c] = ks[c];
        ps[c] = states[STATE * c];
        qs[c] = states[STATE * c + 1];
        rs[c] = states[STATE * c + 2];
        ss[c] = states[STATE * c + 3];
    }
    for (int step = 0; step < 10; step++)
        for (int c = 0; c < CELLS; c++) {
            const f64 p = ps[c], q = qs[c], r = rs[c], s = ss[c];
            SLOPES(k[c], p, q, r, s, a1, b1, c1, d1);
            FURTHER(h / 2, a1, b1, c1, d1, p2, q2, r2, s2);
            SLOPES(k[c], p2, q2, r2, s2, a2, b2, c2, d2);
            FURTHER(h / 2, a2, b2, c2, d2, p3, q3, r3, s3);
            SLOPES(k[c], p3, q3, r3, s3, a3, b3, c3, d3);
            FURTHER(h, a3, b3, c3, d3, p4, q4, r4, s4);
            SLOPES(k[c], p4, q4, r4, s4, a4, b4, c4, d4);
            ps[c] = p + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            qs[c] = q + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
            rs[c] = r + h / 6 * (c1 + 2 * c2 + 2 * c3 + c4);
            ss[c] = s + h / 6 * (d1 + 2 * d2 + 2 * d3 + d4);
        }
    for (i64 c = 0; c < cells; c++) {
        o[STATE * c] = ps[c];
        o[STATE * c + 1] = qs[c];
        o[STATE * c + 2] = rs[c];
        o[STATE * c + 3] = ss[c];
    }
}
ENTRY(oscillators_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *states = IN(f64, 0), *ks = IN(f64, 1);
    f64 *o = KEPT(f64, STATE * n);
    i64 i = 0;
    for (; i + CELLS <= n; i += CELLS) oscillate(CELLS, states + STATE * i, ks + i, o + STATE * i);
    oscillate(n - i, states + STATE * i, ks + i, o + STATE * i);
    *(f64ss *)out[0] = (f64ss){o, {n, STATE}, {STATE, 1}, NULL};
    return DONE;
}
ENTRY(oscillators_f64_unfused) { return oscillators_f64__uniform(ctx, out, in); }

/* Linear algebra: factors in blocks, small products, systems with three diagonals, a step of learning. */
#include "support.h"
/* Products and sums are rounded one by one, as in Arr, except where a sum may be taken in any order. */
#pragma STDC FP_CONTRACT OFF

typedef ARRAY(f64, 3) f64sss;

enum { ROWS = 4, COLUMNS = 16, BLOCK = 32 };

/* c -= a b for the h rows and w columns of c, in tiles that stay in registers. Rows of b are l elements apart, others n. */
static void subtract_apart(i64 h, i64 w, i64 m, const f64 *restrict a, const f64 *restrict b, i64 l, f64 *restrict c, i64 n) {
    #pragma clang fp contract(fast)
    i64 j = 0;
    for (; j + COLUMNS <= w; j += COLUMNS) {
        i64 i = 0;
        for (; i + ROWS <= h; i += ROWS) {
            f64 t[ROWS][COLUMNS] = {0};
            for (i64 k = 0; k < m; k++)
                for (int r = 0; r < ROWS; r++)
                    for (int q = 0; q < COLUMNS; q++) t[r][q] += a[(i + r) * n + k] * b[k * l + j + q];
            for (int r = 0; r < ROWS; r++)
                for (int q = 0; q < COLUMNS; q++) c[(i + r) * n + j + q] -= t[r][q];
        }
        for (; i < h; i++) {
            f64 t[COLUMNS] = {0};
            for (i64 k = 0; k < m; k++)
                for (int q = 0; q < COLUMNS; q++) t[q] += a[i * n + k] * b[k * l + j + q];
            for (int q = 0; q < COLUMNS; q++) c[i * n + j + q] -= t[q];
        }
    }
    for (i64 i = 0; j < w && i < h; i++) {
        f64 t[COLUMNS] = {0};
        for (i64 k = 0; k < m; k++)
            for (i64 q = 0; q < w - j; q++) t[q] += a[i * n + k] * b[k * l + j + q];
        for (i64 q = 0; q < w - j; q++) c[i * n + j + q] -= t[q];
    }
}
static void subtract_product(i64 h, i64 w, i64 m, const f64 *restrict a, const f64 *restrict b, f64 *restrict c, i64 n) {
    subtract_apart(h, w, m, a, b, n, c, n);
}
static void factors(i64 n, f64 *a) {
    for (i64 b = 0; b < n; b += BLOCK) {
        const i64 e = b + BLOCK < n ? b + BLOCK : n;
        for (i64 k = b; k < e; k++)
            for (i64 i = k + 1; i < n; i++) {
                const f64 l = a[i * n + k] /= a[k * n + k];
                for (i64 j = k + 1; j < e; j++) a[i * n + j] -= l * a[k * n + j];
            }
        for (i64 i = b + 1; i < e; i++)
            for (i64 k = b; k < i; k++)
                for (i64 j = e; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        if (e < n) subtract_product(n - e, n - e, e - b, a + e * n + b, a + b * n + e, a + e * n + e, n);
    }
}
ENTRY(blocked_lu) {
    const i64 n = LENGTH(f64, 0);
    f64 *a = KEPT(f64, n * n);
    memcpy(a, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    factors(n, a);
    *(f64ss *)out[0] = (f64ss){a, {n, n}, {n, 1}, NULL};
    return DONE;
}
/* An element at a time, by rows. */
ENTRY(blocked_lu_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *a = KEPT(f64, n * n);
    memcpy(a, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    for (i64 k = 0; k < n; k++) {
        for (i64 i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (i64 i = k + 1; i < n; i++)
            for (i64 j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
    *(f64ss *)out[0] = (f64ss){a, {n, n}, {n, 1}, NULL};
    return DONE;
}

/* The factors of a matrix whose rows are exchanged, in blocks. */
static void pivoted(i64 n, f64 *a, i64 *rows) {
    for (i64 i = 0; i < n; i++) rows[i] = i;
    for (i64 b = 0; b < n; b += BLOCK) {
        const i64 e = b + BLOCK < n ? b + BLOCK : n;
        for (i64 k = b; k < e; k++) {
            i64 p = k;
            for (i64 i = k + 1; i < n; i++)
                if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
            if (p != k) {
                for (i64 j = 0; j < n; j++) {
                    const f64 x = a[k * n + j];
                    a[k * n + j] = a[p * n + j];
                    a[p * n + j] = x;
                }
                const i64 row = rows[k];
                rows[k] = rows[p];
                rows[p] = row;
            }
            for (i64 i = k + 1; i < n; i++) {
                const f64 l = a[i * n + k] /= a[k * n + k];
                for (i64 j = k + 1; j < e; j++) a[i * n + j] -= l * a[k * n + j];
            }
        }
        for (i64 i = b + 1; i < e; i++)
            for (i64 k = b; k < i; k++)
                for (i64 j = e; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        if (e < n) subtract_product(n - e, n - e, e - b, a + e * n + b, a + b * n + e, a + e * n + e, n);
    }
}
#define GIVE_SQUARE(DATA) (*(f64ss *)out[0] = (f64ss){(DATA), {n, n}, {n, 1}, NULL})
ENTRY(library_lu) {
    const i64 n = LENGTH(f64, 0);
    f64 *a = KEPT(f64, n * n);
    i64 *rows = KEPT(i64, n);
    memcpy(a, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    pivoted(n, a, rows);
    GIVE_SQUARE(a);
    GIVE(i64, 1, rows, n);
    return DONE;
}
static void pivoted_by_elements(i64 n, f64 *a, i64 *rows) {
    for (i64 i = 0; i < n; i++) rows[i] = i;
    for (i64 k = 0; k < n; k++) {
        i64 p = k;
        for (i64 i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        for (i64 j = 0; j < n; j++) {
            const f64 x = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = x;
        }
        const i64 row = rows[k];
        rows[k] = rows[p];
        rows[p] = row;
        for (i64 i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (i64 i = k + 1; i < n; i++)
            for (i64 j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}
ENTRY(library_lu_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *a = KEPT(f64, n * n);
    i64 *rows = KEPT(i64, n);
    memcpy(a, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    pivoted_by_elements(n, a, rows);
    GIVE_SQUARE(a);
    GIVE(i64, 1, rows, n);
    return DONE;
}
/* The columns of the inverse side by side: substitution in blocks. */
ENTRY(library_inverse) {
    const i64 n = LENGTH(f64, 0);
    f64 *f = KEPT(f64, n * n), *x = KEPT(f64, n * n);
    i64 *rows = KEPT(i64, n);
    memcpy(f, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    pivoted(n, f, rows);
    memset(x, 0, (size_t)(n * n) * sizeof(f64));
    for (i64 i = 0; i < n; i++) x[i * n + rows[i]] = 1;
    for (i64 b = 0; b < n; b += BLOCK) {
        const i64 e = b + BLOCK < n ? b + BLOCK : n;
        for (i64 i = b + 1; i < e; i++)
            for (i64 k = b; k < i; k++)
                for (i64 j = 0; j < n; j++) x[i * n + j] -= f[i * n + k] * x[k * n + j];
        subtract_product(n - e, n, e - b, f + e * n + b, x + b * n, x + e * n, n);
    }
    for (i64 e = n; e > 0; e -= BLOCK) {
        const i64 b = e > BLOCK ? e - BLOCK : 0;
        for (i64 i = e - 1; i >= b; i--) {
            for (i64 k = i + 1; k < e; k++)
                for (i64 j = 0; j < n; j++) x[i * n + j] -= f[i * n + k] * x[k * n + j];
            for (i64 j = 0; j < n; j++) x[i * n + j] /= f[i * n + i];
        }
        subtract_product(b, n, e - b, f + b, x + b * n, x, n);
    }
    GIVE_SQUARE(x);
    return DONE;
}
ENTRY(library_inverse_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *f = KEPT(f64, n * n), *x = KEPT(f64, n * n), *y = KEPT(f64, n);
    i64 *rows = KEPT(i64, n);
    memcpy(f, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    pivoted_by_elements(n, f, rows);
    for (i64 c = 0; c < n; c++) {
        for (i64 i = 0; i < n; i++) {
            y[i] = rows[i] == c;
            for (i64 k = 0; k < i; k++) y[i] -= f[i * n + k] * y[k];
        }
        for (i64 i = n - 1; i >= 0; i--) {
            for (i64 k = i + 1; k < n; k++) y[i] -= f[i * n + k] * y[k];
            y[i] /= f[i * n + i];
        }
        for (i64 i = 0; i < n; i++) x[i * n + c] = y[i];
    }
    GIVE_SQUARE(x);
    return DONE;
}
/* c -= a a' on and below the diagonal, in blocks of rows; t holds a transposed. */
static void subtract_below(i64 h, i64 m, const f64 *restrict a, f64 *restrict c, i64 n, f64 *restrict t) {
    for (i64 j = 0; j < h; j++)
        for (i64 k = 0; k < m; k++) t[k * h + j] = a[j * n + k];
    for (i64 i = 0; i < h; i += BLOCK) {
        const i64 e = i + BLOCK < h ? i + BLOCK : h;
        subtract_apart(e - i, e, m, a + i * n, t, h, c + i * n, n);
    }
}
ENTRY(library_cholesky) {
    const i64 n = LENGTH(f64, 0);
    f64 *a = KEPT(f64, n * n), *t = KEPT(f64, n * BLOCK);
    for (i64 i = 0; i < n; i++) {
        memcpy(a + i * n, IN(f64, 0) + i * n, (size_t)(i + 1) * sizeof(f64));
        memset(a + i * n + i + 1, 0, (size_t)(n - i - 1) * sizeof(f64));
    }
    for (i64 b = 0; b < n; b += BLOCK) {
        const i64 e = b + BLOCK < n ? b + BLOCK : n;
        for (i64 k = b; k < e; k++) {
            const f64 root = sqrt(a[k * n + k]);
            f64 column[BLOCK];
            for (i64 i = k; i < n; i++) a[i * n + k] /= root;
            for (i64 i = k + 1; i < e; i++) column[i - k - 1] = a[i * n + k];
            for (i64 i = k + 1; i < n; i++)
                for (i64 j = k + 1; j <= i && j < e; j++) a[i * n + j] -= a[i * n + k] * column[j - k - 1];
        }
        subtract_below(n - e, e - b, a + e * n + b, a + e * n + e, n, t);
    }
    /* The blocks on the diagonal were updated as a whole. */
    for (i64 i = 0; i < n; i++)
        for (i64 j = i + 1; j < n && j / BLOCK == i / BLOCK; j++) a[i * n + j] = 0;
    GIVE_SQUARE(a);
    return DONE;
}
ENTRY(library_cholesky_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *a = KEPT(f64, n * n);
    memcpy(a, IN(f64, 0), (size_t)(n * n) * sizeof(f64));
    for (i64 i = 0; i < n; i++)
        for (i64 j = i + 1; j < n; j++) a[i * n + j] = 0;
    for (i64 k = 0; k < n; k++) {
        const f64 root = sqrt(a[k * n + k]);
        for (i64 i = k; i < n; i++) a[i * n + k] /= root;
        for (i64 i = k + 1; i < n; i++)
            for (i64 j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
    GIVE_SQUARE(a);
    return DONE;
}
ENTRY(scaled_product) {
    const f64 x = SCALAR(f64, 0), y = SCALAR(f64, 1);
    const i64 n = LENGTH(f64, 2);
    const f64 *a = IN(f64, 2), *b = IN(f64, 3), *c = IN(f64, 4);
    f64 *o = KEPT(f64, n * n);
    memset(o, 0, (size_t)(n * n) * sizeof(f64));
    for (i64 k = 0; k < n; k += 8 * BLOCK)
        subtract_product(n, n, k + 8 * BLOCK < n ? 8 * BLOCK : n - k, a + k, b + k * n, o, n);
    for (i64 i = 0; i < n * n; i++) o[i] = y * c[i] - x * o[i];
    GIVE_SQUARE(o);
    return DONE;
}
ENTRY(scaled_product_unfused) {
    const f64 x = SCALAR(f64, 0), y = SCALAR(f64, 1);
    const i64 n = LENGTH(f64, 2);
    f64 *o = KEPT(f64, n * n), *column = KEPT(f64, n), *t = KEPT(f64, n);
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < n; j++) {
            for (i64 k = 0; k < n; k++) column[k] = IN(f64, 3)[k * n + j];
            f64_mul(n, IN(f64, 2) + i * n, column, t);
            o[i * n + j] = x * f64_sum(n, t) + y * IN(f64, 4)[i * n + j];
        }
    GIVE_SQUARE(o);
    return DONE;
}

static void small_product(const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    #pragma clang fp contract(fast)
    for (int i = 0; i < BLOCK; i += ROWS)
        for (int j = 0; j < BLOCK; j += COLUMNS) {
            f64 t[ROWS][COLUMNS] = {0};
            for (int k = 0; k < BLOCK; k++)
                for (int r = 0; r < ROWS; r++)
                    for (int q = 0; q < COLUMNS; q++) t[r][q] += a[(i + r) * BLOCK + k] * b[k * BLOCK + j + q];
            for (int r = 0; r < ROWS; r++)
                for (int q = 0; q < COLUMNS; q++) o[(i + r) * BLOCK + j + q] = t[r][q];
        }
}
#define GIVE_BLOCKS(DATA, COUNT) \
    (*(f64sss *)out[0] = (f64sss){(DATA), {(COUNT), BLOCK, BLOCK}, {BLOCK * BLOCK, BLOCK, 1}, NULL})
ENTRY(products_32) {
    const i64 n = LENGTH(f64, 0);
    const f64 *a = IN(f64, 0), *b = IN(f64, 1);
    f64 *o = KEPT(f64, n * BLOCK * BLOCK);
    for (i64 i = 0; i < n; i++) small_product(a + i * BLOCK * BLOCK, b + i * BLOCK * BLOCK, o + i * BLOCK * BLOCK);
    GIVE_BLOCKS(o, n);
    return DONE;
}
ENTRY(products_32_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *o = KEPT(f64, n * BLOCK * BLOCK), column[BLOCK], t[BLOCK];
    for (i64 s = 0; s < n; s++) {
        const f64 *a = IN(f64, 0) + s * BLOCK * BLOCK, *b = IN(f64, 1) + s * BLOCK * BLOCK;
        for (i64 i = 0; i < BLOCK; i++)
            for (i64 j = 0; j < BLOCK; j++) {
                for (i64 k = 0; k < BLOCK; k++) column[k] = b[k * BLOCK + j];
                f64_mul(BLOCK, a + i * BLOCK, column, t);
                o[(s * BLOCK + i) * BLOCK + j] = f64_sum(BLOCK, t);
            }
    }
    GIVE_BLOCKS(o, n);
    return DONE;
}

ENTRY(tridiagonal) {
    const i64 n = LENGTH(f64, 0), m = ((const f64ss *)in[0])->shape[1];
    f64 *o = KEPT(f64, n * m), *restrict cs = KEPT(f64, m);
    for (i64 s = 0; s < n; s++) {
        const f64 *restrict a = IN(f64, 0) + s * m, *restrict b = IN(f64, 1) + s * m, *restrict c = IN(f64, 2) + s * m,
                  *restrict d = IN(f64, 3) + s * m;
        f64 *restrict x = o + s * m, before = 0, value = 0;
        for (i64 i = 0; i < m; i++) {
            const f64 k = 1 / (b[i] - a[i] * before);
            cs[i] = before = c[i] * k;
            x[i] = value = (d[i] - a[i] * value) * k;
        }
        for (i64 i = m - 2; i >= 0; i--) x[i] = value = x[i] - cs[i] * value;
    }
    *(f64ss *)out[0] = (f64ss){o, {n, m}, {m, 1}, NULL};
    return DONE;
}
ENTRY(tridiagonal_unfused) { return tridiagonal__uniform(ctx, out, in); }

static f64 sigmoid(f64 x) { return 1 / (1 + exp(-x)); }
static f64 product(i64 n, const f64 *restrict a, const f64 *restrict b) {
    #pragma clang fp reassociate(on) contract(fast)
    f64 s = 0;
    for (i64 i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
ENTRY(learn_step) {
    const f64 rate = SCALAR(f64, 0), target = SCALAR(f64, 1);
    const i64 n = LENGTH(f64, 2), m = LENGTH(f64, 4);
    const f64 *restrict x = IN(f64, 2), *restrict w = IN(f64, 3), *restrict v = IN(f64, 4);
    f64 *restrict o = KEPT(f64, n * m), *restrict u = KEPT(f64, m), *restrict hidden = KEPT(f64, m),
        *restrict deltas = KEPT(f64, m);
    memset(hidden, 0, (size_t)m * sizeof(f64));
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) hidden[j] = fma(x[i], w[i * m + j], hidden[j]);
    for (i64 j = 0; j < m; j++) hidden[j] = sigmoid(hidden[j]);
    const f64 result = sigmoid(product(m, hidden, v)), delta = result * (1 - result) * (target - result);
    for (i64 j = 0; j < m; j++) {
        deltas[j] = hidden[j] * (1 - hidden[j]) * delta * v[j];
        u[j] = v[j] + rate * delta * hidden[j];
    }
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) o[i * m + j] = w[i * m + j] + rate * deltas[j] * x[i];
    *(f64ss *)out[0] = (f64ss){o, {n, m}, {m, 1}, NULL};
    GIVE(f64, 1, u, m);
    GIVE_SCALAR(f64, 2, (target - result) * (target - result));
    return DONE;
}
ENTRY(learn_step_unfused) { return learn_step__uniform(ctx, out, in); }

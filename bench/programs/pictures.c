/* Pictures by hand: a filter goes through rows into a buffer of few rows, and down from there; blocks are compared
 * in vectors. */
#include "support.h"

typedef ARRAY(f32, 2) f32ss;
typedef ARRAY(uint8_t, 2) u8ss;
typedef ARRAY(i32, 2) i32ss;
typedef ARRAY(i64, 2) i64ss;

#define GIVE_SQUARE(T, K, DATA, N, M) (*(T *)out[K] = (T){(DATA), {(N), (M)}, {(M), 1}, NULL})
#define ROWS(T, K) (((const T *)in[K])->shape[0])
#define COLUMNS(T, K) (((const T *)in[K])->shape[1])

static void bell(f32 sigma, f32 *weights) {
    f32 sum = 0;
    for (i64 k = 0; k < 7; k++) {
        const f32 x = (f32)(k - 3) / sigma;
        weights[k] = expf(-0.5f * x * x);
        sum += weights[k];
    }
    for (i64 k = 0; k < 7; k++) weights[k] /= sum;
}

static i64 mirrored(i64 n, i64 k) {
    if (k >= -n && k < 2 * n) return k < 0 ? -1 - k : k < n ? k : 2 * n - 1 - k;
    k = (k % (2 * n) + 2 * n) % (2 * n);
    return k < n ? k : 2 * n - 1 - k;
}

#define SEVEN(W, AT) \
    (((W[0] * AT(-3) + W[1] * AT(-2)) + (W[2] * AT(-1) + W[3] * AT(0))) + ((W[4] * AT(1) + W[5] * AT(2)) + W[6] * AT(3)))

static void along(i64 m, const f32 *restrict w, const f32 *restrict a, f32 *restrict o) {
#define NEAR(D) a[mirrored(m, j + (D))]
#define INNER(D) a[j + (D)]
    for (i64 j = 0; j < 3 && j < m; j++) o[j] = SEVEN(w, NEAR);
    for (i64 j = m - 3 > 3 ? m - 3 : 3; j < m; j++) o[j] = SEVEN(w, NEAR);
    for (i64 j = 3; j < m - 3; j++) o[j] = SEVEN(w, INNER);
}

static void across(i64 m, const f32 *restrict w, const f32 *const *rows, f32 *restrict o) {
    const f32 *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
    const f32 *restrict e = rows[4], *restrict f = rows[5], *restrict g = rows[6];
    for (i64 j = 0; j < m; j++)
        o[j] = ((w[0] * a[j] + w[1] * b[j]) + (w[2] * c[j] + w[3] * d[j])) + ((w[4] * e[j] + w[5] * f[j]) + w[6] * g[j]);
}

ENTRY(blurred) {
    const i64 n = ROWS(f32ss, 1), m = COLUMNS(f32ss, 1);
    const f32 *a = IN(f32s, 1);
    f32 w[7], *o = KEPT(f32, n * m), *ring = KEPT(f32, 8 * m);
    bell(SCALAR(f32, 0), w);
    for (i64 i = 0, ready = 0; i < n; i++) {
        const f32 *rows[7];
        for (; ready < n && ready <= i + 3; ready++) along(m, w, a + ready * m, ring + ready % 8 * m);
        for (i64 k = 0; k < 7; k++) rows[k] = ring + mirrored(n, i + k - 3) % 8 * m;
        across(m, w, rows, o + i * m);
    }
    GIVE_SQUARE(f32ss, 0, o, n, m);
    return DONE;
}

PASS void along_all(i64 n, i64 m, const f32 *w, const f32 *a, f32 *o) {
    for (i64 i = 0; i < n; i++) along(m, w, a + i * m, o + i * m);
}

PASS void across_all(i64 n, i64 m, const f32 *w, const f32 *a, f32 *o) {
    for (i64 i = 0; i < n; i++) {
        const f32 *rows[7];
        for (i64 k = 0; k < 7; k++) rows[k] = a + mirrored(n, i + k - 3) * m;
        across(m, w, rows, o + i * m);
    }
}

ENTRY(blurred_unfused) {
    const i64 n = ROWS(f32ss, 1), m = COLUMNS(f32ss, 1);
    f32 w[7], *s = KEPT(f32, n * m), *o = KEPT(f32, n * m);
    bell(SCALAR(f32, 0), w);
    along_all(n, m, w, IN(f32s, 1), s);
    across_all(n, m, w, s, o);
    GIVE_SQUARE(f32ss, 0, o, n, m);
    return DONE;
}

/* The difference of two blocks of 8 by 8 pixels. */
static inline i32 apart(i64 m, const uint8_t *restrict a, const uint8_t *restrict b) {
    i32 sum = 0;
    for (i64 i = 0; i < 8; i++)
        for (i64 j = 0; j < 8; j++) sum += abs((i32)a[i * m + j] - (i32)b[i * m + j]);
    return sum;
}

static int match_all(void *const *out, const void *const *in, i32 (*distance)(i64, const uint8_t *, const uint8_t *)) {
    const i64 n = ROWS(u8ss, 0), m = COLUMNS(u8ss, 0), rows = n / 8, columns = m / 8;
    const uint8_t *a = ((const u8ss *)in[0])->data, *b = ((const u8ss *)in[1])->data;
    i64 *down = KEPT(i64, rows * columns), *right = KEPT(i64, rows * columns);
    i32 *far = KEPT(i32, rows * columns);
    for (i64 k = 0; k < rows; k++)
        for (i64 l = 0; l < columns; l++) {
            const i64 y = 8 * k, x = 8 * l, at = k * columns + l;
            const i64 v1 = y + 5 < n - 7 ? y + 5 : n - 7, u1 = x + 5 < m - 7 ? x + 5 : m - 7;
            far[at] = INT32_MAX;
            for (i64 v = y > 4 ? y - 4 : 0; v < v1; v++)
                for (i64 u = x > 4 ? x - 4 : 0; u < u1; u++) {
                    const i32 here = distance(m, a + y * m + x, b + v * m + u);
                    if (here < far[at]) far[at] = here, down[at] = v - y, right[at] = u - x;
                }
        }
    GIVE_SQUARE(i64ss, 0, down, rows, columns);
    GIVE_SQUARE(i64ss, 1, right, rows, columns);
    GIVE_SQUARE(i32ss, 2, far, rows, columns);
    return 0;
}

ENTRY(matches) {
    (void)ctx;
    return match_all(out, in, apart);
}

/* The differences are stored before they are added. */
PASS i32 apart_stored(i64 m, const uint8_t *a, const uint8_t *b) {
    i32 differences[64], sum = 0;
    for (i64 k = 0; k < 64; k++) differences[k] = abs((i32)a[k / 8 * m + k % 8] - (i32)b[k / 8 * m + k % 8]);
    for (i64 k = 0; k < 64; k++) sum += differences[k];
    return sum;
}

ENTRY(matches_unfused) {
    (void)ctx;
    return match_all(out, in, apart_stored);
}

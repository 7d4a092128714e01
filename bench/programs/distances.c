/* Shortest ways by hand, in place: a step does not change the row and the column that it reads. */
#include "support.h"

#define GIVE_SQUARE(K, DATA, N) (*(f64ss *)out[K] = (f64ss){(DATA), {(N), (N)}, {(N), 1}, NULL})

static void through(i64 n, f64 first, const f64 *restrict rest, f64 *restrict o) {
    for (i64 j = 0; j < n; j++) {
        const f64 way = first + rest[j];
        o[j] = way < o[j] ? way : o[j];
    }
}

ENTRY(distances) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    f64 *d = KEPT(f64, n * n);
    memcpy(d, IN(f64, 0), (size_t)(n * n) * sizeof *d);
    for (i64 k = 0; k < n; k++)
        for (i64 i = 0; i < n; i++)
            if (i != k) through(n, d[i * n + k], d + k * n, d + i * n);
    GIVE_SQUARE(0, d, n);
    return DONE;
}

PASS void sums(i64 n, i64 k, const f64 *restrict d, f64 *restrict o) {
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < n; j++) o[i * n + j] = d[i * n + k] + d[k * n + j];
}

PASS void lesser(i64 size, const f64 *restrict s, f64 *restrict d) {
    for (i64 i = 0; i < size; i++) d[i] = s[i] < d[i] ? s[i] : d[i];
}

ENTRY(distances_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    f64 *d = KEPT(f64, n * n), *s = KEPT(f64, n * n);
    memcpy(d, IN(f64, 0), (size_t)(n * n) * sizeof *d);
    for (i64 k = 0; k < n; k++) {
        sums(n, k, d, s);
        lesser(n * n, s, d);
    }
    GIVE_SQUARE(0, d, n);
    return DONE;
}

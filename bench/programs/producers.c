/* Producers of every kind: appends, choices, scans, slices, histograms and positions. */
#include "support.h"

#define SQUARE(X) ((X) * (X))
#define SUMS 32

PASS void squares(i64 n, f64 more, const f64 *restrict x, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = SQUARE(x[i]) + more;
}

PASS void joined(i64 n, const f64 *restrict a, i64 m, const f64 *restrict b, f64 *restrict o) {
    memcpy(o, a, (size_t)n * sizeof *o);
    memcpy(o + n, b, (size_t)m * sizeof *o);
}

/* Several sums: a compiler may not split one sum of floats. */
#define IN_LANES(TERM) \
    __extension__({ \
        f64 sums[SUMS] = {0}; \
        i64 i = 0; \
        for (; i + SUMS <= n; i += SUMS) \
            for (i64 k = 0; k < SUMS; k++) { const f64 e = x[i + k]; sums[k] += (TERM); } \
        for (; i < n; i++) { const f64 e = x[i]; sums[0] += (TERM); } \
        f64 all = 0; \
        for (i64 k = 0; k < SUMS; k++) all += sums[k]; \
        all; \
    })

PASS f64 sum_of_squares(i64 n, f64 more, const f64 *restrict x) { return IN_LANES(SQUARE(e) + more); }
PASS f64 sum_of_positive(i64 n, const f64 *restrict x) { return IN_LANES(e > 0 ? e : 0); }

ENTRY(append_sum_f64) {
    const f64 left = sum_of_squares(LENGTH(f64, 0), 0, IN(f64, 0));
    GIVE_SCALAR(f64, 0, left + sum_of_positive(LENGTH(f64, 1), IN(f64, 1)));
    return DONE;
}

ENTRY(append_sum_f64_unfused) {
    const i64 n = LENGTH(f64, 0), m = LENGTH(f64, 1);
    f64 *l = KEPT(f64, n), *r = KEPT(f64, m), *both = KEPT(f64, n + m);
    squares(n, 0, IN(f64, 0), l);
    const i64 k = f64_above(m, IN(f64, 1), 0, r);
    joined(n, l, k, r, both);
    GIVE_SCALAR(f64, 0, f64_sum(n + k, both));
    return DONE;
}

ENTRY(append_store_f64) {
    const i64 n = LENGTH(f64, 0), m = LENGTH(f64, 1);
    const f64 *restrict y = IN(f64, 1);
    f64 *restrict o = KEPT(f64, n + m);
    squares(n, 0, IN(f64, 0), o);
    i64 k = n;
    for (i64 i = 0; i < m; i++) {
        o[k] = y[i];
        k += y[i] > 0;
    }
    GIVE(f64, 0, o, k);
    return DONE;
}

ENTRY(append_store_f64_unfused) {
    const i64 n = LENGTH(f64, 0), m = LENGTH(f64, 1);
    f64 *l = KEPT(f64, n), *r = KEPT(f64, m), *both = KEPT(f64, n + m);
    squares(n, 0, IN(f64, 0), l);
    const i64 k = f64_above(m, IN(f64, 1), 0, r);
    joined(n, l, k, r, both);
    GIVE(f64, 0, both, n + k);
    return DONE;
}

ENTRY(choice_sum_f64) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(f64, 1);
    const f64 *x = IN(f64, 1);
    GIVE_SCALAR(f64, 0, k > 0 ? sum_of_squares(n, 1, x) : k < 0 ? sum_of_positive(n, x) : 0);
    return DONE;
}

ENTRY(choice_sum_f64_unfused) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(f64, 1);
    f64 *chosen = KEPT(f64, n);
    i64 count = 0;
    if (k > 0) {
        squares(n, 1, IN(f64, 1), chosen);
        count = n;
    } else if (k < 0) {
        count = f64_above(n, IN(f64, 1), 0, chosen);
    }
    GIVE_SCALAR(f64, 0, f64_sum(count, chosen));
    return DONE;
}

PASS void prefixes(i64 n, const i64 *restrict x, i64 *restrict o) {
    wrap_i64 sum = 0;
    for (i64 i = 0; i < n; i++) o[i] = (i64)(sum += (wrap_i64)x[i]);
}

ENTRY(scan_filter_i64) {
    const i64 n = LENGTH(i64, 0);
    const i64 *restrict x = IN(i64, 0);
    i64 *restrict o = KEPT(i64, n + 1);
    wrap_i64 sum = 0;
    i64 k = 0;
    for (i64 i = 0; i < n; i++) {
        sum += (wrap_i64)x[i];
        o[k] = (i64)sum;
        k += (i64)sum > 0;
    }
    GIVE(i64, 0, o, k);
    return DONE;
}

ENTRY(scan_filter_i64_unfused) {
    const i64 n = LENGTH(i64, 0);
    i64 *all = KEPT(i64, n), *o = KEPT(i64, n);
    prefixes(n, IN(i64, 0), all);
    GIVE(i64, 0, o, i64_above(n, all, 0, o));
    return DONE;
}

ENTRY(running_mean_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    f64 sum = 0;
    for (i64 i = 0; i < n; i++) {
        sum += x[i];
        o[i] = sum / (f64)(i + 1);
    }
    GIVE(f64, 0, o, n);
    return DONE;
}

PASS void running_sums(i64 n, const f64 *restrict x, f64 *restrict o) {
    f64 sum = 0;
    for (i64 i = 0; i < n; i++) o[i] = sum += x[i];
}

PASS void by_position(i64 n, const f64 *restrict x, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = x[i] / (f64)(i + 1);
}

ENTRY(running_mean_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *sums = KEPT(f64, n), *o = KEPT(f64, n);
    running_sums(n, IN(f64, 0), sums);
    by_position(n, sums, o);
    GIVE(f64, 0, o, n);
    return DONE;
}

PASS void differ(i64 n, const f64 *x, const f64 *y, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = SQUARE(x[i] - y[i]);
}

ENTRY(differences_f64) {
    const i64 n = LENGTH(f64, 0);
    f64 *o = KEPT(f64, n);
    if (n == 0) return 1;
    differ(n - 1, IN(f64, 0) + 1, IN(f64, 0), o);
    GIVE(f64, 0, o, n - 1);
    return DONE;
}

ENTRY(differences_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    f64 *tail = KEPT(f64, n), *init = KEPT(f64, n), *o = KEPT(f64, n);
    if (n == 0) return 1;
    memcpy(tail, IN(f64, 0) + 1, (size_t)(n - 1) * sizeof *tail);
    memcpy(init, IN(f64, 0), (size_t)(n - 1) * sizeof *init);
    differ(n - 1, tail, init, o);
    GIVE(f64, 0, o, n - 1);
    return DONE;
}

ENTRY(filtered_histogram_i64) {
    const i64 n = LENGTH(i64, 0);
    const i64 *restrict x = IN(i64, 0);
    i64 *restrict o = KEPT(i64, 64);
    memset(o, 0, 64 * sizeof *o);
    for (i64 i = 0; i < n; i++) {
        const i64 y = (i64)(3 * (wrap_i64)x[i] + 1);
        o[y & 63] += y > 0 ? y : 0;
    }
    GIVE(i64, 0, o, 64);
    return DONE;
}

PASS void lines(i64 n, const i64 *restrict x, i64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = (i64)(3 * (wrap_i64)x[i] + 1);
}

PASS void remainders(i64 n, const i64 *restrict x, i64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = x[i] & 63;
}

PASS void gathered(i64 n, const i64 *restrict at, const i64 *restrict x, i64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[at[i]] += x[i];
}

ENTRY(filtered_histogram_i64_unfused) {
    const i64 n = LENGTH(i64, 0);
    i64 *all = KEPT(i64, n), *y = KEPT(i64, n), *at = KEPT(i64, n), *o = KEPT(i64, 64);
    lines(n, IN(i64, 0), all);
    const i64 k = i64_above(n, all, 0, y);
    remainders(k, y, at);
    memset(o, 0, 64 * sizeof *o);
    gathered(k, at, y, o);
    GIVE(i64, 0, o, 64);
    return DONE;
}

#define CROSS(X, Y) ((x1 - (X)) * (y2 - (Y)) - (y1 - (Y)) * (x2 - (X)))

ENTRY(hull_position_f64) {
    const f64 x1 = SCALAR(f64, 0), y1 = SCALAR(f64, 1), x2 = SCALAR(f64, 2), y2 = SCALAR(f64, 3);
    const i64 n = LENGTH(f64, 4);
    const f64 *restrict x = IN(f64, 4), *restrict y = IN(f64, 5);
    f64 *restrict px = KEPT(f64, n + 1), *restrict py = KEPT(f64, n + 1);
    i64 k = 0, at = INT64_MAX;
    f64 most = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 c = CROSS(x[i], y[i]);
        px[k] = x[i];
        py[k] = y[i];
        at = c > most ? k : at;
        most = c > most ? c : most;
        k += c > 0;
    }
    GIVE(f64, 0, px, k);
    GIVE(f64, 1, py, k);
    GIVE_SCALAR(i64, 2, at);
    return DONE;
}

PASS void crosses(i64 n, f64 x1, f64 y1, f64 x2, f64 y2, const f64 *restrict x, const f64 *restrict y, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = CROSS(x[i], y[i]);
}

PASS i64 where_positive(i64 n, const f64 *restrict c, const f64 *restrict x, f64 *restrict o) {
    i64 k = 0;
    for (i64 i = 0; i < n; i++) if (c[i] > 0) o[k++] = x[i];
    return k;
}

PASS i64 place_of_most(i64 n, const f64 *restrict c) {
    i64 at = INT64_MAX;
    f64 most = 0;
    for (i64 i = 0; i < n; i++) if (c[i] > most) { most = c[i]; at = i; }
    return at;
}

ENTRY(hull_position_f64_unfused) {
    const f64 x1 = SCALAR(f64, 0), y1 = SCALAR(f64, 1), x2 = SCALAR(f64, 2), y2 = SCALAR(f64, 3);
    const i64 n = LENGTH(f64, 4);
    const f64 *x = IN(f64, 4), *y = IN(f64, 5);
    f64 *c = KEPT(f64, n), *px = KEPT(f64, n), *py = KEPT(f64, n), *pc = KEPT(f64, n);
    crosses(n, x1, y1, x2, y2, x, y, c);
    where_positive(n, c, x, px);
    where_positive(n, c, y, py);
    const i64 k = where_positive(n, c, c, pc);
    GIVE(f64, 0, px, k);
    GIVE(f64, 1, py, k);
    GIVE_SCALAR(i64, 2, place_of_most(k, pc));
    return DONE;
}

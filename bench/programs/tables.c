/* A histogram, and reads at random, which are checked as in Arr. */
#include "support.h"

ENTRY(histogram_i32) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(i32, 1);
    const i32 *restrict x = IN(i32, 1);
    i32 *restrict o = KEPT(i32, k);
    memset(o, 0, (size_t)k * sizeof *o);
    for (i64 i = 0; i < n; i++) o[x[i] % k]++;
    GIVE(i32, 0, o, k);
    return DONE;
}

PASS void remainders(i64 n, const i32 *restrict a, i64 k, i64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = a[i] % k;
}

PASS void counts(i64 n, const i64 *restrict at, i32 *restrict o) {
    for (i64 i = 0; i < n; i++) o[at[i]]++;
}

ENTRY(histogram_i32_unfused) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(i32, 1);
    i64 *at = KEPT(i64, n);
    i32 *o = KEPT(i32, k);
    memset(o, 0, (size_t)k * sizeof *o);
    remainders(n, IN(i32, 1), k, at);
    counts(n, at, o);
    GIVE(i32, 0, o, k);
    return DONE;
}

PASS void sums(i64 n, const i64 *restrict at, const i64 *restrict a, i64 k, i64 *restrict o) {
    for (i64 i = 0; i < n; i++)
        if (at[i] >= 0 && at[i] < k) o[at[i]] += a[i];
}

ENTRY(many_sums_i64) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(i64, 1);
    i64 *o = KEPT(i64, k);
    memset(o, 0, (size_t)k * sizeof *o);
    sums(n, IN(i64, 1), IN(i64, 2), k, o);
    GIVE(i64, 0, o, k);
    return DONE;
}

ENTRY(many_sums_i64_unfused) { return many_sums_i64__uniform(ctx, out, in); }

ENTRY(gather_i32) {
    const i64 m = LENGTH(i32, 0), n = LENGTH(i64, 1);
    const i32 *restrict table = IN(i32, 0);
    const i64 *restrict at = IN(i64, 1);
    i32 *restrict o = KEPT(i32, n);
    for (i64 i = 0; i < n; i++) {
        if ((uint64_t)at[i] >= (uint64_t)m) return 1;
        o[i] = (i32)((wrap_i32)table[at[i]] + 1);
    }
    GIVE(i32, 0, o, n);
    return DONE;
}

PASS int gathered(i64 n, i64 m, const i32 *restrict table, const i64 *restrict at, i32 *restrict o) {
    for (i64 i = 0; i < n; i++) {
        if ((uint64_t)at[i] >= (uint64_t)m) return 1;
        o[i] = table[at[i]];
    }
    return 0;
}

ENTRY(gather_i32_unfused) {
    const i64 m = LENGTH(i32, 0), n = LENGTH(i64, 1);
    i32 *elements = KEPT(i32, n), *o = KEPT(i32, n);
    if (gathered(n, m, IN(i32, 0), IN(i64, 1), elements)) return 1;
    i32_add_to(n, elements, 1, o);
    GIVE(i32, 0, o, n);
    return DONE;
}

ENTRY(gather_sum_i32) {
    const i64 m = LENGTH(i32, 0), n = LENGTH(i64, 1);
    const i32 *restrict table = IN(i32, 0);
    const i64 *restrict at = IN(i64, 1);
    wrap_i32 sum = 0;
    for (i64 i = 0; i < n; i++) {
        if ((uint64_t)at[i] >= (uint64_t)m) return 1;
        sum += (wrap_i32)table[at[i]];
    }
    GIVE_SCALAR(i32, 0, (i32)sum);
    return DONE;
}

ENTRY(gather_sum_i32_unfused) {
    const i64 m = LENGTH(i32, 0), n = LENGTH(i64, 1);
    i32 *elements = KEPT(i32, n);
    if (gathered(n, m, IN(i32, 0), IN(i64, 1), elements)) return 1;
    GIVE_SCALAR(i32, 0, i32_sum(n, elements));
    return DONE;
}

ENTRY(gather_inner_f64) {
    const i64 m = LENGTH(f64, 0), n = LENGTH(i64, 1);
    const f64 *restrict x = IN(f64, 0), *restrict value = IN(f64, 2);
    const i64 *restrict at = IN(i64, 1);
    f64 sum = 0;
    for (i64 i = 0; i < n; i++) {
        if ((uint64_t)at[i] >= (uint64_t)m) return 1;
        sum += value[i] * x[at[i]];
    }
    GIVE_SCALAR(f64, 0, sum);
    return DONE;
}

ENTRY(gather_inner_f64_unfused) {
    const i64 m = LENGTH(f64, 0), n = LENGTH(i64, 1);
    const f64 *restrict x = IN(f64, 0);
    const i64 *restrict at = IN(i64, 1);
    f64 *elements = KEPT(f64, n), *products = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        if ((uint64_t)at[i] >= (uint64_t)m) return 1;
        elements[i] = x[at[i]];
    }
    f64_mul(n, IN(f64, 2), elements, products);
    GIVE_SCALAR(f64, 0, f64_sum(n, products));
    return DONE;
}

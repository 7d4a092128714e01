/* The programs of paper 004 by hand: one sweep each, the edges of rows apart from their interior. Clang does not
 * vectorise the minimum or maximum of floats in one accumulator, since there may be a NaN: so LANES accumulators. */
#include "support.h"

#include <stdbool.h>

typedef ARRAY(f64, 3) f64sss;
typedef ARRAY(f64, 4) f64ssss;

#define LANES 32
#define LESS(A, B) ((A) < (B) ? (A) : (B))
#define MORE(A, B) ((A) > (B) ? (A) : (B))

/* An array of any rank: its elements, and how many there are in each dimension. */
typedef struct { const f64 *data; i64 size, shape[4]; } space;

#define SPACE(T, RANK) space_of(((const T *)in[0])->data, ((const T *)in[0])->shape, RANK)
static space space_of(const f64 *data, const i64 *shape, i64 rank) {
    space s = {data, 1, {1, 1, 1, 1}};
    for (i64 k = 0; k < rank; k++) s.size *= s.shape[4 - rank + k] = shape[k];
    return s;
}

static int min_max(void *const *out, space s) {
    const f64 *restrict a = s.data;
    f64 least[LANES], most[LANES];
    i64 i = 0;
    for (i64 k = 0; k < LANES; k++) least[k] = INFINITY, most[k] = -INFINITY;
    for (; i + LANES <= s.size; i += LANES)
        for (i64 k = 0; k < LANES; k++) {
            least[k] = LESS(a[i + k], least[k]);
            most[k] = MORE(a[i + k], most[k]);
        }
    for (; i < s.size; i++) least[0] = LESS(a[i], least[0]), most[0] = MORE(a[i], most[0]);
    for (i64 k = 1; k < LANES; k++) least[0] = LESS(least[k], least[0]), most[0] = MORE(most[k], most[0]);
    GIVE_SCALAR(f64, 0, least[0]);
    GIVE_SCALAR(f64, 1, most[0]);
    return 0;
}

/* If every combinator is stored, the least and the greatest take two loops. They use lanes as well. */
PASS f64 least_of(i64 size, const f64 *restrict a) {
    f64 least[LANES];
    i64 i = 0;
    for (i64 k = 0; k < LANES; k++) least[k] = INFINITY;
    for (; i + LANES <= size; i += LANES)
        for (i64 k = 0; k < LANES; k++) least[k] = LESS(a[i + k], least[k]);
    for (; i < size; i++) least[0] = LESS(a[i], least[0]);
    for (i64 k = 1; k < LANES; k++) least[0] = LESS(least[k], least[0]);
    return least[0];
}

PASS f64 most_of(i64 size, const f64 *restrict a) {
    f64 most[LANES];
    i64 i = 0;
    for (i64 k = 0; k < LANES; k++) most[k] = -INFINITY;
    for (; i + LANES <= size; i += LANES)
        for (i64 k = 0; k < LANES; k++) most[k] = MORE(a[i + k], most[k]);
    for (; i < size; i++) most[0] = MORE(a[i], most[0]);
    for (i64 k = 1; k < LANES; k++) most[0] = MORE(most[k], most[0]);
    return most[0];
}

static int min_max_unfused(void *const *out, space s) {
    GIVE_SCALAR(f64, 0, least_of(s.size, s.data));
    GIVE_SCALAR(f64, 1, most_of(s.size, s.data));
    return 0;
}

#define MIN_MAX(RANK, T) \
    ENTRY(min_max_##RANK) { return (void)ctx, min_max(out, SPACE(T, RANK)); } \
    ENTRY(min_max_##RANK##_unfused) { return (void)ctx, min_max_unfused(out, SPACE(T, RANK)); }
MIN_MAX(1, f64s)
MIN_MAX(2, f64ss)
MIN_MAX(3, f64sss)
MIN_MAX(4, f64ssss)

/* The elements of a row. The neighbour of the first one is the last one, and the other way round. */
#define ROW(BODY) \
    for (i64 j = 0, l = m - 1, r = m > 1; j < 1; j++) BODY \
    for (i64 j = m - 1, l = m - 2, r = 0; j > 0; j = 0) BODY \
    for (i64 j = 1, l = 0, r = 2; j < m - 1; j++, l++, r++) BODY

static bool row_1(i64 m, f64 eps, const f64 *restrict a, f64 *restrict o) {
    i64 more = 0;
    ROW({
        const f64 y = (a[j] + (a[r] + a[l])) * (1.0 / 3.0);
        more |= fabs(y - a[j]) > eps;
        o[j] = y;
    })
    return more;
}

static bool row_2(i64 m, f64 eps, const f64 *restrict u, const f64 *restrict a, const f64 *restrict d, f64 *restrict o) {
    i64 more = 0;
    ROW({
        const f64 y = ((a[j] + (d[j] + u[j])) + (a[r] + a[l])) * (1.0 / 5.0);
        more |= fabs(y - a[j]) > eps;
        o[j] = y;
    })
    return more;
}

static bool row_3(i64 m, f64 eps, const f64 *restrict f, const f64 *restrict b, const f64 *restrict u, const f64 *restrict a,
                  const f64 *restrict d, f64 *restrict o) {
    i64 more = 0;
    ROW({
        const f64 y = (((a[j] + (b[j] + f[j])) + (d[j] + u[j])) + (a[r] + a[l])) * (1.0 / 7.0);
        more |= fabs(y - a[j]) > eps;
        o[j] = y;
    })
    return more;
}

static bool stepped(space s, i64 rank, f64 eps, f64 *o) {
    const i64 n = s.shape[1], m = s.shape[2], l = s.shape[3];
    const f64 *a = s.data;
    bool more = false;
    if (s.size == 0) return false;
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) {
            const i64 here = (i * m + j) * l, up = (i * m + (j > 0 ? j - 1 : m - 1)) * l, down = (i * m + (j < m - 1 ? j + 1 : 0)) * l;
            const i64 front = ((i > 0 ? i - 1 : n - 1) * m + j) * l, behind = ((i < n - 1 ? i + 1 : 0) * m + j) * l;
            more |= rank == 1   ? row_1(l, eps, a, o)
                    : rank == 2 ? row_2(l, eps, a + up, a + here, a + down, o + here)
                                : row_3(l, eps, a + front, a + behind, a + up, a + here, a + down, o + here);
        }
    return more;
}

/* A rotation along one dimension: two copies of memory for each index of the dimensions before it. */
PASS void turned(i64 outer, i64 n, i64 inner, i64 by, const f64 *restrict a, f64 *restrict o) {
    const size_t first = (size_t)((by + n) % n * inner), all = (size_t)(n * inner);
    for (i64 k = 0; k < outer; k++, a += all, o += all) {
        memcpy(o, a + first, (all - first) * sizeof *o);
        memcpy(o + (all - first), a, first * sizeof *o);
    }
}

PASS void differences(i64 n, const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = fabs(b[i] - a[i]);
}

PASS void beyond(i64 n, f64 eps, const f64 *restrict a, bool *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = a[i] > eps;
}

PASS bool some(i64 n, const bool *restrict a) {
    bool more = false;
    for (i64 i = 0; i < n; i++) more |= a[i];
    return more;
}

/* Stores the result of every combinator: rotations, sums, the quotient, the differences and the test of each. */
static bool stepped_unfused(space s, i64 rank, f64 eps, f64 *o) {
    f64 *p = KEPT(f64, s.size), *q = KEPT(f64, s.size), *sum = KEPT(f64, s.size);
    bool *flags = KEPT(bool, s.size);
    i64 outer = 1, inner = s.size;
    if (s.size == 0) return false;
    for (i64 k = 0; k < rank; k++) {
        const i64 n = s.shape[4 - rank + k];
        inner /= n;
        turned(outer, n, inner, 1, s.data, p);
        turned(outer, n, inner, -1, s.data, q);
        f64_add(s.size, p, q, o);
        f64_add(s.size, k == 0 ? s.data : sum, o, p);
        f64 *other = sum;
        sum = p;
        p = other;
        outer *= n;
    }
    f64_mul_by(s.size, sum, 1.0 / (f64)(2 * rank + 1), o);
    differences(s.size, s.data, o, p);
    beyond(s.size, eps, p, flags);
    return some(s.size, flags);
}

#define STEP_AS(NAME, WAY, RANK, T) \
    ENTRY(NAME) { \
        const space s = SPACE(T, RANK); \
        T given = *(const T *)in[0]; \
        given.data = KEPT(f64, s.size); \
        given.owner = NULL; \
        GIVE_SCALAR(bool, 1, WAY(s, RANK, SCALAR(f64, 1), given.data)); \
        *(T *)out[0] = given; \
        return DONE; \
    }
#define STEP(RANK, T) \
    STEP_AS(step_##RANK, stepped, RANK, T) \
    STEP_AS(step_##RANK##_unfused, stepped_unfused, RANK, T)
STEP(1, f64s)
STEP(2, f64ss)
STEP(3, f64sss)

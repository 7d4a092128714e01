/* Divisions of integers: by a constant, and by another divisor in each step. */
#include <stdbool.h>

#include "support.h"

typedef ARRAY(bool, 1) bools;

static inline i64 tenth_i64(i64 x) { return x / 10 - (x % 10 < 0); }
static inline i32 ratio_i32(i32 x, i32 y) { return x / y; }
static inline i64 ratio_i64(i64 x, i64 y) { return x / y; }

#define GCD(T) \
    static inline T common_##T(T a, T b) { \
        while (b != 0) { \
            const T rest = a % b; \
            a = b; \
            b = rest; \
        } \
        return a; \
    }
GCD(i32)
GCD(i64)

static inline i64 digits_of(i64 x) {
    i64 sum = 0;
    for (; x > 0; x /= 10) sum += x % 10;
    return sum;
}

static inline bool is_prime(i64 x) {
    bool indivisible = true;
    for (i64 d = 2; indivisible && d * d <= x; d++) indivisible = x % d != 0;
    return x > 1 && indivisible;
}

#define OF_ONE(NAME, FUNCTION) \
    ENTRY(NAME) { \
        const i64 n = LENGTH(i64, 0); \
        const i64 *restrict xs = IN(i64, 0); \
        i64 *restrict o = KEPT(i64, n); \
        for (i64 i = 0; i < n; i++) o[i] = FUNCTION(xs[i]); \
        GIVE(i64, 0, o, n); \
        return DONE; \
    } \
    ENTRY(NAME##_unfused) { return NAME##__uniform(ctx, out, in); }

#define OF_TWO(NAME, T, FUNCTION) \
    ENTRY(NAME) { \
        const i64 n = LENGTH(T, 0); \
        const T *restrict xs = IN(T, 0), *restrict ys = IN(T, 1); \
        T *restrict o = KEPT(T, n); \
        for (i64 i = 0; i < n; i++) o[i] = FUNCTION(xs[i], ys[i]); \
        GIVE(T, 0, o, n); \
        return DONE; \
    } \
    ENTRY(NAME##_unfused) { return NAME##__uniform(ctx, out, in); }

OF_ONE(tenths_i64, tenth_i64)
OF_TWO(ratios_i32, i32, ratio_i32)
OF_TWO(ratios_i64, i64, ratio_i64)
OF_TWO(gcd_i32, i32, common_i32)
OF_TWO(gcd_i64, i64, common_i64)
OF_ONE(digits_i64, digits_of)

ENTRY(prime_i64) {
    const i64 n = LENGTH(i64, 0);
    const i64 *restrict xs = IN(i64, 0);
    bool *restrict o = KEPT(bool, n);
    for (i64 i = 0; i < n; i++) o[i] = is_prime(xs[i]);
    GIVE(bool, 0, o, n);
    return DONE;
}
ENTRY(prime_i64_unfused) { return prime_i64__uniform(ctx, out, in); }

/* Each element divided by two sums, in two loops by hand; division rounds down as in Arr. */
#include "support.h"

static inline int64_t floor_div(int64_t x, int64_t y) {
    const int64_t q = x / y;
    return q - ((x % y != 0) & ((x < 0) != (y < 0)));
}

int normalize2__uniform(void *ctx, void *const *out, const void *const *in) {
    const i64_array *xs = in[0];
    const int64_t *restrict x = xs->data, n = xs->shape[0];
    int64_t *restrict first = KEPT((size_t)n * 8), *restrict second = KEPT((size_t)n * 8);
    int64_t all = 0, some = 0;
    (void)ctx;
    for (int64_t i = 0; i < n; i++) {
        all += x[i];
        if (x[i] > 0) some += x[i];
    }
    if (n > 0 && (all == 0 || some == 0)) return 2;
    for (int64_t i = 0; i < n; i++) {
        first[i] = floor_div(x[i], all);
        second[i] = floor_div(x[i], some);
    }
    *(i64_array *)out[0] = i64_result(first, n);
    *(i64_array *)out[1] = i64_result(second, n);
    return 0;
}

/* The positive elements, their sum, and the sum of all, in one loop by hand. */
#include "support.h"

int filter_sum__uniform(void *ctx, void *const *out, const void *const *in) {
    const i64_array *xs = in[0];
    const int64_t *restrict x = xs->data, n = xs->shape[0];
    int64_t *restrict kept_elements = KEPT((size_t)n * 8);
    int64_t count = 0, some = 0, all = 0;
    (void)ctx;
    for (int64_t i = 0; i < n; i++) {
        all += x[i];
        if (x[i] > 0) {
            some += x[i];
            kept_elements[count++] = x[i];
        }
    }
    *(i64_array *)out[0] = i64_result(kept_elements, count);
    *(int64_t *)out[1] = some;
    *(int64_t *)out[2] = all;
    return 0;
}

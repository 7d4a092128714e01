/* The positive elements of xs + 1 and their maximum, in one loop by hand. */
#include "support.h"

int filter_max__uniform(void *ctx, void *const *out, const void *const *in) {
    const i64_array *xs = in[0];
    const int64_t *restrict x = xs->data, n = xs->shape[0];
    int64_t *restrict kept_elements = KEPT((size_t)n * 8);
    int64_t count = 0, most = 0;
    (void)ctx;
    for (int64_t i = 0; i < n; i++) {
        const int64_t y = x[i] + 1;
        if (y > 0) {
            kept_elements[count++] = y;
            if (y > most) most = y;
        }
    }
    *(i64_array *)out[0] = i64_result(kept_elements, count);
    *(int64_t *)out[1] = most;
    return 0;
}

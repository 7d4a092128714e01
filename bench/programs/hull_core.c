/* The points left of a line and the farthest of them, in one loop by hand. */
#include "support.h"

int hull_core__uniform(void *ctx, void *const *out, const void *const *in) {
    const f64_array *xs = in[0], *ys = in[1];
    const double *restrict x = xs->data, *restrict y = ys->data;
    const int64_t n = xs->shape[0];
    double *restrict px = KEPT((size_t)n * 8), *restrict py = KEPT((size_t)n * 8);
    double fx = -1, fy = -1, most = 0;
    int64_t count = 0;
    (void)ctx;
    for (int64_t i = 0; i < n; i++) {
        const double d = 2 * (y[i] + 1) - 2 * (x[i] + 1);
        if (d > 0) {
            px[count] = x[i];
            py[count++] = y[i];
            if (!(most > d)) {
                fx = x[i];
                fy = y[i];
                most = d;
            }
        }
    }
    *(f64_array *)out[0] = f64_result(px, count);
    *(f64_array *)out[1] = f64_result(py, count);
    *(double *)out[2] = fx;
    *(double *)out[3] = fy;
    *(double *)out[4] = most;
    return 0;
}

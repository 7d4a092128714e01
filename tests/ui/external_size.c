#include "external_size.h"

int grow(arr_context *ctx, arr_f64_1d *out, arr_f64_1d xs) {
    return arr_f64_1d_new(ctx, out, xs.shape[0] + 1);
}

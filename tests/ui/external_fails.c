#include "external_fails.h"

int log_of(arr_context *ctx, double *out, double x) {
    if (x <= 0) {
        return arr_context_fail(ctx, "it has no logarithm");
    }
    *out = x - 1;
    return ARR_OK;
}

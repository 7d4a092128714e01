#include <stdio.h>

#include "external_undefined_linked.h"

int report(arr_context *ctx, int32_t step, double err) {
    (void)ctx;
    printf("step %d: %g\n", (int)step, err);
    return ARR_OK;
}

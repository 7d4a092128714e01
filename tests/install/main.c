/* Prints a sum, and how many threads a call may use. */
#include <arr.h>
#include <stdio.h>

#include "sums.h"

int main(void)
{
    double sum = 0.0;
    const double numbers[3] = {1.0, 2.0, 4.0};
    arr_options options;
    arr_context *ctx;
    arr_options_init(&options);
    options.threads = 2;
    ctx = arr_context_new(&options);
    if (scaled_sum(ctx, &sum, arr_f64_1d_borrow(numbers, 3)) == ARR_OK)
        printf("%g with a pool, %s\n", sum, arr_version());
    else
        printf("%s\n", arr_context_error(ctx));
    arr_context_free(ctx);
    return 0;
}

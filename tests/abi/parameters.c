/* The header after those whose names its parameters have. */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "parameters.h"

int main(void)
{
    arr_context *ctx = arr_context_new(NULL);
    int64_t sum = 0;
    double all = 0;
    int ok = sum_of(ctx, &sum, 1, 2, 3, 4, 5, 6, 7) == ARR_OK && sum == 28;
    ok = ok && upper(ctx, &all, 1, 2, 3) == ARR_OK && all == 6;
    arr_context_free(ctx);
    return ok ? 0 : 1;
}

#include "shared_sums.h"

int main(void)
{
    double sum = 0.0;
    const double numbers[2] = {1.0, 2.0};
    arr_context *ctx = arr_context_new(NULL);
    const int code = my_scaled_sum(ctx, &sum, arr_f64_1d_borrow(numbers, 2));
    arr_context_free(ctx);
    return code == ARR_OK && sum == 6.0 ? 0 : 1;
}

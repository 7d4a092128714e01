#include "twice.h"

int main(void)
{
    const int64_t data[3] = {1, 2, 3};
    arr_context *ctx = arr_context_new(NULL);
    arr_i64_1d out;
    int ok = twice(ctx, &out, arr_i64_1d_borrow(data, 3)) == ARR_OK && out.data[2] == 6;
    arr_i64_1d_free(ctx, &out);
    arr_context_free(ctx);
    return ok ? 0 : 1;
}

/* Calls the entry of normalize2.arr, compares its results with those of plain loops, and shows a
 * division by zero.
 *
 *     normalize2
 */
#include "normalize2.h"

#include "support.h"

/* a / b rounded towards negative infinity; the lowest number by -1 wraps, as all of Arr's integer
 * arithmetic does. */
static int64_t divide(int64_t a, int64_t b)
{
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Compares the entry's results for n numbers with those of plain loops. */
static void check(arr_context *ctx, const char *name, const int64_t *xs, int64_t n)
{
    arr_i64_1d ys1, ys2;
    uint64_t all = 0, positive = 0; /* unsigned, so that sums wrap */
    int same;
    for (int64_t i = 0; i < n; i++) {
        all += (uint64_t)xs[i];
        positive += xs[i] > 0 ? (uint64_t)xs[i] : 0;
    }
    if (normalize2(ctx, &ys1, &ys2, arr_i64_1d_borrow(xs, n)) != ARR_OK) {
        fprintf(stderr, "%s: %s\n", name, arr_context_error(ctx));
        failures += 1;
        return;
    }
    same = ys1.shape[0] == n && ys2.shape[0] == n;
    for (int64_t i = 0; same && i < n; i++)
        same = ys1.data[i] == divide(xs[i], (int64_t)all) &&
               ys2.data[i] == divide(xs[i], (int64_t)positive);
    expect(same, name);
    printf("%s: %lld numbers\n", name, (long long)n);
    arr_i64_1d_free(ctx, &ys1);
    arr_i64_1d_free(ctx, &ys2);
}

/* A sum of zero is an error, with a message; the context stays as good as new. */
static void show_error(arr_context *ctx, const char *name, const int64_t *xs, int64_t n)
{
    arr_i64_1d ys1, ys2;
    int code = normalize2(ctx, &ys1, &ys2, arr_i64_1d_borrow(xs, n));
    expect(code == ARR_ERROR_DIVISION, name);
    expect(arr_context_error_code(ctx) == code, "the context remembers the code");
    printf("as it should be: %s\n", arr_context_error(ctx));
}

int main(void)
{
    enum { COUNT = 10000 };
    int64_t xs[COUNT];
    int64_t no_sum[3] = {4, -6, 2}, none_positive[2] = {-3, -4};
    int64_t extremes[2] = {INT64_MIN, INT64_MAX}; /* their sum is -1 */
    uint64_t random = 2463534242u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    for (int i = 0; i < COUNT; i++)
        xs[i] = random_below(&random, 2000000000) - 900000000;
    xs[0] = 1000000000;
    check(ctx, "random numbers", xs, COUNT);
    show_error(ctx, "a sum of zero", no_sum, 3);
    show_error(ctx, "no positive number", none_positive, 2);
    check(ctx, "one number", xs, 1);
    check(ctx, "no numbers", xs, 0);
    check(ctx, "the lowest and the highest number", extremes, 2);
    arr_context_free(ctx);
    return summary();
}

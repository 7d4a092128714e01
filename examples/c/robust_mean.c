/* The functions of C that robust_mean.arr calls, and a program that calls its entry.
 *
 *     robust_mean
 */
#include "robust_mean.h"

#include "support.h"

/* ---- the functions that the program calls ------------------------------------------------------- */

/* The steps that were reported since the last check, and the number of measurements that they dropped. */
static int64_t steps = 0, dropped_in_all = 0;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int median(arr_context *ctx, double *out, arr_f64_1d xs)
{
    int64_t n = xs.shape[0];
    double *sorted;
    if (n == 0)
        return arr_context_fail(ctx, "no numbers");
    sorted = (double *)malloc((size_t)n * sizeof(double));
    if (sorted == NULL)
        return arr_context_fail(ctx, "no memory to sort in");
    /* Inputs are dense, and only lent: what is sorted is a copy. */
    memcpy(sorted, xs.data, (size_t)n * sizeof(double));
    qsort(sorted, (size_t)n, sizeof(double), compare);
    *out = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    free(sorted);
    return ARR_OK;
}

int report(arr_context *ctx, int64_t step, int64_t kept, int64_t dropped)
{
    if (kept == 0)
        return arr_context_fail(ctx, "nothing is left");
    steps = step;
    dropped_in_all += dropped;
    return ARR_OK;
}

/* ---- the program ------------------------------------------------------------------------------- */

static void check(arr_context *ctx, const char *name, const double *xs, int64_t n, double low, double high)
{
    double mean;
    int64_t left;
    steps = dropped_in_all = 0;
    if (robust_mean(ctx, &mean, &left, 3, arr_f64_1d_borrow(xs, n)) != ARR_OK) {
        fprintf(stderr, "%s: %s\n", name, arr_context_error(ctx));
        failures += 1;
        return;
    }
    expect(low <= mean && mean <= high, name);
    expect(left + dropped_in_all == n && steps > 0, "every step is reported");
    printf("%s: %g, of %lld of %lld, in %lld steps\n", name, mean, (long long)left, (long long)n,
           (long long)steps);
}

int main(void)
{
    enum { COUNT = 10001 };
    double xs[COUNT];
    uint64_t random = 88172645463325252u;
    double mean;
    int64_t left;
    arr_context *ctx = arr_context_new(NULL);
    if (ctx == NULL)
        return 1;
    for (int i = 0; i < COUNT; i++)
        xs[i] = 5 + random_unit(&random);
    check(ctx, "without outliers", xs, COUNT, 5.49, 5.51);
    for (int i = 0; i < COUNT; i += 10)
        xs[i] = 1e6 * random_unit(&random);
    check(ctx, "with outliers", xs, COUNT, 5.49, 5.51);
    check(ctx, "one measurement", xs + 1, 1, 5, 6);

    /* A call that fails says why, in the words of the C function, and leaves nothing behind. */
    expect(robust_mean(ctx, &mean, &left, 3, arr_f64_1d_borrow(xs, 0)) == ARR_ERROR_EXTERNAL,
           "no measurements are an error");
    printf("%s\n", arr_context_error(ctx));
    expect(robust_mean(ctx, &mean, &left, -1, arr_f64_1d_borrow(xs, 9)) == ARR_ERROR_EXTERNAL,
           "nothing is near");
    printf("%s\n", arr_context_error(ctx));
    check(ctx, "after errors", xs + 1, 1, 5, 6);
    arr_context_free(ctx);
    return summary();
}

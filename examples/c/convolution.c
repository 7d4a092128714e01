/* Calls the entries of convolution.arr and compares them with loops over elements, whose neighbours are found by remainders.
 *
 *     convolution
 */
#include "convolution.h"

#include <math.h>

#include "support.h"

/* A step: the mean of each element and its neighbours in the last `rank` of three dimensions; the largest change. */
static double relaxed(const double *a, double *b, const int64_t *shape, int rank)
{
    int64_t n = shape[0] * shape[1] * shape[2];
    double change = 0;
    for (int64_t at = 0; at < n; at++) {
        double sum = a[at];
        int64_t stride = 1;
        for (int axis = 2; axis > 2 - rank; axis--) {
            int64_t place = at / stride % shape[axis], start = at - place * stride;
            sum += a[start + (place + 1) % shape[axis] * stride];
            sum += a[start + (place + shape[axis] - 1) % shape[axis] * stride];
            stride *= shape[axis];
        }
        b[at] = sum / (2 * rank + 1);
        change = fmax(change, fabs(b[at] - a[at]));
    }
    return change;
}

/* The convolution in one, two or three dimensions, and the extremes. */
static void check(arr_context *ctx, int64_t n, int64_t m, int64_t o, int rank, double eps, uint64_t *random)
{
    int64_t shape[3], size = n * m * o, steps = -1, expected = 0;
    double *given = (double *)allocate(size, sizeof(double)), *a = (double *)allocate(size, sizeof(double));
    double *b = (double *)allocate(size, sizeof(double)), *swap, change, least, most, low = INFINITY, high = -INFINITY;
    double error = 0;
    arr_f64_1d r1;
    arr_f64_2d r2;
    arr_f64_3d r3;
    const double *result = NULL;
    int status, status2;
    shape[0] = n, shape[1] = m, shape[2] = o;
    for (int64_t at = 0; at < size; at++) {
        given[at] = a[at] = 10 * random_unit(random);
        low = fmin(low, a[at]);
        high = fmax(high, a[at]);
    }
    if (rank == 1) {
        status = convolution_1(ctx, &r1, &steps, arr_f64_1d_borrow(given, o), eps);
        status2 = min_max_1(ctx, &least, &most, arr_f64_1d_borrow(given, o));
    } else if (rank == 2) {
        status = convolution_2(ctx, &r2, &steps, arr_f64_2d_borrow(given, m, o), eps);
        status2 = min_max_2(ctx, &least, &most, arr_f64_2d_borrow(given, m, o));
    } else {
        status = convolution_3(ctx, &r3, &steps, arr_f64_3d_borrow(given, n, m, o), eps);
        status2 = min_max_3(ctx, &least, &most, arr_f64_3d_borrow(given, n, m, o));
    }
    if (status != ARR_OK || status2 != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(given);
        free(a);
        free(b);
        return;
    }
    do {
        change = relaxed(a, b, shape, rank);
        swap = a;
        a = b;
        b = swap;
        expected++;
    } while (change > eps);
    result = rank == 1 ? r1.data : rank == 2 ? r2.data : r3.data;
    for (int64_t at = 0; at < size; at++)
        error = fmax(error, fabs(result[at] - a[at]));
    expect(steps == expected, "the number of steps");
    expect(error < 1e-9, "the convolution");
    expect(least == low && most == high, "the least and the greatest element");
    printf("rank %d, %lld elements: %lld steps, from %g to %g at first\n", rank, (long long)size, (long long)steps, least, most);
    if (rank == 1)
        arr_f64_1d_free(ctx, &r1);
    else if (rank == 2)
        arr_f64_2d_free(ctx, &r2);
    else
        arr_f64_3d_free(ctx, &r3);
    free(given);
    free(a);
    free(b);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 1, 1, 100, 1, 0.011, &random);
    check(ctx, 1, 1, 1, 1, 0.5, &random);
    check(ctx, 1, 1, 0, 1, 0.5, &random);
    check(ctx, 1, 40, 31, 2, 0.013, &random);
    check(ctx, 1, 1, 7, 2, 0.017, &random);
    check(ctx, 1, 0, 7, 2, 0.017, &random);
    check(ctx, 9, 11, 20, 3, 0.019, &random);
    check(ctx, 2, 1, 3, 3, 0.019, &random);
    arr_context_free(ctx);
    return summary();
}

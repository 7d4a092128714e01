/* Calls the entries of lu.arr and compares them with elimination by columns, with exchange of rows.
 *
 *     lu
 */
#include "lu.h"

#include <math.h>

#include "support.h"

/* Solves a x = b for m columns by the method of Gauss and Jordan with pivots; the determinant of a. */
static double eliminate(int64_t n, int64_t m, double *a, double *b)
{
    double determinant = 1;
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
                pivot = i;
        if (pivot != k)
            determinant = -determinant;
        for (int64_t j = 0; j < n; j++) {
            const double x = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = x;
        }
        for (int64_t j = 0; j < m; j++) {
            const double x = b[k * m + j];
            b[k * m + j] = b[pivot * m + j];
            b[pivot * m + j] = x;
        }
        determinant *= a[k * n + k];
        for (int64_t i = 0; i < n; i++) {
            const double factor = i == k ? 0 : a[i * n + k] / a[k * n + k];
            for (int64_t j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            for (int64_t j = 0; j < m; j++)
                b[i * m + j] -= factor * b[k * m + j];
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            b[i * m + j] /= a[i * n + i];
    return determinant;
}

static void check(arr_context *ctx, int64_t n, int64_t m, uint64_t *random)
{
    double *a = (double *)allocate(n * n, sizeof(double)), *b = (double *)allocate(n * m, sizeof(double));
    double worst = 0, far = 0, residual, found, expected;
    arr_f64_2d matrix = arr_f64_2d_borrow(a, n, n), right = arr_f64_2d_borrow(b, n, m), lu, product, xs;
    for (int64_t i = 0; i < n * n; i++)
        a[i] = random_unit(random) - 0.5;
    /* Rows whose diagonal outweighs the rest, and whose determinant is not too large. */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = i == j ? 1 + random_unit(random) / 4 : a[i * n + j] / (double)n;
    for (int64_t i = 0; i < n * m; i++)
        b[i] = 10 * random_unit(random);
    if (factors(ctx, &lu, matrix) != ARR_OK || product_of(ctx, &product, lu) != ARR_OK ||
        solve(ctx, &xs, &residual, matrix, right) != ARR_OK || determinant(ctx, &found, matrix) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 0; i < n * n; i++)
        far = fmax(far, fabs(product.data[i] - a[i]));
    expect(far <= 1e-13, "the product of the factors");
    expected = eliminate(n, m, a, b);
    for (int64_t i = 0; i < n * m; i++)
        worst = fmax(worst, fabs(xs.data[i] - b[i]));
    expect(worst <= 1e-11, "the solutions");
    expect(residual <= 1e-11, "the residual");
    expect(fabs(found - expected) <= 1e-10 * fabs(expected), "the determinant");
    printf("%lld equations, %lld columns: solutions %.1e, factors %.1e\n", (long long)n, (long long)m, worst, far);
    arr_f64_2d_free(ctx, &xs);
    arr_f64_2d_free(ctx, &product);
    arr_f64_2d_free(ctx, &lu);
    free(b);
    free(a);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    double two[2] = {1, 2};
    arr_f64_2d lu;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 150, 3, &random);
    check(ctx, 64, 1, &random);
    check(ctx, 33, 5, &random);
    check(ctx, 31, 40, &random);
    check(ctx, 2, 2, &random);
    check(ctx, 1, 1, &random);
    check(ctx, 0, 3, &random);
    expect(factors(ctx, &lu, arr_f64_2d_borrow(two, 1, 2)) == ARR_ERROR_SHAPE, "a matrix that is not square");
    check(ctx, 65, 2, &random);
    arr_context_free(ctx);
    return summary();
}

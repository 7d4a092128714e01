/* Calls the entries of rods.arr and compares them with elimination in full matrices.
 *
 *     rods
 */
#include "rods.h"

#include <math.h>

#include "support.h"

/* Solves a x = b with pivots, a full matrix of m rows; b becomes x. */
static void eliminate(int64_t m, double *a, double *b)
{
    for (int64_t k = 0; k < m; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < m; i++)
            if (fabs(a[i * m + k]) > fabs(a[pivot * m + k]))
                pivot = i;
        for (int64_t j = 0; j < m; j++) {
            const double x = a[k * m + j];
            a[k * m + j] = a[pivot * m + j];
            a[pivot * m + j] = x;
        }
        {
            const double x = b[k];
            b[k] = b[pivot];
            b[pivot] = x;
        }
        for (int64_t i = 0; i < m; i++) {
            const double factor = i == k ? 0 : a[i * m + k] / a[k * m + k];
            for (int64_t j = k; j < m; j++)
                a[i * m + j] -= factor * a[k * m + j];
            b[i] -= factor * b[k];
        }
    }
    for (int64_t i = 0; i < m; i++)
        b[i] /= a[i * m + i];
}

static double *random_numbers(int64_t count, double low, double high, uint64_t *random)
{
    double *numbers = (double *)allocate(count, sizeof(double));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = low + (high - low) * random_unit(random);
    return numbers;
}

static void check_systems(arr_context *ctx, int64_t n, int64_t m, uint64_t *random)
{
    double *left = random_numbers(n * m, -1, 1, random), *middle = random_numbers(n * m, 2, 4, random),
           *right = random_numbers(n * m, -1, 1, random), *given = random_numbers(n * m, -5, 5, random);
    double *full = (double *)allocate(m * m, sizeof(double)), worst = 0;
    arr_f64_2d l = arr_f64_2d_borrow(left, n, m), c = arr_f64_2d_borrow(middle, n, m), r = arr_f64_2d_borrow(right, n, m),
               g = arr_f64_2d_borrow(given, n, m), found;
    arr_f64_1d residual;
    if (solve(ctx, &found, l, c, r, g) != ARR_OK || residuals(ctx, &residual, l, c, r, g, found) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t s = 0; s < n; s++) {
        expect(residual.data[s] <= 1e-12, "the residual");
        for (int64_t i = 0; i < m * m; i++)
            full[i] = 0;
        for (int64_t i = 0; i < m; i++) {
            full[i * m + i] = middle[s * m + i];
            if (i > 0)
                full[i * m + i - 1] = left[s * m + i];
            if (i < m - 1)
                full[i * m + i + 1] = right[s * m + i];
        }
        eliminate(m, full, given + s * m);
        for (int64_t i = 0; i < m; i++)
            worst = fmax(worst, fabs(found.data[s * m + i] - given[s * m + i]));
    }
    expect(worst <= 1e-12, "the solutions");
    printf("%lld systems of %lld equations: %.1e\n", (long long)n, (long long)m, worst);
    arr_f64_1d_free(ctx, &residual);
    arr_f64_2d_free(ctx, &found);
    free(full);
    free(given);
    free(right);
    free(middle);
    free(left);
}

/* A step is (1 + r D) x' = (1 - r D) x, with D the differences to the neighbours. */
static void check_heat(arr_context *ctx, int64_t n, int64_t m, int64_t steps, double r, uint64_t *random)
{
    double *rods = random_numbers(n * m, 0, 100, random), *full = (double *)allocate(m * m, sizeof(double)),
           *next = (double *)allocate(m, sizeof(double)), worst = 0;
    arr_f64_2d input = arr_f64_2d_borrow(rods, n, m), after;
    arr_f64_1d before_sums, after_sums;
    if (spread_heat(ctx, &after, steps, r, input) != ARR_OK || heat(ctx, &before_sums, input) != ARR_OK ||
        heat(ctx, &after_sums, after) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t s = 0; s < n; s++) {
        double *rod = rods + s * m;
        expect(fabs(before_sums.data[s] - after_sums.data[s]) <= 1e-9, "heat stays");
        for (int64_t step = 0; step < steps; step++) {
            for (int64_t i = 0; i < m; i++) {
                next[i] = rod[i];
                for (int64_t j = 0; j < m; j++)
                    full[i * m + j] = i == j;
                for (int64_t j = i - 1; j <= i + 1; j += 2)
                    if (j >= 0 && j < m) {
                        full[i * m + i] += r;
                        full[i * m + j] -= r;
                        next[i] += r * (rod[j] - rod[i]);
                    }
            }
            eliminate(m, full, next);
            memcpy(rod, next, (size_t)m * sizeof(double));
        }
        for (int64_t i = 0; i < m; i++)
            worst = fmax(worst, fabs(after.data[s * m + i] - rod[i]));
    }
    expect(worst <= 1e-9, "the temperatures");
    arr_f64_1d_free(ctx, &after_sums);
    arr_f64_1d_free(ctx, &before_sums);
    arr_f64_2d_free(ctx, &after);
    free(next);
    free(full);
    free(rods);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    double one[1] = {1}, two[2] = {1, 2};
    arr_f64_2d found;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check_systems(ctx, 37, 23, &random);
    check_systems(ctx, 5, 100, &random);
    check_systems(ctx, 64, 1, &random);
    check_systems(ctx, 9, 2, &random);
    check_heat(ctx, 19, 12, 20, 0.7, &random);
    check_heat(ctx, 3, 1, 4, 0.5, &random);
    check_heat(ctx, 16, 2, 3, 0.1, &random);
    expect(solve(ctx, &found, arr_f64_2d_borrow(one, 1, 1), arr_f64_2d_borrow(one, 1, 1), arr_f64_2d_borrow(one, 1, 1),
                 arr_f64_2d_borrow(two, 2, 1)) == ARR_ERROR_SHAPE,
           "two matrices of different sizes");
    check_systems(ctx, 3, 4, &random);
    arr_context_free(ctx);
    return summary();
}

/* Calls the entries of fields.arr: a potential with a known solution, cells that identify their neighbours, and water whose volume stays.
 *
 *     fields
 */
#include "fields.h"

#include <math.h>

#include "support.h"

/* The potential x * x - y * y of no charge, from zeros inside. */
static void check_potential(arr_context *ctx, int64_t n, int64_t m)
{
    double *charge = (double *)allocate(n * m, sizeof(double)), *a = (double *)allocate(n * m, sizeof(double)), error = 0;
    arr_f64_2d result;
    int64_t steps;
    for (int64_t k = 0; k < n * m; k++) {
        double i = (double)(k / m), j = (double)(k % m);
        int is_edge = k / m == 0 || k / m == n - 1 || k % m == 0 || k % m == m - 1;
        a[k] = is_edge ? i * i - j * j : 0;
    }
    if (potential(ctx, &result, &steps, 1e-12, arr_f64_2d_borrow(charge, n, m), arr_f64_2d_borrow(a, n, m)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
    } else {
        for (int64_t k = 0; k < n * m; k++) {
            double i = (double)(k / m), j = (double)(k % m);
            error = fmax(error, fabs(result.data[k] - (i * i - j * j)));
        }
        expect(error < 1e-8, "the potential");
        printf("%lld x %lld: %lld steps, within %.2g\n", (long long)n, (long long)m, (long long)steps, error);
        arr_f64_2d_free(ctx, &result);
    }
    free(charge);
    free(a);
}

static void check_life(arr_context *ctx, int64_t n, int64_t m, uint64_t *random)
{
    bool *board = (bool *)allocate(n * m, sizeof(bool));
    int *told = (int *)allocate(n * m, sizeof(int));
    arr_bool_2d result;
    int wrong = 0;
    for (int64_t k = 0; k < n * m; k++)
        board[k] = random_below(random, 100) < 40;
    for (int64_t k = 0; k < n * m; k++)
        for (int64_t near = 0; board[k] && near < 9; near++)
            told[(k / m + near / 3 + n - 1) % n * m + (k % m + near % 3 + m - 1) % m] += near != 4;
    if (life_step(ctx, &result, arr_bool_2d_borrow(board, n, m)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
    } else {
        for (int64_t k = 0; k < n * m; k++)
            wrong += result.data[k] != (told[k] == 3 || (told[k] == 2 && board[k]));
        expect(wrong == 0, "the cells");
        arr_bool_2d_free(ctx, &result);
    }
    free(board);
    free(told);
}

static double sum_of(const double *a, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k];
    return sum;
}

/* Water keeps its volume and its momentum; and the flow is the same when rows and columns are exchanged. */
static void check_water(arr_context *ctx, int64_t n, int64_t m, int64_t steps, uint64_t *random)
{
    double *field = (double *)allocate(6 * n * m, sizeof(double)), *turned = field + 3 * n * m, error = 0;
    arr_f64_2d out[6];
    for (int64_t k = 0; k < 3 * n * m; k++)
        field[k] = (k < n * m ? 1.0 : -0.25) + 0.5 * random_unit(random);
    for (int64_t part = 0; part < 3; part++)
        for (int64_t k = 0; k < n * m; k++)
            turned[(part == 0 ? 0 : 3 - part) * n * m + k % m * n + k / m] = field[part * n * m + k];
    if (flow(ctx, &out[0], &out[1], &out[2], 0.1, steps, arr_f64_2d_borrow(field, n, m),
             arr_f64_2d_borrow(field + n * m, n, m), arr_f64_2d_borrow(field + 2 * n * m, n, m)) != ARR_OK ||
        flow(ctx, &out[3], &out[4], &out[5], 0.1, steps, arr_f64_2d_borrow(turned, m, n),
             arr_f64_2d_borrow(turned + n * m, m, n), arr_f64_2d_borrow(turned + 2 * n * m, m, n)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(field);
        return;
    }
    for (int64_t part = 0; part < 3; part++) {
        const double *here = out[part].data, *there = out[part == 0 ? 3 : 6 - part].data;
        for (int64_t k = 0; k < n * m; k++)
            error = fmax(error, fabs(here[k] - there[k % m * n + k / m]));
        expect(fabs(sum_of(here, n * m) - sum_of(field + part * n * m, n * m)) <= 1e-9 * (double)(n * m), "nothing is lost");
    }
    expect(error < 1e-9, "rows and columns exchanged");
    printf("%lld x %lld: %lld steps of water\n", (long long)n, (long long)m, (long long)steps);
    for (int part = 0; part < 6; part++)
        arr_f64_2d_free(ctx, &out[part]);
    free(field);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check_potential(ctx, 12, 15);
    check_potential(ctx, 2, 5);
    check_potential(ctx, 0, 5);
    check_life(ctx, 64, 77, &random);
    check_life(ctx, 1, 5, &random);
    check_life(ctx, 2, 2, &random);
    check_life(ctx, 3, 0, &random);
    check_water(ctx, 30, 41, 20, &random);
    check_water(ctx, 1, 7, 5, &random);
    check_water(ctx, 0, 7, 5, &random);
    arr_context_free(ctx);
    return summary();
}

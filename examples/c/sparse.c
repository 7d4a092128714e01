/* Calls the entries of sparse.arr and compares products with those of a full matrix, and solutions with
 * those put in.
 *
 *     sparse
 */
#include "sparse.h"

#include <math.h>

#include "support.h"

/* A matrix of rows x columns, in full, and as `count` values with their places in no order. */
typedef struct {
    int64_t rows, columns, count;
    double *full, *values;
    int64_t *at_row, *at_column;
} matrix;

static matrix make_matrix(int64_t rows, int64_t columns, int64_t count)
{
    matrix m;
    m.rows = rows;
    m.columns = columns;
    m.count = count;
    m.full = (double *)allocate(rows * columns, sizeof(double));
    m.values = (double *)allocate(count, sizeof(double));
    m.at_row = (int64_t *)allocate(count, sizeof(int64_t));
    m.at_column = (int64_t *)allocate(count, sizeof(int64_t));
    return m;
}

static void free_matrix(matrix *m)
{
    free(m->full);
    free(m->values);
    free(m->at_row);
    free(m->at_column);
}

static void set(matrix *m, int64_t entry, int64_t row, int64_t column, double value)
{
    m->at_row[entry] = row;
    m->at_column[entry] = column;
    m->values[entry] = value;
    m->full[row * m->columns + column] += value;
}

/* Values at random places, some of them several times; most are in the first rows, many rows are empty. */
static matrix random_matrix(int64_t rows, int64_t columns, int64_t count, uint64_t *random)
{
    matrix m = make_matrix(rows, columns, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = random_below(random, 1 + random_below(random, rows));
        set(&m, i, row, random_below(random, columns), 2 * random_unit(random) - 1);
    }
    return m;
}

/* The matrix of the heat on a grid of side x side, with its edges held at 0: 5 values a row at most. */
static matrix grid_matrix(int64_t side)
{
    matrix m = make_matrix(side * side, side * side, 5 * side * side - 4 * side);
    int64_t entry = 0;
    for (int64_t y = side - 1; y >= 0; y--)
        for (int64_t x = 0; x < side; x++) {
            int64_t row = y * side + x;
            set(&m, entry++, row, row, 4);
            if (x > 0)
                set(&m, entry++, row, row - 1, -1);
            if (x < side - 1)
                set(&m, entry++, row, row + 1, -1);
            if (y > 0)
                set(&m, entry++, row, row - side, -1);
            if (y < side - 1)
                set(&m, entry++, row, row + side, -1);
        }
    expect(entry == m.count, "the grid's matrix has all of its values");
    return m;
}

/* The product of the full matrix and xs. */
static double *full_product(const matrix *m, const double *xs)
{
    double *product = (double *)allocate(m->rows, sizeof(double));
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++)
            product[i] += m->full[i * m->columns + j] * xs[j];
    return product;
}

static int near(const double *xs, const double *ys, int64_t n, double tolerance)
{
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(xs[i] - ys[i]) <= tolerance * (1 + fabs(ys[i]))))
            return 0;
    return 1;
}

/* The matrix in compressed rows: three arrays that the caller frees. */
static int compressed(arr_context *ctx, const matrix *m, arr_i64_1d *offsets, arr_i64_1d *columns,
                      arr_f64_1d *values)
{
    int code = compress(ctx, offsets, columns, values, m->rows,
                        arr_i64_1d_borrow(m->at_row, m->count),
                        arr_i64_1d_borrow(m->at_column, m->count),
                        arr_f64_1d_borrow(m->values, m->count));
    expect(code == ARR_OK, arr_context_error(ctx));
    return code == ARR_OK;
}

/* Both products of a sparse matrix, against that of the full one. */
static void check_products(arr_context *ctx, const char *name, const matrix *m, uint64_t *random)
{
    arr_i64_1d offsets, columns;
    arr_f64_1d values, product, other, vector;
    double *xs = (double *)allocate(m->columns, sizeof(double)), *expected;
    for (int64_t j = 0; j < m->columns; j++)
        xs[j] = 10 * random_unit(random) - 5;
    vector = arr_f64_1d_borrow(xs, m->columns);
    expected = full_product(m, xs);
    if (compressed(ctx, m, &offsets, &columns, &values)) {
        expect(offsets.shape[0] == m->rows + 1, "there is one offset more than rows");
        if (multiply(ctx, &product, offsets, columns, values, vector) == ARR_OK) {
            expect(near(product.data, expected, m->rows, 1e-10), name);
            arr_f64_1d_free(ctx, &product);
        } else
            expect(0, arr_context_error(ctx));
        if (multiply_by_scan(ctx, &other, offsets, columns, values, vector) == ARR_OK) {
            expect(near(other.data, expected, m->rows, 1e-10), name);
            arr_f64_1d_free(ctx, &other);
        } else
            expect(0, arr_context_error(ctx));
        arr_i64_1d_free(ctx, &offsets);
        arr_i64_1d_free(ctx, &columns);
        arr_f64_1d_free(ctx, &values);
    }
    printf("%s: %lld x %lld, %lld values\n", name, (long long)m->rows, (long long)m->columns,
           (long long)m->count);
    free(expected);
    free(xs);
}

/* A system of equations whose solution is known. */
static void check_solution(arr_context *ctx, int64_t side, uint64_t *random)
{
    arr_i64_1d offsets, columns;
    arr_f64_1d values, solution;
    matrix m = grid_matrix(side);
    int64_t n = m.rows, steps;
    double *xs = (double *)allocate(n, sizeof(double)), *b;
    for (int64_t i = 0; i < n; i++)
        xs[i] = random_unit(random);
    b = full_product(&m, xs);
    if (compressed(ctx, &m, &offsets, &columns, &values)) {
        if (solve(ctx, &solution, &steps, offsets, columns, values, arr_f64_1d_borrow(b, n), 1e-13) ==
            ARR_OK) {
            expect(near(solution.data, xs, n, 1e-9), "the solution");
            expect(steps < n, "fewer steps than unknowns");
            printf("solved for %lld unknowns in %lld steps\n", (long long)n, (long long)steps);
            arr_f64_1d_free(ctx, &solution);
        } else
            expect(0, arr_context_error(ctx));
        /* One element too few on the right side is refused. */
        expect(solve(ctx, &solution, &steps, offsets, columns, values, arr_f64_1d_borrow(b, n - 1),
                     1e-13) == ARR_ERROR_SHAPE,
               "sizes that do not fit are refused");
        printf("as it should be: %s\n", arr_context_error(ctx));
        arr_i64_1d_free(ctx, &offsets);
        arr_i64_1d_free(ctx, &columns);
        arr_f64_1d_free(ctx, &values);
    }
    free(b);
    free(xs);
    free_matrix(&m);
}

int main(void)
{
    static const int64_t sizes[][3] = {{300, 200, 4000}, {200, 300, 150}, {1, 500, 90}, {500, 1, 90},
                                       {7, 5, 0},        {0, 5, 0},       {100, 100, 9000}};
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        matrix m = random_matrix(sizes[i][0], sizes[i][1], sizes[i][2], &random);
        check_products(ctx, "random values", &m, &random);
        free_matrix(&m);
    }
    check_solution(ctx, 20, &random);
    arr_context_free(ctx);
    return summary();
}

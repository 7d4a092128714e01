/* Arrays with strides as arguments: every other element, reversed, and matrices by columns, longer than a strip. Results are
 * right, and a call allocates no copy of what its passes read in order. */
#include "strided.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

enum { COUNT = 10000, ROWS = 300, COLUMNS = 70 };

static double number(int64_t i)
{
    return (double)(i * 7 % 31) - 9;
}

static arr_f64_1d vector(const double *from, int64_t stride)
{
    arr_f64_1d xs = arr_f64_1d_borrow(from, COUNT);
    xs.stride[0] = stride;
    return xs;
}

/* The most bytes that the arrays of the last call had at a time. */
static uint64_t peak(const arr_context *ctx)
{
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    return stats.bytes_peak;
}

static void vectors(arr_context *ctx, const double *xs, int64_t stride)
{
    const arr_f64_1d x = vector(xs, stride);
    const arr_f64_1d y = vector(xs + (COUNT - 1) * stride, -stride);
    double sum = 0, dot = 0, found;
    int64_t greater = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        sum += xs[i * stride];
        dot += xs[i * stride] * xs[(COUNT - 1 - i) * stride];
        greater += xs[i * stride] > 3;
    }
    CHECK(sum_of(ctx, &found, x) == ARR_OK && found == sum);
    CHECK(peak(ctx) < COUNT * sizeof(double));
    CHECK(dot_of(ctx, &found, x, y) == ARR_OK && found == dot);
    CHECK(peak(ctx) < COUNT * sizeof(double) || stride == 1);
    CHECK(unless_of(ctx, &found, false, y) == ARR_OK && found == 0);
    CHECK(peak(ctx) == 0);
    CHECK(unless_of(ctx, &found, true, y) == ARR_OK && found == sum);

    arr_f64_1d kept = { 0 }, scaled = { 0 }, mirrored = { 0 };
    CHECK(greater_of(ctx, &kept, y, 3) == ARR_OK && kept.shape[0] == greater);
    for (int64_t i = COUNT - 1, at = 0; i >= 0; i--)
        if (xs[i * stride] > 3)
            CHECK(kept.data[at++] == xs[i * stride]);
    CHECK(scaled_of(ctx, &scaled, x) == ARR_OK && mirrored_of(ctx, &mirrored, x) == ARR_OK);
    for (int64_t i = 0; i < COUNT; i++) {
        CHECK(scaled.data[i] == xs[i * stride] / sum);
        CHECK(mirrored.data[i] == xs[(COUNT - 1 - i) * stride]);
    }
    arr_f64_1d_free(ctx, &kept);
    arr_f64_1d_free(ctx, &scaled);
    arr_f64_1d_free(ctx, &mirrored);

    /* One struct for an input and the output. */
    arr_f64_1d both = y;
    CHECK(scaled_of(ctx, &both, both) == ARR_OK && both.data[0] == xs[(COUNT - 1) * stride] / sum);
    arr_f64_1d_free(ctx, &both);
}

static void matrices(arr_context *ctx, const double *xs, int64_t row, int64_t column)
{
    arr_f64_2d a = arr_f64_2d_borrow(xs, ROWS, COLUMNS);
    a.stride[0] = row;
    a.stride[1] = column;
    double found;
    int64_t count;
    CHECK(element_of(ctx, &found, a, 299, 68) == ARR_OK && found == xs[299 * row + 68 * column]);
    CHECK(peak(ctx) == 0);
    CHECK(element_of(ctx, &found, a, 300, 68) == ARR_ERROR_INDEX);
    CHECK(element_of(ctx, &found, a, 0, -1) == ARR_ERROR_INDEX);
    CHECK(extent_of(ctx, &count, a) == ARR_OK && count == ROWS * COLUMNS && peak(ctx) == 0);
    arr_f64_1d sums = { 0 };
    CHECK(sums_of(ctx, &sums, a) == ARR_OK && sums.shape[0] == ROWS);
    CHECK(peak(ctx) < ROWS * COLUMNS * sizeof(double));
    for (int64_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int64_t j = 0; j < COLUMNS; j++)
            sum += xs[i * row + j * column];
        CHECK(sums.data[i] == sum);
    }
    arr_f64_1d_free(ctx, &sums);
    /* No elements: nothing is read. */
    a.shape[1] = 0;
    CHECK(sums_of(ctx, &sums, a) == ARR_OK && sums.shape[0] == ROWS && sums.data[ROWS - 1] == 0);
    arr_f64_1d_free(ctx, &sums);
}

/* A pass over the rows of two matrices, of which one is dense: rows that are long and dense are read where they lie. */
static void rows(arr_context *ctx, const double *xs, int64_t row, int64_t column)
{
    arr_f64_2d a = arr_f64_2d_borrow(xs, ROWS, COLUMNS);
    const arr_f64_2d b = a;
    a.stride[0] = row;
    a.stride[1] = column;
    arr_f64_1d dots = { 0 };
    CHECK(dots_of(ctx, &dots, a, b) == ARR_OK);
    CHECK(column != 1 || peak(ctx) < (ROWS + COLUMNS) * sizeof(double));
    for (int64_t i = 0; i < ROWS; i++) {
        double dot = 0;
        for (int64_t j = 0; j < COLUMNS; j++)
            dot += xs[i * row + j * column] * xs[i * COLUMNS + j];
        CHECK(dots.data[i] == dot);
    }
    arr_f64_1d_free(ctx, &dots);
}

int main(void)
{
    double *xs = malloc(3 * COUNT * sizeof *xs);
    CHECK(xs != NULL);
    for (int64_t i = 0; i < 3 * COUNT; i++)
        xs[i] = number(i);
    arr_context *ctx = arr_context_new(NULL);
    CHECK(ctx != NULL);
    for (int64_t stride = 1; stride <= 3; stride++)
        vectors(ctx, xs, stride);
    matrices(ctx, xs, COLUMNS, 1);
    matrices(ctx, xs, COLUMNS + 3, 1);
    matrices(ctx, xs + (ROWS - 1) * (COLUMNS + 3), -COLUMNS - 3, 1);
    matrices(ctx, xs, 0, 1);
    rows(ctx, xs, COLUMNS + 3, 1);
    rows(ctx, xs, 1, ROWS);
    matrices(ctx, xs, 1, ROWS);
    matrices(ctx, xs + ROWS - 1, -1, ROWS);
    arr_context_free(ctx);
    free(xs);
    return 0;
}

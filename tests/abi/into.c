/* Results in memory of the caller: they are written there without an allocation where the pass allows it, never behind
 * the memory, and the struct says afterwards which elements there are. */
#include "into.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

enum { COUNT = 1000 };

static double xs[COUNT];
static arr_context *ctx;

/* Memory for `n` elements, exactly: valgrind sees what is written behind it. */
static arr_f64_1d memory(int64_t n)
{
    return arr_f64_1d_lend_mut((double *)malloc((size_t)n * sizeof(double)), n);
}

/* Whether an array has the elements of another one, which it frees. */
static int equal(arr_f64_1d found, arr_f64_1d expected)
{
    const int is_equal = found.owner == NULL && found.shape[0] == expected.shape[0] && found.stride[0] == 1
        && memcmp(found.data, expected.data, (size_t)expected.shape[0] * sizeof(double)) == 0;
    arr_f64_1d_free(ctx, &expected);
    return is_equal;
}

static uint64_t allocations(void)
{
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    return stats.call_allocations;
}

/* A call allocates as many arrays, and gives the same as the function that makes an array. */
#define SAME(name, room, allocated, ...) \
    do { \
        arr_f64_1d found = memory(room), expected; \
        double *const data = found.data; \
        CHECK(name##_into(ctx, &found, __VA_ARGS__) == ARR_OK); \
        CHECK(found.data == data && allocations() == allocated); \
        CHECK(name(ctx, &expected, __VA_ARGS__) == ARR_OK && equal(found, expected)); \
        free(data); \
    } while (0)

/* A call fails, says so, and leaves the struct as it was. */
#define FAILS(error, words, call, out) \
    do { \
        const arr_f64_1d before = out; \
        CHECK(call == error && strstr(arr_context_error(ctx), words) != NULL); \
        CHECK(memcmp(&before, &out, sizeof before) == 0); \
    } while (0)

static void in_place(arr_f64_1d x)
{
    SAME(scaled, COUNT, 0, x, 2);
    SAME(inner, COUNT - 2, 0, x);
    SAME(above, COUNT, 0, x, 900);
    SAME(joined, 2 * COUNT, 0, x, x);
    SAME(marked, COUNT, 0, x, 3);
    SAME(chosen, COUNT, 0, true, x);
    SAME(chosen, COUNT, 0, false, x);
    SAME(same, COUNT, 0, x);
    SAME(sorted, COUNT, 0, x);
    SAME(checked, COUNT, 0, x, 7);
    /* Two buffers alternate. */
    SAME(halved, COUNT, 2, x, 3);
}

/* The same program in other words is written there as well. */
static void spellings(arr_f64_1d x)
{
    SAME(mean_by_tabulate, COUNT - 2, 0, x);
    SAME(mean_by_slices, COUNT - 2, 0, x);
    SAME(mean_by_iota, COUNT - 2, 0, x);
    SAME(mean_by_box, COUNT - 2, 0, x);
    SAME(mean_by_loop, COUNT - 2, 0, x);
    SAME(mean_by_tail, COUNT - 2, 0, x);
    double data[5] = { 0, 1, 2, 3, 4 };
    arr_f64_1d own = arr_f64_1d_lend_mut(data, 5);
    CHECK(set_by_with_into(ctx, &own, own, 0) == ARR_OK && allocations() == 0 && data[0] == -7);
    CHECK(set_by_let_into(ctx, &own, own, 1) == ARR_OK && allocations() == 0 && data[1] == -7);
    CHECK(set_by_box_into(ctx, &own, own, 2) == ARR_OK && allocations() == 0 && data[2] == -7);
    CHECK(set_by_slice_into(ctx, &own, own, 3) == ARR_OK && allocations() == 0 && data[3] == -7);
    CHECK(set_by_loop_into(ctx, &own, own, 4) == ARR_OK && allocations() == 0 && data[4] == -7);
}

/* Where there is room for the result, but not for all that a filter may keep, it is copied. */
static void room(arr_f64_1d x)
{
    SAME(above, 99, 1, x, 900);
    SAME(above, 100, 1, x, 900);
    SAME(inner, COUNT, 0, x);
    SAME(joined, 2 * COUNT + 5, 0, x, x);
    SAME(above, 0, 1, x, 1e9);
    arr_f64_1d little = memory(98);
    FAILS(ARR_ERROR_SHAPE, "the result has 99 elements, but the memory of out has room for 98 only",
          above_into(ctx, &little, x, 900), little);
    free(little.data);
    arr_f64_1d none = arr_f64_1d_lend_mut(NULL, 0);
    CHECK(above_into(ctx, &none, x, 1e9) == ARR_OK && none.shape[0] == 0);
    x.shape[0] = 0;
    CHECK(scaled_into(ctx, &none, x, 2) == ARR_OK && none.data == NULL);
}

static void several(arr_f64_1d x)
{
    arr_f64_1d a = memory(COUNT), b = memory(COUNT), c, d;
    double sum, other;
    CHECK(both_into(ctx, &a, &sum, &b, x) == ARR_OK && allocations() == 0);
    CHECK(both(ctx, &c, &other, &d, x) == ARR_OK && sum == other && equal(a, c) && equal(b, d));
    CHECK(twice_into(ctx, &a, &b, x) == ARR_OK && allocations() == 0);
    CHECK(twice(ctx, &c, &d, x) == ARR_OK && equal(a, c) && equal(b, d));
    FAILS(ARR_ERROR_ARGUMENT, "the memory of out1 is that of another result, too", twice_into(ctx, &a, &a, x), a);
    arr_f64_1d half = arr_f64_1d_lend_mut(a.data + COUNT / 2, COUNT);
    FAILS(ARR_ERROR_ARGUMENT, "is that of another result", twice_into(ctx, &half, &a, x), half);
    free(a.data);
    free(b.data);
}

/* The memory for a result is that of an argument, or overlaps it: results are those of the argument before the call. */
static void shared(arr_f64_1d x)
{
    double *const data = (double *)malloc(2 * COUNT * sizeof(double));
    for (int64_t shift = 0; shift < 5; shift += 2) {
        arr_f64_1d expected, out = arr_f64_1d_lend_mut(data + shift, COUNT);
        memcpy(data, xs, sizeof xs);
        const arr_f64_1d y = arr_f64_1d_borrow(data, COUNT);
        CHECK(halved(ctx, &expected, x, 1) == ARR_OK && halved_into(ctx, &out, y, 1) == ARR_OK);
        CHECK(equal(out, expected));
        memcpy(data, xs, sizeof xs);
        CHECK(chosen(ctx, &expected, false, x) == ARR_OK && chosen_into(ctx, &out, false, y) == ARR_OK);
        CHECK(equal(out, expected));
        memcpy(data, xs, sizeof xs);
        CHECK(same_into(ctx, &out, y) == ARR_OK && memcmp(out.data, xs, sizeof xs) == 0);
    }
    /* Several results, each of which is an argument in the memory for another one. */
    double b[COUNT], d[COUNT];
    for (int64_t i = 0; i < COUNT; i++)
        b[i] = -xs[i];
    memcpy(data, xs, sizeof xs);
    arr_f64_1d first = arr_f64_1d_lend_mut(data, COUNT), second = arr_f64_1d_lend_mut(b, COUNT);
    CHECK(exchanged_into(ctx, &first, &second, first, second) == ARR_OK && memcmp(b, xs, sizeof xs) == 0 && data[3] == -xs[3]);
    second = arr_f64_1d_lend_mut(d, COUNT);
    CHECK(moved_into(ctx, &second, &first, first, arr_f64_1d_borrow(b, COUNT)) == ARR_OK);
    CHECK(memcmp(data, b, sizeof b) == 0 && d[3] == 0);
    memcpy(data, xs, sizeof xs);
    CHECK(moved_into(ctx, &first, &second, arr_f64_1d_borrow(b, COUNT), first) == ARR_OK);
    CHECK(memcmp(d, xs, sizeof xs) == 0 && data[3] == 2 * xs[3]);
    /* The other way round, with strides. */
    arr_f64_1d every = arr_f64_1d_borrow(data + 2 * COUNT - 2, COUNT), expected, out = arr_f64_1d_lend_mut(data, COUNT);
    every.stride[0] = -2;
    for (int64_t i = 0; i < 2 * COUNT; i++)
        data[i] = (double)i;
    CHECK(scaled(ctx, &expected, every, 3) == ARR_OK && scaled_into(ctx, &out, every, 3) == ARR_OK);
    CHECK(equal(out, expected));
    free(data);
}

/* The memory for the result is that of an argument which ends in the call: it is updated in place, and nothing is copied. */
static void in_place_of_an_argument(void)
{
    int64_t counts[7] = { 10, 20, 30, 40, 50, 60, 70 };
    const int64_t ks[5] = { 1, 6, 1, 0, 1 }, expected[7] = { 11, 23, 30, 40, 50, 60, 71 };
    arr_i64_1d bins = arr_i64_1d_lend_mut(counts, 7);
    CHECK(counted_into(ctx, &bins, bins, arr_i64_1d_borrow(ks, 5)) == ARR_OK && allocations() == 0);
    CHECK(memcmp(counts, expected, sizeof counts) == 0);
    double data[12];
    for (int64_t i = 0; i < 12; i++)
        data[i] = (double)i;
    arr_f64_1d part = arr_f64_1d_lend_mut(data, 10), shifted = arr_f64_1d_lend_mut(data + 1, 10);
    CHECK(swapped_into(ctx, &part, part, 2, 9) == ARR_OK && allocations() == 0 && data[2] == 9 && data[9] == 2);
    /* Memory that overlaps it otherwise gets a copy. */
    CHECK(swapped_into(ctx, &shifted, part, 0, 1) == ARR_OK && allocations() == 1);
    CHECK(data[1] == 1 && data[2] == 0 && data[3] == 9 && data[10] == 2);
    /* Another argument is in the memory, too. */
    arr_f64_2d a = arr_f64_2d_lend_mut(data, 3, 4);
    for (int64_t i = 0; i < 12; i++)
        data[i] = (double)i;
    CHECK(row_doubled_into(ctx, &a, a, a) == ARR_OK && allocations() > 0);
    CHECK(data[0] == 4 && data[3] == 10 && data[4] == 4 && data[11] == 11);
    const double other[12] = { 1, 1, 1, 1 };
    CHECK(row_doubled_into(ctx, &a, a, arr_f64_2d_borrow(other, 3, 4)) == ARR_OK && data[0] == 5 && data[8] == 8);
    arr_f64_1d all = arr_f64_1d_lend_mut(data, 4);
    double found;
    CHECK(read_later_into(ctx, &all, &found, all, 0) == ARR_OK && allocations() == 0 && data[0] == 26 && found == 52);
    /* The argument has other names, too. */
    double ones[3], twos[3] = { 2, 2, 2 }, kept[3];
    const arr_f64_1d two = arr_f64_1d_borrow(twos, 3);
    arr_f64_1d one = arr_f64_1d_lend_mut(ones, 3), rest = arr_f64_1d_lend_mut(kept, 3);
    for (int64_t k = 0; k < 3; k++) {
        ones[0] = ones[1] = ones[2] = 1;
        CHECK(named_by_if_into(ctx, &one, &found, k % 2 == 0, one, two) == ARR_OK);
        CHECK(ones[0] == 500 && found == (k % 2 == 0 ? 502 : 1004));
        ones[0] = 1;
        CHECK(named_by_loop_into(ctx, &one, &found, one, two, k) == ARR_OK);
        CHECK(ones[0] == 500 && found == (k % 2 == 0 ? 502 : 1004));
        ones[0] = 1;
        CHECK(named_by_call_into(ctx, &one, &rest, k % 2 == 0, one, two) == ARR_OK);
        CHECK(ones[0] == 500 && kept[0] == (k % 2 == 0 ? 1 : 2));
    }
    /* An argument with strides is read as it was. */
    arr_f64_1d every = arr_f64_1d_borrow(data, 6);
    every.stride[0] = 2;
    arr_f64_1d half = arr_f64_1d_lend_mut(data, 6);
    for (int64_t i = 0; i < 12; i++)
        data[i] = (double)i;
    CHECK(swapped_into(ctx, &half, every, 0, 5) == ARR_OK && data[0] == 10 && data[1] == 2 && data[5] == 0 && data[6] == 6);
}

static void refused(arr_f64_1d x)
{
    arr_f64_1d out = memory(COUNT);
    out.shape[0] = COUNT - 1;
    FAILS(ARR_ERROR_SHAPE, "xs has size 1000 but out has size 999; they must be equal", scaled_into(ctx, &out, x, 2), out);
    out.shape[0] = COUNT;
    out.stride[0] = 2;
    FAILS(ARR_ERROR_ARGUMENT, "the memory of out is not dense", scaled_into(ctx, &out, x, 2), out);
    out.stride[0] = 1;
    FAILS(ARR_ERROR_INDEX, "index 1000 is out of bounds", checked_into(ctx, &out, x, COUNT), out);
    arr_f64_1d missing = arr_f64_1d_lend_mut(NULL, COUNT);
    FAILS(ARR_ERROR_ARGUMENT, "the pointer for out is NULL, but its size is 1000", scaled_into(ctx, &missing, x, 2),
          missing);
    missing.shape[0] = -1;
    FAILS(ARR_ERROR_ARGUMENT, "out has the negative size -1", scaled_into(ctx, &missing, x, 2), missing);
    CHECK(scaled_into(ctx, NULL, x, 2) == ARR_ERROR_ARGUMENT);
    /* A call that fails leaves no memory of its caller to the next one. */
    arr_f64_1d made;
    CHECK(scaled(ctx, &made, x, 2) == ARR_OK && made.data != out.data && made.owner != NULL);
    arr_f64_1d_free(ctx, &made);
    free(out.data);
}

static void matrices(void)
{
    double *const data = (double *)malloc(COUNT * sizeof(double));
    const arr_f64_2d a = arr_f64_2d_borrow(xs, 10, 100);
    arr_f64_2d out = arr_f64_2d_lend_mut(data, 100, 10);
    CHECK(turned_into(ctx, &out, a) == ARR_OK && allocations() == 0);
    for (int64_t i = 0; i < COUNT; i++)
        CHECK(data[i] == xs[i % 10 * 100 + i / 10]);
    out = arr_f64_2d_lend_mut(data, 10, 100);
    CHECK(turned_into(ctx, &out, a) == ARR_ERROR_SHAPE);
    free(data);
}

static void short_parts(void)
{
    int64_t ks[COUNT], count = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        ks[i] = i % 7;
        count += ks[i] & 3;
    }
    int64_t *const data = (int64_t *)malloc((size_t)count * sizeof(int64_t));
    arr_i64_1d out = arr_i64_1d_lend_mut(data, count), expected;
    CHECK(parts_into(ctx, &out, arr_i64_1d_borrow(ks, COUNT)) == ARR_OK && out.shape[0] == count);
    CHECK(parts(ctx, &expected, arr_i64_1d_borrow(ks, COUNT)) == ARR_OK && expected.shape[0] == count);
    CHECK(memcmp(data, expected.data, (size_t)count * sizeof(int64_t)) == 0);
    arr_i64_1d_free(ctx, &expected);
    free(data);
}

int main(void)
{
    for (int64_t i = 0; i < COUNT; i++)
        xs[i] = (double)(i * 389 % COUNT);
    ctx = arr_context_new(NULL);
    const arr_f64_1d x = arr_f64_1d_borrow(xs, COUNT);
    in_place(x);
    spellings(x);
    room(x);
    several(x);
    shared(x);
    in_place_of_an_argument();
    refused(x);
    matrices();
    short_parts();
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    CHECK(stats.bytes_live == 0);
    arr_context_free(ctx);
    return 0;
}

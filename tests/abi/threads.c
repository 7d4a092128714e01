/* Calls with several threads: the same bits, the first failure by position, and options that cannot be
 * had. `threads pool` expects a pool of threads in the program; `threads none` expects none. */
#define _POSIX_C_SOURCE 199309L

#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

enum { MOST = 100003, ROWS = 301 };

static double xs[MOST];
static int64_t is[MOST];

/* A copy of a pass for one thread of the host. */
struct copy {
    void (*body)(void *argument);
    void *argument;
};

static void *run_copy(void *copy)
{
    struct copy *of_pass = copy;
    of_pass->body(of_pass->argument);
    return NULL;
}

/* A host's own threads: `user` counts the passes that borrowed them. */
static void lend(void *user, int64_t copies, void (*body)(void *argument), void *argument)
{
    pthread_t threads[8];
    struct copy copy = {body, argument};
    int64_t started = 0;
    *(int *)user += 1;
    while (started + 1 < copies && started < 8 && pthread_create(&threads[started], NULL, run_copy, &copy) == 0)
        started += 1;
    body(argument);
    for (int64_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* A host without any thread to lend, not even the caller's. */
static void refuse(void *user, int64_t copies, void (*body)(void *argument), void *argument)
{
    (void)copies, (void)body, (void)argument;
    *(int *)user += 1;
}

static arr_context *context_with(size_t grain, size_t threads, arr_parallel_fn *parallel, int *user)
{
    arr_options options;
    arr_options_init(&options);
    options.threads = threads;
    options.parallel = parallel;
    options.parallel_user = user;
    options.grain = grain;
    arr_context *ctx = arr_context_new(&options);
    CHECK(ctx != NULL);
    return ctx;
}

static arr_context *context(size_t threads, arr_parallel_fn *parallel, int *user)
{
    return context_with(1, threads, parallel, user);
}

static arr_stats stats_of(arr_context *ctx)
{
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    return stats;
}

/* Whether two arrays have the same elements, bit for bit. */
static int is_same(const arr_f64_1d arrays[2])
{
    const size_t bytes = (size_t)arrays[0].shape[0] * sizeof(double);
    return arrays[0].shape[0] == arrays[1].shape[0] && (bytes == 0 || memcmp(arrays[0].data, arrays[1].data, bytes) == 0);
}

/* Filters of the first n elements: two of them and a sum in one pass, and rows. */
static void compare_filters(arr_context *one, arr_context *many, int64_t n)
{
    double sums[2];
    arr_f64_1d high[2], low[2];
    arr_f64_2d rows[2];
    arr_context *contexts[2] = {one, many};
    const int64_t width = n / ROWS;
    for (int i = 0; i < 2; i++) {
        CHECK(parts(contexts[i], &high[i], &low[i], &sums[i], arr_f64_1d_borrow(xs, n)) == ARR_OK);
        CHECK(kept_rows(contexts[i], &rows[i], 10.0 * (double)width, arr_f64_2d_borrow(xs, ROWS, width)) == ARR_OK);
    }
    CHECK(memcmp(&sums[0], &sums[1], sizeof sums[0]) == 0);
    CHECK(is_same(high) && is_same(low));
    CHECK(rows[0].shape[0] == rows[1].shape[0] && rows[1].shape[1] == width);
    CHECK(memcmp(rows[0].data, rows[1].data, (size_t)(rows[0].shape[0] * width) * sizeof(double)) == 0);
    for (int i = 0; i < 2; i++) {
        arr_f64_1d_free(contexts[i], &high[i]);
        arr_f64_1d_free(contexts[i], &low[i]);
        arr_f64_2d_free(contexts[i], &rows[i]);
    }
}

/* Scans of the first n elements: of floats, of integers, and of what a filter keeps. */
static void compare_scans(arr_context *one, arr_context *many, int64_t n)
{
    double greatest[2];
    arr_f64_1d all[2], kept[2];
    arr_i64_1d places[2];
    arr_context *contexts[2] = {one, many};
    for (int i = 0; i < 2; i++) {
        CHECK(sums(contexts[i], &all[i], &greatest[i], arr_f64_1d_borrow(xs, n)) == ARR_OK);
        CHECK(kept_sums(contexts[i], &kept[i], arr_f64_1d_borrow(xs, n)) == ARR_OK);
        CHECK(counts(contexts[i], &places[i], arr_f64_1d_borrow(xs, n)) == ARR_OK);
    }
    CHECK(memcmp(&greatest[0], &greatest[1], sizeof greatest[0]) == 0);
    CHECK(is_same(all) && is_same(kept));
    int64_t place = 0;
    for (int64_t i = 0; i < n; i++) {
        CHECK(places[0].data[i] == place && places[1].data[i] == place);
        place += xs[i] > 0.0 ? 2 : 1;
    }
    for (int i = 0; i < 2; i++) {
        arr_f64_1d_free(contexts[i], &all[i]);
        arr_f64_1d_free(contexts[i], &kept[i]);
        arr_i64_1d_free(contexts[i], &places[i]);
    }
}

/* All entries for the first n elements, compared with what one thread gives. */
static void compare(arr_context *one, arr_context *many, int64_t n)
{
    double sums[2];
    arr_f64_1d arrays[2], input = arr_f64_1d_borrow(xs, n);
    arr_context *contexts[2] = {one, many};
    for (int i = 0; i < 2; i++)
        CHECK(total(contexts[i], &sums[i], input) == ARR_OK);
    CHECK(memcmp(&sums[0], &sums[1], sizeof sums[0]) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(scaled(contexts[i], &arrays[i], 3.0, input) == ARR_OK);
    CHECK(arrays[1].shape[0] == n && memcmp(arrays[0].data, arrays[1].data, (size_t)n * sizeof(double)) == 0);
    for (int i = 0; i < 2; i++)
        arr_f64_1d_free(contexts[i], &arrays[i]);
    const int64_t width = n / ROWS;
    for (int i = 0; i < 2; i++)
        CHECK(row_sums(contexts[i], &arrays[i], arr_f64_2d_borrow(xs, ROWS, width)) == ARR_OK);
    CHECK(memcmp(arrays[0].data, arrays[1].data, ROWS * sizeof(double)) == 0);
    for (int i = 0; i < 2; i++)
        arr_f64_1d_free(contexts[i], &arrays[i]);
    compare_filters(one, many, n);
    compare_scans(one, many, n);
}

/* Several positions are wrong: the message is of the first, on any number of threads. */
static void fail(arr_context *ctx)
{
    arr_f64_1d out;
    const uint64_t before = stats_of(ctx).bytes_live;
    for (int64_t i = 0; i < MOST; i++)
        is[i] = i;
    for (int64_t at = 20011; at < MOST; at += 10007)
        is[at] = MOST + at;
    CHECK(picked(ctx, &out, arr_f64_1d_borrow(xs, MOST), arr_i64_1d_borrow(is, MOST)) == ARR_ERROR_INDEX);
    CHECK(strstr(arr_context_error(ctx), "120014") != NULL);
    CHECK(kept_picks(ctx, &out, arr_f64_1d_borrow(xs, MOST), arr_i64_1d_borrow(is, MOST)) == ARR_ERROR_INDEX);
    CHECK(strstr(arr_context_error(ctx), "120014") != NULL);
    CHECK(picked_sums(ctx, &out, arr_f64_1d_borrow(xs, MOST), arr_i64_1d_borrow(is, MOST)) == ARR_ERROR_INDEX);
    CHECK(strstr(arr_context_error(ctx), "120014") != NULL);
    CHECK(stats_of(ctx).bytes_live == before);
}

static void *cancel_soon(void *ctx)
{
    const struct timespec soon = {0, 20000000};
    nanosleep(&soon, NULL);
    arr_context_cancel(ctx);
    return NULL;
}

/* Calls that would not end are cancelled by another thread; then the context is as before. */
static void cancel(arr_context *ctx)
{
    const uint64_t before = stats_of(ctx).bytes_live;
    arr_context_cancel(ctx);
    arr_context_cancel(NULL);
    for (int entry = 0; entry < 5; entry++) {
        pthread_t thread;
        double out;
        int64_t whole;
        CHECK(pthread_create(&thread, NULL, cancel_soon, ctx) == 0);
        const int code = entry == 0   ? forever(ctx, &out, arr_f64_1d_borrow(xs, MOST))
                         : entry == 1 ? spin(ctx, &whole, 5)
                         : entry == 2 ? in_order(ctx, &out, INT64_C(1) << 50)
                         : entry == 3 ? at_once(ctx, &out, INT64_C(1) << 50)
                                      : counted(ctx, &out, INT64_C(1) << 50);
        pthread_join(thread, NULL);
        CHECK(code == ARR_ERROR_CANCELLED && arr_context_error_code(ctx) == ARR_ERROR_CANCELLED);
        CHECK(strstr(arr_context_error(ctx), "the call was cancelled") != NULL);
        CHECK(stats_of(ctx).bytes_live == before);
        CHECK(total(ctx, &out, arr_f64_1d_borrow(xs, MOST)) == ARR_OK);
    }
}

static void check(size_t threads, arr_parallel_fn *parallel, int *user)
{
    static const int64_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, 12289, 65536, MOST};
    arr_context *one = context(1, NULL, NULL), *many = context(threads, parallel, user);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare(one, many, sizes[i]);
    /* Where other processes run as well, passes whose threads take turns may run on one thread. */
    double sums[2];
    CHECK(total(one, &sums[0], arr_f64_1d_borrow(xs, MOST)) == ARR_OK);
    CHECK(total(many, &sums[1], arr_f64_1d_borrow(xs, MOST)) == ARR_OK && sums[0] == sums[1]);
    CHECK(stats_of(one).threads == 1 && stats_of(one).parallel_passes == 0);
    CHECK(stats_of(many).threads == threads);
    CHECK((stats_of(many).parallel_passes > 0) == (threads > 1));
    fail(one);
    fail(many);
    compare(one, many, MOST);
    arr_context_free(one);
    arr_context_free(many);
}

/* Whether a call of `roots` for `count` loops of `steps` steps each runs on several threads. */
static int is_helped(arr_context *ctx, size_t count, int64_t steps)
{
    static int64_t ks[4000];
    arr_f64_1d result;
    for (size_t i = 0; i < count; i++)
        ks[i] = steps;
    CHECK(roots(ctx, &result, arr_i64_1d_borrow(ks, (int64_t)count)) == ARR_OK);
    CHECK(result.shape[0] == (int64_t)count);
    for (size_t i = 0; i < count; i++)
        CHECK(steps > 0 ? result.data[i] > 1.0 : result.data[i] == 1.0);
    arr_f64_1d_free(ctx, &result);
    return stats_of(ctx).parallel_passes > 0;
}

/* The number of the first call of some that runs on several threads; 0 if there is none. The compiler estimates each at 54 microseconds,
 * which is about its time, and the calls follow each other at once. */
static int first_helped(arr_context *ctx, int calls)
{
    for (int64_t i = 0; i < MOST; i++)
        is[i] = i * 7919 % MOST;
    for (int call = 1; call <= calls; call++) {
        arr_f64_1d result;
        CHECK(picked(ctx, &result, arr_f64_1d_borrow(xs, MOST), arr_i64_1d_borrow(is, 60000)) == ARR_OK);
        CHECK(result.shape[0] == 60000 && result.data[1] == xs[7919]);
        arr_f64_1d_free(ctx, &result);
        if (stats_of(ctx).parallel_passes > 0)
            return call;
    }
    return 0;
}

/* Short passes call for threads of the pool when they have followed each other for some time, and for no others. */
static void check_short(void)
{
    int passes = 0;
    arr_context *ctx = context_with(0, 2, NULL, NULL);
    CHECK(first_helped(ctx, 1000000) > 1);
    arr_context_free(ctx);
    ctx = context_with(100000, 2, NULL, NULL);
    CHECK(first_helped(ctx, 5000) == 0);
    arr_context_free(ctx);
    ctx = context_with(0, 2, lend, &passes);
    CHECK(first_helped(ctx, 5000) == 0 && passes == 0);
    arr_context_free(ctx);
}

/* A pass that takes much less time than the compiler thinks runs on one thread once it was measured. With a grain of the caller's, the
 * estimate decides. */
static void check_measured(void)
{
    arr_context *ctx = context_with(0, 2, NULL, NULL);
    int calls = 1;
    while (is_helped(ctx, 4000, 0) && calls < 1000)
        calls++;
    CHECK(calls < 1000);
    arr_context_free(ctx);
    ctx = context_with(100000, 2, NULL, NULL);
    for (int call = 0; call < 100; call++)
        CHECK(is_helped(ctx, 4000, 0));
    arr_context_free(ctx);
}

int main(int count, char **args)
{
    static const size_t threads[] = {1, 2, 3, 7};
    const int has_pool = count > 1 && strcmp(args[1], "pool") == 0;
    for (int64_t i = 0; i < MOST; i++)
        xs[i] = (double)(i % 1013) / 7.0 - 50.0;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        int passes = 0;
        if (has_pool || threads[i] == 1)
            check(threads[i], NULL, NULL);
        check(threads[i], lend, &passes);
        CHECK((passes > 0) == (threads[i] > 1));
        check(threads[i], refuse, &passes);
    }
    if (has_pool) {
        check_measured();
        check_short();
    }
    int passes = 0;
    arr_context *ctx = context(3, lend, &passes);
    cancel(ctx);
    arr_context_free(ctx);
    ctx = context(2, NULL, NULL);
    double sum;
    const int code = total(ctx, &sum, arr_f64_1d_borrow(xs, 3));
    CHECK(code == (has_pool ? ARR_OK : ARR_ERROR_ARGUMENT));
    CHECK(has_pool || strstr(arr_context_error(ctx), "libarr_parallel.a") != NULL);
    arr_context_free(ctx);
    ctx = context(0, NULL, NULL);
    CHECK(total(ctx, &sum, arr_f64_1d_borrow(xs, MOST)) == ARR_OK);
    CHECK(has_pool || stats_of(ctx).threads == 1);
    arr_context_free(ctx);
    return 0;
}

/* Threads that call the entries of one context, of which one at a time gets through, while other threads free the results, give back kept memory,
 * ask for statistics, and cancel. Results have to be right, and no memory may be left.
 *
 * shared CALLS: so many calls of each thread. */
#include "shared.h"

#include "check.h"

#include <stdatomic.h>
#include <string.h>

enum { CALLERS = 2, MOST = 2000, PLACES = 8 };

static double xs[MOST];
static arr_context *ctx;
static long calls;
static atomic_bool is_over;

/* Results that a thread other than the caller frees. */
static struct {
    pthread_mutex_t lock;
    arr_f64_1d given[PLACES];
    int count;
} results = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The code of a call that another one does not keep from running. It may be cancelled. */
#define CALL(code, call) \
    do { \
        (code) = (call); \
    } while ((code) == ARR_ERROR_BUSY); \
    CHECK((code) == ARR_OK || (code) == ARR_ERROR_CANCELLED)

static void give(arr_f64_1d array)
{
    pthread_mutex_lock(&results.lock);
    const int is_full = results.count == PLACES;
    if (!is_full)
        results.given[results.count++] = array;
    pthread_mutex_unlock(&results.lock);
    if (is_full)
        arr_f64_1d_free(ctx, &array);
}

static void *work(void *number)
{
    uint64_t random = (uint64_t)(uintptr_t)number + 1;
    for (long i = 0; i < calls; i++) {
        int code;
        double sum, expected = 0.0;
        arr_f64_1d out;
        random = random * 6364136223846793005u + 1442695040888963407u;
        const int64_t n = (int64_t)((random >> 40) % (i % 4 == 0 ? MOST : 100));
        const arr_f64_1d in = arr_f64_1d_borrow(xs, n);
        CALL(code, scaled(ctx, &out, 2.0, in));
        if (code == ARR_OK) {
            CHECK(out.shape[0] == n);
            for (int64_t k = 0; k < n; k++)
                CHECK(out.data[k] == 2.0 * xs[k]);
            give(out);
        }
        CALL(code, total(ctx, &sum, in));
        for (int64_t k = 0; k < n; k++)
            expected += xs[k];
        CHECK(code != ARR_OK || sum == expected);
        CALL(code, sorted(ctx, &out, in));
        if (code == ARR_OK) {
            CHECK(out.shape[0] == n);
            for (int64_t k = 1; k < n; k++)
                CHECK(out.data[k - 1] <= out.data[k]);
            arr_f64_1d_free(ctx, &out);
        }
    }
    return NULL;
}

static void *free_results(void *unused)
{
    int is_last = 0;
    while (!is_last) {
        is_last = atomic_load(&is_over);
        pthread_mutex_lock(&results.lock);
        while (results.count > 0) {
            /* The context is not needed. */
            arr_f64_1d_free(NULL, &results.given[--results.count]);
        }
        pthread_mutex_unlock(&results.lock);
    }
    return unused;
}

static void *disturb(void *unused)
{
    const uint64_t most = 1 << 20;
    for (long i = 0; !atomic_load(&is_over); i++) {
        arr_stats stats;
        arr_context_stats(ctx, &stats);
        CHECK(stats.bytes_kept < most && stats.bytes_live < most && stats.bytes_peak < most);
        arr_context_trim(ctx);
        if (i % 16 == 0)
            arr_context_cancel(ctx);
    }
    return unused;
}

static void run(size_t memory_limit)
{
    pthread_t callers[CALLERS], others[2];
    arr_options options;
    arr_stats stats;
    arr_options_init(&options);
    options.threads = 1;
    options.memory_limit = memory_limit;
    ctx = arr_context_new(&options);
    CHECK(ctx != NULL);
    atomic_store(&is_over, false);
    CHECK(pthread_create(&others[0], NULL, free_results, NULL) == 0);
    CHECK(pthread_create(&others[1], NULL, disturb, NULL) == 0);
    for (int i = 0; i < CALLERS; i++)
        CHECK(pthread_create(&callers[i], NULL, work, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < CALLERS; i++)
        CHECK(pthread_join(callers[i], NULL) == 0);
    atomic_store(&is_over, true);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(others[i], NULL) == 0);
    arr_context_trim(ctx);
    arr_context_stats(ctx, &stats);
    CHECK(stats.bytes_live == 0 && stats.bytes_kept == 0);
    arr_context_free(ctx);
}

int main(int count, char **arguments)
{
    calls = count > 1 ? atol(arguments[1]) : 100;
    for (int i = 0; i < MOST; i++)
        xs[i] = (double)(i * 7919 % MOST) / 8.0;
    run(0);
    run(1 << 19);
    return 0;
}

/* Calls of random entries from eight threads with contexts of their own, which share the pool of threads. One call in five fails:
 * an index, no memory, or a cancelled call. Results have to be right, and memory has to stay flat.
 *
 * soak SECONDS pool|lend|alone: for so long; with the pool, with threads that this program lends, or each call on one thread. */
#define _POSIX_C_SOURCE 199309L

#include "soak.h"

#include "lend.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 8, MOST = 60000, LIMIT = 16 << 20 };

/* The most bytes that memory may grow by. */
static const long growth = (long)48 << 20;

static double xs[MOST];
static arr_parallel_fn *threads_of_host;
/* The most threads of a call. */
static uint64_t most_threads = 3;
static atomic_bool is_over;
static atomic_long calls, failures;

/* One of the threads that call. */
struct worker {
    pthread_t thread;
    arr_context *ctx;
    uint64_t random;
    /* Whether the call that is to be cancelled has ended. */
    atomic_bool is_done;
};

/* A host's own threads: one more than the caller's. */
static void lend(void *user, int64_t copies, void (*body)(void *argument), void *argument)
{
    (void)user;
    lend_helpers(1, copies, body, argument);
}

static arr_context *context(size_t threads)
{
    arr_options options;
    arr_options_init(&options);
    options.threads = threads;
    options.parallel = threads > 1 ? threads_of_host : NULL;
    options.memory_limit = LIMIT;
    options.grain = 1;
    arr_context *ctx = arr_context_new(&options);
    CHECK(ctx != NULL);
    return ctx;
}

static uint64_t live(arr_context *ctx)
{
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    return stats.bytes_live;
}

static uint64_t next(struct worker *worker, uint64_t below)
{
    worker->random ^= worker->random << 13;
    worker->random ^= worker->random >> 7;
    worker->random ^= worker->random << 17;
    return worker->random % below;
}

/* Some of the numbers. */
static arr_f64_1d some(struct worker *worker)
{
    const int64_t most = next(worker, 4) == 0 ? MOST : 2000;
    const int64_t length = (int64_t)next(worker, (uint64_t)most);
    const int64_t first = (int64_t)next(worker, (uint64_t)(MOST - length));
    return arr_f64_1d_borrow(xs + first, length);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_recursion(struct worker *worker)
{
    arr_f64_1d in = some(worker), out;
    CHECK(doubled(worker->ctx, &out, in) == ARR_OK && out.shape[0] == in.shape[0]);
    for (int64_t i = 0; i < in.shape[0]; i++)
        CHECK(out.data[i] == 2.0 * in.data[i]);
    arr_f64_1d_free(worker->ctx, &out);
    CHECK(sorted(worker->ctx, &out, in) == ARR_OK && out.shape[0] == in.shape[0]);
    const size_t bytes = (size_t)in.shape[0] * sizeof(double);
    double *own = malloc(bytes + 1);
    CHECK(own != NULL);
    if (bytes > 0) {
        memcpy(own, in.data, bytes);
        qsort(own, (size_t)in.shape[0], sizeof(double), compare);
        CHECK(memcmp(own, out.data, bytes) == 0);
    }
    free(own);
    arr_f64_1d_free(worker->ctx, &out);
}

/* The numbers are multiples of 1/8 and small, so that sums are exact in any order. */
static void check_passes(struct worker *worker)
{
    arr_f64_1d in = some(worker), scales, keeps, prefixes;
    arr_i64_1d counts;
    double sum = 0.0, found;
    int64_t kept_count = 0, expected[64] = {0};
    CHECK(scaled(worker->ctx, &scales, 3.0, in) == ARR_OK);
    CHECK(kept(worker->ctx, &keeps, in) == ARR_OK);
    CHECK(sums(worker->ctx, &prefixes, in) == ARR_OK);
    CHECK(bins(worker->ctx, &counts, in) == ARR_OK);
    for (int64_t i = 0; i < in.shape[0]; i++) {
        const double x = in.data[i];
        sum += x;
        expected[(int64_t)x & 63] += 1;
        CHECK(scales.data[i] == x * 3.0 + 1.0);
        CHECK(prefixes.data[i] == sum);
        if (x > 0.0)
            CHECK(keeps.data[kept_count++] == x);
    }
    CHECK(keeps.shape[0] == kept_count && memcmp(counts.data, expected, sizeof expected) == 0);
    CHECK(total(worker->ctx, &found, in) == ARR_OK && found == sum);
    arr_f64_1d_free(worker->ctx, &scales);
    arr_f64_1d_free(worker->ctx, &keeps);
    arr_f64_1d_free(worker->ctx, &prefixes);
    arr_i64_1d_free(worker->ctx, &counts);
}

static void check_tasks(struct worker *worker)
{
    arr_f64_1d first = some(worker), second = some(worker), decayed;
    double found, sum = 0.0, difference = 0.0;
    CHECK(both(worker->ctx, &decayed, &found, first, second) == ARR_OK);
    for (int64_t i = 0; i < first.shape[0]; i++) {
        sum = sum * 0.5 + first.data[i];
        CHECK(decayed.data[i] == sum);
    }
    for (int64_t i = 0; i < second.shape[0]; i++)
        difference = second.data[i] - difference;
    CHECK(found == difference);
    arr_f64_1d_free(worker->ctx, &decayed);
}

/* What a step of `buffered` computes: the sum of arrays that two buffers have by turns, and the middle of an array that grows. */
static int64_t rounds_of(int64_t k, int64_t *middle)
{
    int64_t a[64], b[64], c[64], d[64], sum = 0;
    for (int64_t j = 0; j < k; j++) {
        a[j] = j;
        b[j] = 1;
    }
    for (int64_t i = 0; i < 5; i++) {
        for (int64_t j = 0; j < k; j++) {
            c[j] = a[j] + b[(j + 1) % k] + i;
            d[j] = b[k - 1 - j] + i;
        }
        memcpy(a, c, sizeof a);
        memcpy(b, d, sizeof b);
    }
    for (int64_t j = 0; j < k; j++)
        sum += a[j] + b[j];
    const int64_t at = (k + 1) / 2;
    *middle = at == 0 ? k : (at - 1) * k;
    return sum;
}

static void check_buffers(struct worker *worker)
{
    arr_f64_1d in = arr_f64_1d_borrow(xs + next(worker, MOST / 2), (int64_t)next(worker, 3000)), out;
    int64_t all = 0, found, middle;
    CHECK(buffered(worker->ctx, &out, in) == ARR_OK && out.shape[0] == in.shape[0]);
    CHECK(buffered_parts(worker->ctx, &found, in) == ARR_OK);
    for (int64_t i = 0; i < in.shape[0]; i++) {
        const int64_t sum = rounds_of((int64_t)in.data[i] & 63, &middle);
        CHECK(out.data[i] == (double)(sum + middle));
        all += sum;
    }
    CHECK(found == all);
    arr_f64_1d_free(worker->ctx, &out);
}

/* Cancels until the call has ended: before it begins, there is nothing to cancel. */
static void *cancel(void *of)
{
    struct worker *worker = of;
    while (!atomic_load(&worker->is_done)) {
        const struct timespec soon = {0, 500000};
        nanosleep(&soon, NULL);
        arr_context_cancel(worker->ctx);
    }
    return NULL;
}

static void check_cancelled(struct worker *worker)
{
    pthread_t thread;
    double sum;
    int64_t number;
    atomic_store(&worker->is_done, 0);
    CHECK(pthread_create(&thread, NULL, cancel, worker) == 0);
    int64_t other;
    int code;
    switch (next(worker, 3)) {
    case 0:
        code = at_once(worker->ctx, &sum, INT64_C(1) << 50);
        break;
    case 1:
        code = spin_both(worker->ctx, &number, &other, INT64_C(1) << 50, INT64_C(1) << 50);
        break;
    default:
        code = spin(worker->ctx, &number, 5);
    }
    atomic_store(&worker->is_done, 1);
    pthread_join(thread, NULL);
    CHECK(code == ARR_ERROR_CANCELLED);
}

static void check_failure(struct worker *worker)
{
    arr_f64_1d out, in = arr_f64_1d_borrow(xs, MOST);
    static const int64_t bad[] = {0, 7, MOST, 3, -1};
    double sums_of[2];
    switch (next(worker, 6)) {
    case 4:
        in = arr_f64_1d_borrow(xs, 1 + (int64_t)next(worker, 3000));
        CHECK(buffered_until(worker->ctx, &out, in, (int64_t)next(worker, (uint64_t)in.shape[0])) == ARR_ERROR_INDEX);
        break;
    case 3:
        /* Each of the tasks fails, and the first one is told, whichever fails first. */
        CHECK(either(worker->ctx, &sums_of[0], &sums_of[1], in, arr_i64_1d_borrow(bad, 3), arr_i64_1d_borrow(bad + 4, 1))
              == ARR_ERROR_INDEX);
        CHECK(strstr(arr_context_error(worker->ctx), "60000") != NULL);
        break;
    case 0:
        CHECK(picked(worker->ctx, &out, in, arr_i64_1d_borrow(bad, 5)) == ARR_ERROR_INDEX);
        CHECK(strstr(arr_context_error(worker->ctx), "60000") != NULL);
        break;
    case 1:
        in = arr_f64_1d_borrow(xs, 20 + (int64_t)next(worker, 2000));
        CHECK(wrong(worker->ctx, &out, in) == ARR_ERROR_INDEX);
        break;
    case 2:
        CHECK(large(worker->ctx, &out, LIMIT) == ARR_ERROR_MEMORY);
        break;
    default:
        check_cancelled(worker);
    }
}

static void *work(void *of)
{
    struct worker *worker = of;
    while (!atomic_load(&is_over)) {
        const uint64_t before = live(worker->ctx);
        const uint64_t chosen = next(worker, 5);
        if (chosen == 0) {
            check_failure(worker);
            atomic_fetch_add(&failures, 1);
        } else if (chosen < 3) {
            check_recursion(worker);
        } else {
            check_passes(worker);
            check_tasks(worker);
            check_buffers(worker);
        }
        CHECK(live(worker->ctx) == before);
        atomic_fetch_add(&calls, 1);
        /* Contexts come and go, too. */
        if (next(worker, 500) == 0) {
            arr_context_free(worker->ctx);
            worker->ctx = context(1 + next(worker, most_threads));
        }
    }
    return NULL;
}

/* The bytes that this program has in use. The thread sanitizer's own memory grows with the addresses and the threads that it has seen
 * (by 220 MiB in a minute, in which 80,000 threads began), so only what the program allocated counts there. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_TOLD_BY_SANITIZER
#endif
#endif
#ifdef IS_TOLD_BY_SANITIZER
size_t __sanitizer_get_current_allocated_bytes(void);
static long in_use(void)
{
    return (long)__sanitizer_get_current_allocated_bytes();
}
#else
static long in_use(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}
#endif

int main(int count, char **args)
{
    static struct worker workers[WORKERS];
    CHECK(count == 3);
    const double seconds = atof(args[1]);
    threads_of_host = strcmp(args[2], "lend") == 0 ? lend : NULL;
    most_threads = strcmp(args[2], "alone") == 0 ? 1 : most_threads;
    for (int64_t i = 0; i < MOST; i++)
        xs[i] = (double)(i * 7919 % 10007 - 5000) / 8.0;
    for (int i = 0; i < WORKERS; i++) {
        workers[i].random = (uint64_t)time(NULL) * 8 + (uint64_t)i + 1;
        workers[i].ctx = context(1 + (size_t)i % most_threads);
        CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    /* What is kept for later calls is there after a quarter of the time. */
    long first = 0, last = 0;
    for (int part = 0; part < 8; part++) {
        struct timespec eighth;
        eighth.tv_sec = (time_t)(seconds / 8);
        eighth.tv_nsec = (long)((seconds / 8 - (double)eighth.tv_sec) * 1e9);
        nanosleep(&eighth, NULL);
        last = in_use();
        first = part == 1 ? last : first;
    }
    atomic_store(&is_over, 1);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        CHECK(live(workers[i].ctx) == 0);
        arr_context_free(workers[i].ctx);
    }
    const long failed = atomic_load(&failures), all = atomic_load(&calls);
    printf("%ld rounds, of which %ld failed as they should; %ld KiB more in use\n", all, failed, (last - first) / 1024);
    CHECK(all > WORKERS && failed > 0 && last - first < growth);
    return 0;
}

/* A child process has a pool of its own: it computes the same as its parent, whatever other threads of the parent did with the pool
 * when the child began. */
#define _POSIX_C_SOURCE 200809L
#include "threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            _exit(1); \
        } \
    } while (0)

enum { MOST = 20000, FORKS = 400, CALLERS = 2 };

static double xs[MOST];
static atomic_bool is_over;

static arr_context *context(void)
{
    arr_options options;
    arr_options_init(&options);
    options.threads = 2;
    options.grain = 1;
    arr_context *ctx = arr_context_new(&options);
    CHECK(ctx != NULL);
    return ctx;
}

/* A call that uses the pool. */
static void call(arr_context *ctx)
{
    double sum;
    arr_stats stats;
    CHECK(total(ctx, &sum, arr_f64_1d_borrow(xs, MOST)) == ARR_OK && sum == MOST / 2);
    arr_context_stats(ctx, &stats);
    CHECK(stats.parallel_passes == 1);
}

static void *call_often(void *unused)
{
    arr_context *ctx = context();
    while (!atomic_load(&is_over))
        call(ctx);
    arr_context_free(ctx);
    return unused;
}

/* Forks; the child uses the context of its parent, and one of its own. */
static void fork_once(arr_context *ctx)
{
    int status = 0;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(20);
        call(ctx);
        arr_context *own = context();
        call(own);
        call(own);
        arr_context_free(own);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void)
{
    pthread_t callers[CALLERS];
    for (int i = 0; i < MOST; i++)
        xs[i] = 0.5;
    arr_context *ctx = context();
    fork_once(ctx);
    call(ctx);
    fork_once(ctx);
    call(ctx);
    for (int i = 0; i < CALLERS; i++)
        CHECK(pthread_create(&callers[i], NULL, call_often, NULL) == 0);
    for (int i = 0; i < FORKS; i++)
        fork_once(ctx);
    atomic_store(&is_over, 1);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    call(ctx);
    arr_context_free(ctx);
    return 0;
}

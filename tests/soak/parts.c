/* Threads that list the changes of a histogram by parts, and then make them: the results are those of one thread, a key out of bounds is
 * reported, and a call that is cancelled gives everything back. */
#include "parts.h"

#include "lend.h"

#include <string.h>

enum { BINS = 1600000, STEPS = 700000, THREADS = 3 };

static int64_t keys[STEPS], values[STEPS];
/* How often threads were lent: to set the bins, to list changes, and to make them. */
static int lent;

static void lend(void *user, int64_t copies, void (*body)(void *argument), void *argument)
{
    (void)user;
    lent++;
    lend_helpers(THREADS - 1, copies, body, argument);
}

static arr_context *context(size_t threads)
{
    arr_options options;
    arr_options_init(&options);
    options.threads = threads;
    options.parallel = threads > 1 ? lend : NULL;
    arr_context *ctx = arr_context_new(&options);
    CHECK(ctx != NULL);
    return ctx;
}

/* Cancels the running call of a context, if there is one. */
static void *cancel(void *ctx)
{
    arr_context_cancel(ctx);
    return NULL;
}

static int sums(arr_context *ctx, arr_i64_1d *out)
{
    return summed(ctx, out, BINS, arr_i64_1d_borrow(keys, STEPS), arr_i64_1d_borrow(values, STEPS));
}

int main(void)
{
    arr_context *one = context(1), *many = context(THREADS);
    arr_i64_1d expected, found;
    uint64_t random = 1;
    for (int i = 0; i < STEPS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        keys[i] = (int64_t)(random >> 33) % BINS;
        values[i] = i;
    }
    CHECK(sums(one, &expected) == ARR_OK && sums(many, &found) == ARR_OK && lent == 3);
    CHECK(memcmp(expected.data, found.data, BINS * sizeof *found.data) == 0);
    arr_i64_1d_free(many, &found);
    arr_i64_1d_free(one, &expected);
    for (int time = 0; time < 5; time++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, cancel, many) == 0);
        const int code = sums(many, &found);
        pthread_join(thread, NULL);
        CHECK(code == ARR_OK || code == ARR_ERROR_CANCELLED);
        if (code == ARR_OK)
            arr_i64_1d_free(many, &found);
    }
    keys[STEPS - 1] = BINS;
    CHECK(sums(many, &found) == ARR_ERROR_INDEX && strstr(arr_context_error(many), "1600000") != NULL);
    arr_stats stats;
    arr_context_stats(many, &stats);
    CHECK(stats.bytes_live == 0);
    arr_context_free(many);
    arr_context_free(one);
    return 0;
}

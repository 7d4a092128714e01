/* Calls the entry of filter_max.arr and compares its results with those of a plain loop.
 *
 *     filter_max
 */
#include "filter_max.h"

#include "support.h"

/* Compares the entry's results for n numbers with those of a plain loop. */
static void check(arr_context *ctx, const char *name, const int64_t *xs, int64_t n)
{
    int64_t *expected = (int64_t *)allocate(n, sizeof(int64_t));
    int64_t count = 0, highest = 0, max;
    arr_i64_1d kept; /* its size is known when the entry has run */
    for (int64_t i = 0; i < n; i++) {
        int64_t more = (int64_t)((uint64_t)xs[i] + 1); /* unsigned, so that it wraps */
        if (more > 0)
            expected[count++] = more;
        if (more > highest)
            highest = more;
    }
    if (filter_max(ctx, &kept, &max, arr_i64_1d_borrow(xs, n)) != ARR_OK) {
        fprintf(stderr, "%s: %s\n", name, arr_context_error(ctx));
        failures += 1;
    } else {
        int same = max == highest && kept.shape[0] == count;
        for (int64_t i = 0; same && i < count; i++)
            same = kept.data[i] == expected[i];
        expect(same, name);
        printf("%s: %lld of %lld kept, the largest is %lld\n", name, (long long)kept.shape[0],
               (long long)n, (long long)max);
        arr_i64_1d_free(ctx, &kept);
    }
    free(expected);
}

int main(void)
{
    enum { COUNT = 10000 };
    int64_t xs[COUNT];
    uint64_t random = 2463534242u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    for (int i = 0; i < COUNT; i++)
        xs[i] = random_below(&random, 2000) - 1000;
    check(ctx, "random numbers", xs, COUNT);
    check(ctx, "one number", xs, 1);
    check(ctx, "no numbers", xs, 0);
    for (int i = 0; i < COUNT; i++)
        xs[i] = i % 100;
    check(ctx, "none dropped", xs, COUNT);
    for (int i = 0; i < COUNT; i++)
        xs[i] = -1 - i;
    check(ctx, "none kept", xs, COUNT);
    xs[5] = INT64_MAX; /* and 1 wraps to the lowest number */
    xs[6] = INT64_MAX - 1;
    check(ctx, "the highest numbers", xs, COUNT);
    arr_context_free(ctx);
    return summary();
}

/* What the sanitizers find in compiled code: `thread`, an array that one thread writes while a call reads it; `address`, an array that
 * is shorter than the call is told. */
#include "mistakes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1000 };

static int64_t *xs;

static void *write_all(void *none)
{
    for (int64_t i = 0; i < LENGTH; i++)
        xs[i] = i;
    return none;
}

int main(int count, char **args)
{
    const int is_race = count > 1 && strcmp(args[1], "thread") == 0;
    arr_context *ctx = arr_context_new(NULL);
    pthread_t thread;
    int64_t sum;
    xs = calloc(LENGTH, sizeof *xs);
    if (xs == NULL || ctx == NULL || pthread_create(&thread, NULL, write_all, NULL) != 0)
        return 2;
    if (!is_race)
        pthread_join(thread, NULL);
    const int code = total(ctx, &sum, arr_i64_1d_borrow(xs, is_race ? LENGTH : LENGTH + 1));
    if (is_race)
        pthread_join(thread, NULL);
    printf("%d %lld\n", code, (long long)sum);
    arr_context_free(ctx);
    free(xs);
    return 0;
}

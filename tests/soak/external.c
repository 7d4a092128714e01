/* What the sanitizers find in C functions that a program calls: 1, memory behind an allocation is read; 2, two threads write to a
 * variable. */
#include "external.h"

#include <pthread.h>
#include <stdlib.h>

static int64_t shared;

static void *write_all(void *none)
{
    for (int i = 0; i < 100000; i++)
        shared++;
    return none;
}

int mistaken(arr_context *ctx, int64_t *out, int64_t mistake)
{
    (void)ctx;
    int64_t *one = malloc(sizeof *one);
    if (one == NULL)
        return ARR_ERROR_EXTERNAL;
    one[0] = 1;
    *out = one[mistake == 1];
    free(one);
    if (mistake == 2) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            if (pthread_create(&threads[i], NULL, write_all, NULL) != 0)
                return ARR_ERROR_EXTERNAL;
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    return ARR_OK;
}

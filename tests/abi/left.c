/* An external that leaves its call, and what is left of the context then; and one without a place for the
 * owner of its array. */
#include "left.h"

#include <setjmp.h>
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

static jmp_buf away;
static int leaves = 1;

int leave(arr_context *ctx, arr_i64_1d *out, arr_i64_1d xs)
{
    if (!leaves) {
        CHECK(arr_buffer_new(ctx, xs.shape, 1, 8, NULL) == NULL);
        return ARR_ERROR_ARGUMENT;
    }
    CHECK(arr_i64_1d_new(ctx, out, xs.shape[0]) == ARR_OK);
    longjmp(away, 1);
}

int main(void)
{
    arr_context *ctx = arr_context_new(NULL);
    arr_i64_1d kept;
    int64_t sum = 0;
    CHECK(count(ctx, &kept, 3) == ARR_OK);
    if (setjmp(away) == 0) {
        go(ctx, &sum, 1000000);
        return 1;
    }
    CHECK(go(ctx, &sum, 5) == ARR_ERROR_BUSY);
    CHECK(kept.data[2] == 3);
    arr_i64_1d_free(ctx, &kept);
    /* Frees what the call has allocated, which valgrind sees. */
    arr_context_free(ctx);

    leaves = 0;
    ctx = arr_context_new(NULL);
    CHECK(go(ctx, &sum, 5) == ARR_ERROR_ARGUMENT);
    CHECK(strstr(arr_context_error(ctx), "the pointer for the owner of an array is NULL") != NULL);
    arr_context_free(ctx);
    return 0;
}

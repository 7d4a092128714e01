/* NULL where a pointer is asked for: an error, and the call has done nothing. */
#include "null.h"

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

int positive__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);
int total__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);
int give__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);

static void is_refused(arr_context *ctx, int code, const char *what)
{
    arr_stats stats;
    CHECK(code == ARR_ERROR_ARGUMENT);
    CHECK(arr_context_error_code(ctx) == ARR_ERROR_ARGUMENT);
    CHECK(strstr(arr_context_error(ctx), what) != NULL);
    arr_context_stats(ctx, &stats);
    CHECK(stats.bytes_live == 0);
}

static void of_entries(arr_context *ctx, arr_i64_1d xs)
{
    arr_i64_1d out;
    int64_t n = 5;
    is_refused(ctx, positive(ctx, NULL, &n, xs), "the pointer for out0 is NULL");
    CHECK(n == 0);
    is_refused(ctx, positive(ctx, &out, NULL, xs), "the pointer for out1 is NULL");
    CHECK(out.data == NULL && out.owner == NULL && out.shape[0] == 0);
    is_refused(ctx, positive(ctx, NULL, NULL, xs), "the pointer for out0 is NULL");
    is_refused(ctx, total(ctx, NULL, xs, 3), "the pointer for out is NULL");
    is_refused(ctx, give(ctx, NULL), "the pointer for out is NULL");
    CHECK(positive(NULL, NULL, NULL, xs) == ARR_ERROR_ARGUMENT);
    CHECK(give(NULL, &n) == ARR_ERROR_ARGUMENT);
}

static void of_uniform_calls(arr_context *ctx, arr_i64_1d xs)
{
    int64_t n = 5, factor = 2;
    arr_i64_1d out;
    void *outputs[2] = {NULL, &n};
    const void *inputs[2] = {&xs, NULL};
    is_refused(ctx, positive__uniform(ctx, NULL, inputs), "the pointer for outputs is NULL");
    is_refused(ctx, positive__uniform(ctx, outputs, inputs), "the pointer for out0 is NULL");
    is_refused(ctx, positive__uniform(ctx, outputs, NULL), "the pointer for inputs is NULL");
    is_refused(ctx, total__uniform(ctx, outputs + 1, inputs), "the pointer for factor is NULL");
    inputs[0] = NULL;
    inputs[1] = &factor;
    is_refused(ctx, total__uniform(ctx, outputs + 1, inputs), "the pointer for xs is NULL");
    inputs[0] = &xs;
    CHECK(total__uniform(ctx, outputs + 1, inputs) == ARR_OK && n == 4);
    outputs[0] = &out;
    CHECK(positive__uniform(ctx, outputs, inputs) == ARR_OK && out.shape[0] == 2 && n == 3);
    arr_i64_1d_free(ctx, &out);
    CHECK(give__uniform(ctx, outputs + 1, NULL) == ARR_OK && n == 7);
    CHECK(give__uniform(NULL, NULL, NULL) == ARR_ERROR_ARGUMENT);
}

int main(void)
{
    const int64_t data[3] = {4, -5, 3};
    arr_context *ctx = arr_context_new(NULL);
    const arr_i64_1d xs = arr_i64_1d_borrow(data, 3);
    CHECK(ctx != NULL);
    of_entries(ctx, xs);
    of_uniform_calls(ctx, xs);
    arr_context_free(ctx);
    return 0;
}

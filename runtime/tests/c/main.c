/* A program as users write them, with the checks of the runtime's tests. */
#define _POSIX_C_SOURCE 200809L
#include "generated.h"
#include "again.h"
#include "arr_rt.h"
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiled.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static uint64_t live(const arr_context *ctx) {
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    return stats.bytes_live;
}

static void outputs_are_owned(void) {
    arr_context *ctx = arr_context_new(NULL);
    arr_i64_1d kept, result;
    arr_stats stats;
    int64_t i;
    CHECK(evens(ctx, &kept, 10) == ARR_OK);
    CHECK(evens(ctx, &result, 100001) == ARR_OK);
    CHECK(result.shape[0] == 50001 && result.stride[0] == 1);
    for (i = 0; i < result.shape[0]; i++) CHECK(result.data[i] == 2 * i);
    arr_context_stats(ctx, &stats);
    CHECK(stats.call_allocations == 2 && stats.call_bytes == 2 * 8 * 100001 && stats.call_left_over == 1);
    CHECK(stats.bytes_peak >= 2 * 8 * 100001);
    arr_i64_1d_free(ctx, &result);
    arr_i64_1d_free(ctx, &result);
    CHECK(evens(ctx, &result, 2000000) == ARR_OK && result.shape[0] == 1000000);
    CHECK((uintptr_t)result.data % 64 == 0 && result.data[999999] == 1999998);
    /* 10 of 8 bytes are in a small buffer, which has room for 128 bytes. */
    CHECK(live(ctx) == 128 + 128 + 8000000 + 128);
    arr_i64_1d_free(ctx, &result);
    CHECK(result.data == NULL && result.shape[0] == 0);
    CHECK(live(ctx) == 128 + 128);
    arr_context_free(ctx);
    for (i = 0; i < kept.shape[0]; i++) CHECK(kept.data[i] == 2 * i);
    arr_i64_1d_free(NULL, &kept);
}

static void arrays_grow(void) {
    const int64_t sizes[] = {0, 1, 1000, 40000, 1000000};
    arr_context *ctx = arr_context_new(NULL);
    arr_i64_1d result;
    arr_stats stats;
    int64_t i, at;
    for (at = 0; at < 5; at++) {
        CHECK(steps(ctx, &result, sizes[at]) == ARR_OK && result.shape[0] == sizes[at]);
        for (i = 0; i < sizes[at]; i++) CHECK(result.data[i] == i);
        arr_context_stats(ctx, &stats);
        CHECK(stats.call_allocations <= 20 && stats.call_left_over == 0);
        CHECK(stats.bytes_peak <= 8 * (uint64_t)sizes[at] + (1 << 20));
        arr_i64_1d_free(ctx, &result);
        CHECK(live(ctx) == 0);
    }
    arr_context_free(ctx);
}

static uint64_t spare(const arr_context *ctx) {
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    return stats.bytes_kept;
}

static void memory_is_kept(void) {
    arr_context *ctx = arr_context_new(NULL);
    arr_options options;
    arr_i64_1d result;
    const int64_t *before;
    CHECK(evens(ctx, &result, 2000000) == ARR_OK);
    before = result.data;
    arr_i64_1d_free(ctx, &result);
    /* Two arrays of 16 MB, of one of which half was used. */
    CHECK(spare(ctx) > 24000000 && spare(ctx) < 25000000);
    CHECK(evens(ctx, &result, 2000000) == ARR_OK && result.data == before);
    CHECK(result.shape[0] == 1000000 && result.data[999999] == 1999998);
    arr_context_trim(ctx);
    CHECK(spare(ctx) == 0);
    arr_context_trim(NULL);
    arr_context_free(ctx);
    arr_i64_1d_free(NULL, &result);
    arr_options_init(&options);
    options.pool_limit = 1;
    ctx = arr_context_new(&options);
    CHECK(evens(ctx, &result, 2000000) == ARR_OK);
    arr_i64_1d_free(ctx, &result);
    CHECK(spare(ctx) == 0);
    arr_context_free(ctx);
    /* What is kept never keeps an array from being made. */
    options.pool_limit = 0;
    options.memory_limit = 40000000;
    ctx = arr_context_new(&options);
    CHECK(evens(ctx, &result, 2000000) == ARR_OK);
    arr_i64_1d_free(ctx, &result);
    CHECK(spare(ctx) > 0);
    CHECK(evens(ctx, &result, 2400000) == ARR_OK && result.shape[0] == 1200000);
    CHECK(live(ctx) + spare(ctx) <= 40000000);
    arr_i64_1d_free(ctx, &result);
    arr_context_free(ctx);
}

static void failures_are_told(void) {
    arr_context *ctx = arr_context_new(NULL);
    double xs[6] = {0, 1, 2, 3, 4, 5}, x = -1;
    arr_f64_1d strided = arr_f64_1d_borrow(xs, 3), bad = arr_f64_1d_borrow(NULL, 2);
    arr_i64_1d result;
    strided.stride[0] = 2;
    CHECK(at(ctx, &x, strided, 2) == ARR_OK && x == 4);
    CHECK(strcmp(arr_context_error(ctx), "") == 0 && arr_context_error_code(ctx) == ARR_OK);
    CHECK(at(ctx, &x, strided, 7) == ARR_ERROR_INDEX && x == 4);
    CHECK(strcmp(arr_context_error(ctx), "test.arr:4:9: index 7 is out of bounds for an array of length 3") == 0);
    CHECK(arr_context_error_code(ctx) == ARR_ERROR_INDEX);
    CHECK(live(ctx) == 0);
    CHECK(at(ctx, &x, bad, 0) == ARR_ERROR_ARGUMENT);
    CHECK(strcmp(arr_context_error(ctx), "test.arr:7:1: the pointer for xs is NULL, but its size is 2") == 0);
    CHECK(evens(ctx, &result, -3) == ARR_ERROR_SIZE);
    CHECK(strcmp(arr_context_error(ctx), "test.arr:3:5: negative size -3 in iota") == 0);
    CHECK(evens(ctx, &result, INT64_MAX) == ARR_ERROR_MEMORY);
    CHECK(strcmp(arr_context_error(ctx), "test.arr:3:5: out of memory: 73786976294838206456 bytes for iota") == 0);
    CHECK(evens(NULL, &result, 3) == ARR_ERROR_ARGUMENT);
    CHECK(at(ctx, &x, strided, 1) == ARR_OK && x == 2);
    CHECK(live(ctx) == 0);
    arr_f64_1d_free(ctx, &strided);
    arr_context_free(ctx);
}

static void recursion_is_bounded(void) {
    arr_context *ctx = arr_context_new(NULL);
    arr_options options;
    int64_t n = 0;
    CHECK(depth(ctx, &n, 1000) == ARR_OK && n == 1000);
    CHECK(depth(ctx, &n, INT64_MAX) == ARR_ERROR_STACK && n == 1000);
    CHECK(strcmp(arr_context_error(ctx), "test.arr:6:1: the recursion in depth is too deep for the stack") == 0);
    CHECK(depth(ctx, &n, 1000) == ARR_OK);
    arr_context_free(ctx);
    arr_options_init(&options);
    options.stack_limit = 20000;
    ctx = arr_context_new(&options);
    CHECK(depth(ctx, &n, 10) == ARR_OK);
    CHECK(depth(ctx, &n, 1000) == ARR_ERROR_STACK);
    arr_context_free(ctx);
}

static size_t held;

static void *take(void *user, size_t bytes) {
    CHECK(user == &held);
    held += bytes;
    return malloc(bytes);
}

static void give(void *user, void *memory, size_t bytes) {
    CHECK(user == &held);
    held -= bytes;
    free(memory);
}

static void options_work(void) {
    arr_options options;
    arr_context *ctx;
    arr_i64_1d result;
    arr_options_init(&options);
    options.memory_limit = 1000;
    options.alloc = take;
    options.free = give;
    options.user = &held;
    ctx = arr_context_new(&options);
    CHECK(evens(ctx, &result, 100) == ARR_ERROR_MEMORY);
    CHECK(strcmp(arr_context_error(ctx),
                 "test.arr:3:5: out of memory: 800 bytes for iota (928 of the limit of 1000 bytes are in use)") == 0);
    CHECK(evens(ctx, &result, 20) == ARR_OK && result.shape[0] == 10);
    arr_context_free(ctx);
    CHECK(held > 0);
    arr_i64_1d_free(NULL, &result);
    CHECK(held == 0);
    options.free = NULL;
    CHECK(arr_context_new(&options) == NULL);
}

static void arrays_have_ranks(void) {
    arr_context *ctx = arr_context_new(NULL);
    int64_t xs[6] = {1, 2, 3, 4, 5, 6}, expected[6] = {1, 4, 2, 5, 3, 6};
    arr_i64_2d result, matrix = arr_i64_2d_borrow(xs, 2, 3);
    bool square = true;
    CHECK(transpose(ctx, &result, &square, matrix, false) == ARR_OK && !square);
    CHECK(result.shape[0] == 3 && result.shape[1] == 2 && result.stride[0] == 2 && result.stride[1] == 1);
    CHECK(memcmp(result.data, expected, sizeof expected) == 0);
    arr_i64_2d_free(ctx, &result);
    CHECK(transpose(ctx, &result, &square, matrix, true) == ARR_ERROR_SHAPE);
    CHECK(strcmp(arr_context_error(ctx), "test.arr:5:1: xs has size 2 but ys has size 3; they must be equal") == 0);
    CHECK(live(ctx) == 0);
    arr_context_free(ctx);
}

static void *make_and_free(void *nothing) {
    arr_context *ctx = arr_context_new(NULL);
    arr_i64_1d result;
    CHECK(ctx != NULL);
    CHECK(evens(ctx, &result, 10) == ARR_OK && result.shape[0] == 5);
    arr_i64_1d_free(ctx, &result);
    CHECK(evens(ctx, &result, -3) == ARR_ERROR_SIZE);
    arr_context_free(ctx);
    return nothing;
}

static void the_smallest_stack_is_enough(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) == 0);
    CHECK(pthread_create(&thread, &attributes, make_and_free, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
}

static jmp_buf away;

/* An entry with an external that does not return. */
static int leaves(arr_context *ctx) {
    int code = arr_rt_enter(ctx);
    if (code) return code;
    CHECK(arr_rt_alloc(ctx, 1000, 8, &at_iota) != NULL);
    longjmp(away, 1);
}

static void a_call_may_be_left(void) {
    arr_options options;
    arr_context *ctx;
    arr_i64_1d result;
    arr_options_init(&options);
    options.alloc = take;
    options.free = give;
    options.user = &held;
    ctx = arr_context_new(&options);
    CHECK(evens(ctx, &result, 20) == ARR_OK);
    if (setjmp(away) == 0) {
        leaves(ctx);
        CHECK(false);
    }
    CHECK(leaves(ctx) == ARR_ERROR_BUSY);
    CHECK(result.shape[0] == 10 && result.data[9] == 18);
    arr_i64_1d_free(ctx, &result);
    CHECK(held > 8000);
    arr_context_free(ctx);
    CHECK(held == 0);
}

static void no_pointer_is_no_harm(void) {
    const int64_t n = 3;
    arr_context *ctx = arr_context_new(NULL);
    CHECK(arr_buffer_new(ctx, &n, 1, 8, NULL) == NULL);
    CHECK(arr_i64_1d_new(ctx, NULL, n) == ARR_ERROR_ARGUMENT);
    arr_i64_1d_free(ctx, NULL);
    arr_context_stats(ctx, NULL);
    arr_context_fail(ctx, NULL);
    arr_options_init(NULL);
    arr_context_free(ctx);
}

int main(void) {
    outputs_are_owned();
    arrays_grow();
    memory_is_kept();
    failures_are_told();
    recursion_is_bounded();
    options_work();
    arrays_have_ranks();
    the_smallest_stack_is_enough();
    a_call_may_be_left();
    no_pointer_is_no_harm();
    CHECK(runtime_abi() == 10);
    printf("%s\n", arr_version());
    return 0;
}

/* What effects.arr calls: a log that tells in which order. */
#include "effects.h"

static int64_t entries[1000];
static int64_t count = 0;

int note(arr_context *ctx, int64_t x) {
    if (x < 0) {
        return arr_context_fail(ctx, "only natural numbers are noted");
    }
    if (count == 1000) {
        return arr_context_fail(ctx, "the log is full");
    }
    entries[count++] = x;
    return ARR_OK;
}

int tick(arr_context *ctx, int64_t *out, int64_t x) {
    *out = x;
    return note(ctx, x);
}

int notes(arr_context *ctx, arr_i64_1d *out) {
    int code = arr_i64_1d_new(ctx, out, count);
    for (int64_t i = 0; code == ARR_OK && i < count; i++) {
        out->data[i] = entries[i];
    }
    count = 0;
    return code;
}

int plain(arr_context *ctx, int64_t *out, int64_t x) {
    (void)ctx;
    *out = x;
    return ARR_OK;
}

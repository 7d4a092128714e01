/* Entries in the way that arrc compiles them, written by hand: what the tests
 * of the runtime call. The generated header of the tests comes before. */

static const arr_site at_iota = {"test.arr", "iota", 3, 5, 0};
static const arr_site at_index = {"test.arr", "xs", 4, 9, 0};
static const arr_site at_sizes = {"test.arr", "xs\nys", 5, 1, 0};
static const arr_site at_depth = {"test.arr", "depth", 6, 1, 0};
static const arr_site at_data = {"test.arr", "xs", 7, 1, 0};

static void *elements(arr_buffer *buffer) { return (char *)buffer + 64; }

static arr_i64_1d vector_of(arr_buffer *buffer, int64_t n) {
    arr_i64_1d array;
    array.data = (int64_t *)elements(buffer);
    array.shape[0] = n;
    array.stride[0] = 1;
    array.owner = buffer;
    return array;
}

/* entry evens (n: i64): []i64 = filter even (iota n), through an array in
 * between, which is left to the end of the call. */
static int evens_body(arr_context *ctx, arr_i64_1d *out, int64_t n) {
    arr_buffer *all, *even;
    int64_t i, used = 0;
    all = arr_rt_alloc(ctx, n, 8, &at_iota);
    if (!all) return arr_rt_code(ctx);
    for (i = 0; i < n; i++) ((int64_t *)elements(all))[i] = i;
    even = arr_rt_alloc(ctx, n, 8, &at_iota);
    if (!even) return arr_rt_code(ctx);
    for (i = 0; i < n; i++) {
        if (((int64_t *)elements(all))[i] % 2 == 0) ((int64_t *)elements(even))[used++] = i;
    }
    even = arr_rt_slice(even, used * 8);
    even = arr_rt_detach(even, used * 8);
    *out = vector_of(even, used);
    return ARR_OK;
}

int evens(arr_context *ctx, arr_i64_1d *out, int64_t n) {
    int code = arr_rt_enter(ctx);
    return code ? code : arr_rt_leave(ctx, evens_body(ctx, out, n));
}

/* entry steps (k: i64): []i64 = loop a = [] for i < k do a ++ [i] */
static int steps_body(arr_context *ctx, arr_i64_1d *out, int64_t k) {
    arr_buffer *all = arr_rt_alloc(ctx, 0, 8, &at_iota);
    int64_t i;
    for (i = 0; all && i < k; i++) {
        all = arr_rt_extend(ctx, all, elements(all), i * 8, 8, &at_iota);
        if (all) ((int64_t *)elements(all))[i] = i;
    }
    if (!all) return arr_rt_code(ctx);
    all = arr_rt_detach(all, k * 8);
    *out = vector_of(all, k);
    return ARR_OK;
}

int steps(arr_context *ctx, arr_i64_1d *out, int64_t k) {
    int code = arr_rt_enter(ctx);
    return code ? code : arr_rt_leave(ctx, steps_body(ctx, out, k));
}

/* entry at [n] (xs: [n]f64) (i: i64): f64, after a copy of xs that is retained
 * and, on failure, never released. */
static int at_body(arr_context *ctx, double *out, arr_f64_1d xs, int64_t i) {
    arr_buffer *copy;
    if (xs.shape[0] < 0) return arr_rt_fail(ctx, ARR_ERROR_ARGUMENT, &at_data, xs.shape[0], 0);
    if (!xs.data) return arr_rt_fail(ctx, ARR_ERROR_ARGUMENT, &at_data, xs.shape[0], 0);
    copy = arr_rt_dense(ctx, xs.data, xs.shape, xs.stride, 1, 8);
    if (!copy) return arr_rt_code(ctx);
    arr_rt_retain(copy);
    if (i < 0 || i >= xs.shape[0]) return arr_rt_fail(ctx, ARR_ERROR_INDEX, &at_index, i, xs.shape[0]);
    *out = ((double *)elements(copy))[i];
    arr_rt_release(copy);
    arr_rt_release(copy);
    return ARR_OK;
}

int at(arr_context *ctx, double *out, arr_f64_1d xs, int64_t i) {
    int code = arr_rt_enter(ctx);
    return code ? code : arr_rt_leave(ctx, at_body(ctx, out, xs, i));
}

/* entry depth (n: i64): i64 = if n == 0 then 0 else 1 + depth (n - 1) */
static int depth_body(arr_context *ctx, int64_t *out, int64_t n) {
    volatile char frame[256];
    int64_t below = -1;
    int code;
    frame[0] = 0;
    if ((uintptr_t)frame < ((arr_context_head *)ctx)->stack_limit) {
        return arr_rt_fail(ctx, ARR_ERROR_STACK, &at_depth, 0, 0);
    }
    if (n > 0) {
        code = depth_body(ctx, &below, n - 1);
        if (code) return code;
    }
    *out = below + 1 + frame[0];
    return ARR_OK;
}

int depth(arr_context *ctx, int64_t *out, int64_t n) {
    int code = arr_rt_enter(ctx);
    return code ? code : arr_rt_leave(ctx, depth_body(ctx, out, n));
}

/* entry transpose [n][m] (xs: [n][m]i64): [m][n]i64, and the bool n == m; sizes
 * are compared as an entry does it that wants squares only. */
static int transpose_body(arr_context *ctx, arr_i64_2d *out, bool *square, arr_i64_2d xs, bool only_squares) {
    int64_t shape[2], stride[2];
    arr_buffer *copy;
    if (only_squares && xs.shape[0] != xs.shape[1]) {
        return arr_rt_fail(ctx, ARR_ERROR_SHAPE, &at_sizes, xs.shape[0], xs.shape[1]);
    }
    shape[0] = xs.shape[1], shape[1] = xs.shape[0];
    stride[0] = xs.stride[1], stride[1] = xs.stride[0];
    copy = arr_rt_dense(ctx, xs.data, shape, stride, 2, 8);
    if (!copy) return arr_rt_code(ctx);
    copy = arr_rt_detach(copy, shape[0] * shape[1] * 8);
    *out = arr_i64_2d_borrow((const int64_t *)elements(copy), shape[0], shape[1]);
    out->owner = copy;
    *square = shape[0] == shape[1];
    return ARR_OK;
}

int transpose(arr_context *ctx, arr_i64_2d *out, bool *square, arr_i64_2d xs, bool only_squares) {
    int code = arr_rt_enter(ctx);
    return code ? code : arr_rt_leave(ctx, transpose_body(ctx, out, square, xs, only_squares));
}

uint32_t runtime_abi(void);
uint32_t runtime_abi(void) { return arr_runtime_abi_10; }

int evens__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);
int at__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);
int depth__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);
int transpose__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs);

int evens__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs) {
    return evens(ctx, (arr_i64_1d *)outputs[0], *(const int64_t *)inputs[0]);
}

int at__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs) {
    return at(ctx, (double *)outputs[0], *(const arr_f64_1d *)inputs[0], *(const int64_t *)inputs[1]);
}

int depth__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs) {
    return depth(ctx, (int64_t *)outputs[0], *(const int64_t *)inputs[0]);
}

int transpose__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs) {
    return transpose(ctx, (arr_i64_2d *)outputs[0], (bool *)outputs[1], *(const arr_i64_2d *)inputs[0],
                     *(const bool *)inputs[1]);
}

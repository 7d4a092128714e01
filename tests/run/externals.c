/* What externals.arr calls: pure functions of every kind of type. */
#include "externals.h"

#include <stddef.h>

int twice(arr_context *ctx, double *out, double x) {
    (void)ctx;
    *out = 2 * x;
    return ARR_OK;
}

int nothing(arr_context *ctx) {
    (void)ctx;
    return ARR_OK;
}

int answer(arr_context *ctx, int64_t *out) {
    (void)ctx;
    *out = 42;
    return ARR_OK;
}

int every_scalar(arr_context *ctx, bool *out0, int8_t *out1, int16_t *out2, int32_t *out3,
                 int64_t *out4, uint8_t *out5, uint16_t *out6, uint32_t *out7, uint64_t *out8,
                 float *out9, double *out10, bool a, int8_t b, int16_t c, int32_t d, int64_t e,
                 uint8_t f, uint16_t g, uint32_t h, uint64_t i, float j, double k) {
    (void)ctx;
    *out0 = !a;
    *out1 = (int8_t)(b - 1);
    *out2 = (int16_t)(c - 1);
    *out3 = d - 1;
    *out4 = e - 1;
    *out5 = (uint8_t)(f + 1);
    *out6 = (uint16_t)(g + 1);
    *out7 = h + 1;
    *out8 = i + 1;
    *out9 = j * 2;
    *out10 = k * 2;
    return ARR_OK;
}

int middle(arr_context *ctx, double *out, arr_f64_1d xs) {
    int64_t n = xs.shape[0];
    if (n == 0) {
        return arr_context_fail(ctx, "nothing has no middle");
    }
    *out = xs.data[n / 2 * xs.stride[0]];
    return ARR_OK;
}

int doubled(arr_context *ctx, arr_i64_1d *out, arr_i64_1d xs) {
    int code = arr_i64_1d_new(ctx, out, xs.shape[0]);
    if (code != ARR_OK) {
        return code;
    }
    for (int64_t i = 0; i < xs.shape[0]; i++) {
        out->data[i] = 2 * xs.data[i * xs.stride[0]];
    }
    return ARR_OK;
}

int count_up(arr_context *ctx, arr_i64_1d *out, int64_t n) {
    int code = arr_i64_1d_new(ctx, out, n);
    for (int64_t i = 0; code == ARR_OK && i < n; i++) {
        out->data[i] = i;
    }
    return code;
}

int odd_ones(arr_context *ctx, arr_i64_1d *out, arr_i64_1d xs) {
    int code = arr_i64_1d_new(ctx, out, xs.shape[0]);
    int64_t k = 0;
    for (int64_t i = 0; code == ARR_OK && i < xs.shape[0]; i++) {
        if (xs.data[i] % 2 != 0) {
            out->data[k++] = xs.data[i];
        }
    }
    out->shape[0] = k;
    return code;
}

/* A result in memory of its own that is not the program's: it is copied. */
int digits(arr_context *ctx, arr_i64_1d *out) {
    static const int64_t memory[] = {3, 1, 4, 1, 5};
    (void)ctx;
    *out = arr_i64_1d_borrow(memory, 5);
    return ARR_OK;
}

int every_second(arr_context *ctx, arr_i64_1d *out, arr_i64_1d xs) {
    (void)ctx;
    *out = xs;
    out->shape[0] = (xs.shape[0] + 1) / 2;
    out->stride[0] = 2 * xs.stride[0];
    return ARR_OK;
}

int transposed(arr_context *ctx, arr_i64_2d *out, arr_i64_2d a) {
    (void)ctx;
    *out = a;
    out->shape[0] = a.shape[1];
    out->shape[1] = a.shape[0];
    out->stride[0] = a.stride[1];
    out->stride[1] = a.stride[0];
    return ARR_OK;
}

int polar(arr_context *ctx, arr_i64_1d *out_ls, arr_i64_1d *out_rs, arr_i64_1d ps_x,
          arr_i64_1d ps_y) {
    int64_t n = ps_x.shape[0];
    int code = arr_i64_1d_new(ctx, out_ls, n);
    if (code == ARR_OK) {
        code = arr_i64_1d_new(ctx, out_rs, n);
    }
    for (int64_t i = 0; code == ARR_OK && i < n; i++) {
        out_ls->data[i] = ps_x.data[i] + ps_y.data[i];
        out_rs->data[i] = ps_x.data[i] - ps_y.data[i];
    }
    return code;
}

/* The result has one element too few for its type unless there are none. */
int short_of_one(arr_context *ctx, arr_i64_1d *out, arr_i64_1d xs) {
    *out = xs;
    (void)ctx;
    out->shape[0] = xs.shape[0] > 0 ? xs.shape[0] - 1 : 0;
    return ARR_OK;
}

int two_sizes(arr_context *ctx, arr_i64_1d *out0, arr_i64_1d *out1, int64_t a, int64_t b) {
    int code = count_up(ctx, out0, a);
    return code != ARR_OK ? code : count_up(ctx, out1, b);
}

int refuses(arr_context *ctx, int64_t *out, int64_t code) {
    (void)ctx;
    *out = 7;
    return (int)code;
}

int leaves_memory(arr_context *ctx, int64_t *out, int64_t n) {
    arr_i64_1d left;
    int code = arr_i64_1d_new(ctx, &left, n);
    if (code != ARR_OK) {
        return code;
    }
    *out = left.shape[0];
    return n > 5 ? arr_context_fail(ctx, "too many") : ARR_OK;
}

int next_shape(arr_context *ctx, int64_t *out_tag, int64_t *out_box_0, int64_t *out_box_1,
               int64_t *out_dot, int64_t s_tag, int64_t s_box_0, int64_t s_box_1, int64_t s_dot) {
    (void)ctx;
    /* 0 is #box, 1 is #dot, 2 is #none. */
    *out_tag = (s_tag + 1) % 3;
    *out_box_0 = s_dot;
    *out_box_1 = s_dot + 1;
    *out_dot = s_box_0 * s_box_1;
    return ARR_OK;
}

/* Calls entries as a C program does, with the declarations that a generated header would have. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct arr_context arr_context;
typedef struct arr_buffer arr_buffer;
typedef struct { double *data; int64_t shape[1]; int64_t stride[1]; arr_buffer *owner; } arr_f64_1d;
typedef struct { int16_t *data; int64_t shape[2]; int64_t stride[2]; arr_buffer *owner; } arr_i16_2d;
typedef struct { bool *data; int64_t shape[1]; int64_t stride[1]; arr_buffer *owner; } arr_bool_1d;

arr_context *test_context_new(void);
void test_context_free(arr_context *);
int64_t test_live(arr_context *);
void arr_rt_release(arr_buffer *);

int my_mixed(arr_context *ctx, double *sum, arr_f64_1d *copy, bool *flag, int8_t *low, arr_bool_1d *flags,
             bool a, int8_t b, uint16_t c, arr_f64_1d xs, float d, int64_t e, uint8_t f, arr_i16_2d grid,
             double g, arr_bool_1d bs, int16_t h, uint32_t i);

/* A caller is free to leave rubbish above a small argument: here the compiler must not know them. */
__attribute__((noinline)) static int call(arr_context *ctx, arr_f64_1d *copy, arr_bool_1d *flags, int64_t wide) {
    double elems[3] = { 0.5, 1.5, 2.5 };
    int16_t cells[6] = { 1, 2, 3, 4, 5, -6 };
    bool bools[2] = { true, false };
    double sum;
    bool flag;
    int8_t low;
    arr_f64_1d xs = { elems, { 3 }, { 1 }, 0 };
    arr_i16_2d grid = { cells, { 2, 3 }, { 3, 1 }, 0 };
    arr_bool_1d bs = { bools, { 2 }, { 1 }, 0 };
    int code = my_mixed(ctx, &sum, copy, &flag, &low, flags, wide & 1, (int8_t)wide, (uint16_t)(wide >> 8), xs,
                        1.25f, wide, (uint8_t)(wide >> 16), grid, 1e10, bs, (int16_t)(wide >> 24),
                        (uint32_t)(wide >> 20));
    printf("%d %.2f %d %d\n", code, sum, flag, low);
    return code;
}

int main(void) {
    arr_context *ctx = test_context_new();
    arr_f64_1d copy;
    arr_bool_1d flags;
    if (call(ctx, &copy, &flags, INT64_C(0x1234567890abcdff)) != 0) return 1;
    printf("%.1f %.1f %.1f %d %d, %d %d\n", copy.data[0], copy.data[1], copy.data[2], (int)copy.shape[0],
           (int)copy.stride[0], flags.data[0], flags.data[1]);
    arr_rt_release(copy.owner);
    arr_rt_release(flags.owner);
    printf("%d alive\n", (int)test_live(ctx));
    test_context_free(ctx);
    return 0;
}

/* Calls the entries of pictures.arr: compares a blurred picture with the sum over all pixels of the mirrored plane, and finds blocks
 * that were moved.
 *
 *     pictures
 */
#include "pictures.h"

#include <math.h>

#include "support.h"

/* The pixel of a row or column that is mirrored at its edges. */
static int64_t mirrored(int64_t n, int64_t k)
{
    while (k < 0 || k >= n)
        k = k < 0 ? -1 - k : 2 * n - 1 - k;
    return k;
}

static void check_blur(arr_context *ctx, int64_t h, int64_t w, float sigma, uint64_t *random)
{
    float *picture = (float *)allocate(h * w, sizeof(float));
    double weights[7], sum = 0, error = 0;
    arr_f32_2d result;
    for (int64_t k = 0; k < h * w; k++)
        picture[k] = (float)random_unit(random);
    for (int k = 0; k < 7; k++)
        sum += weights[k] = exp(-0.5 * (k - 3) * (k - 3) / (sigma * sigma));
    if (blurred(ctx, &result, sigma, arr_f32_2d_borrow(picture, h, w)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(picture);
        return;
    }
    for (int64_t at = 0; at < h * w; at++) {
        double here = 0;
        for (int64_t k = 0; k < 49; k++)
            here += weights[k / 7] * weights[k % 7] *
                    picture[mirrored(h, at / w + k / 7 - 3) * w + mirrored(w, at % w + k % 7 - 3)];
        error = fmax(error, fabs(here / (sum * sum) - result.data[at]));
    }
    expect(error < 1e-5, "the blurred picture");
    printf("%lld x %lld: blurred within %.1g\n", (long long)h, (long long)w, error);
    arr_f32_2d_free(ctx, &result);
    free(picture);
}

/* The other picture is the same, moved; near the edges there is something else. */
static void check_matches(arr_context *ctx, int64_t h, int64_t w, int64_t dy, int64_t dx, uint64_t *random)
{
    uint8_t *a = (uint8_t *)allocate(h * w, 1), *b = (uint8_t *)allocate(h * w, 1);
    arr_i64_2d rows, columns;
    arr_i32_2d far;
    int64_t found = 0, known = 0;
    for (int64_t k = 0; k < h * w; k++)
        a[k] = (uint8_t)random_below(random, 256);
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++) {
            int is_known = y >= dy && y - dy < h && x >= dx && x - dx < w;
            b[y * w + x] = is_known ? a[(y - dy) * w + x - dx] : (uint8_t)random_below(random, 256);
        }
    if (matches(ctx, &rows, &columns, &far, arr_u8_2d_borrow(a, h, w), arr_u8_2d_borrow(b, h, w)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(a);
        free(b);
        return;
    }
    expect(rows.shape[0] == h / 8 && rows.shape[1] == w / 8, "a block for each 8 by 8 pixels");
    for (int64_t k = 0; k < (h / 8) * (w / 8); k++) {
        int64_t y = k / (w / 8) * 8, x = k % (w / 8) * 8;
        if (y + dy < 0 || y + dy + 8 > h || x + dx < 0 || x + dx + 8 > w)
            continue;
        known += 1;
        found += rows.data[k] == dy && columns.data[k] == dx && far.data[k] == 0;
    }
    expect(found == known, "each block that was moved");
    printf("%lld x %lld: %lld blocks found\n", (long long)h, (long long)w, (long long)found);
    arr_i64_2d_free(ctx, &rows);
    arr_i64_2d_free(ctx, &columns);
    arr_i32_2d_free(ctx, &far);
    free(a);
    free(b);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check_blur(ctx, 40, 53, 1.5f, &random);
    check_blur(ctx, 2, 5, 0.8f, &random);
    check_blur(ctx, 1, 1, 2.0f, &random);
    check_blur(ctx, 0, 9, 2.0f, &random);
    check_matches(ctx, 64, 80, 3, -2, &random);
    check_matches(ctx, 61, 75, -4, 4, &random);
    check_matches(ctx, 8, 8, 0, 0, &random);
    check_matches(ctx, 7, 100, 1, 1, &random);
    arr_context_free(ctx);
    return summary();
}

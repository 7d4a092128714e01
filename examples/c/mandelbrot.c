/* Calls the entries of mandelbrot.arr and compares pictures with those of plain loops.
 *
 *     mandelbrot
 */
#include "mandelbrot.h"

#include <math.h>

#include "support.h"

/* After how many steps a pixel of a picture escapes, or `limit`. */
static int32_t escape(int64_t height, int64_t width, int64_t i, int64_t j, int32_t limit)
{
    double re = 3 * ((double)j + 0.5) / (double)width - 2;
    double im = 1.5 - 3 * ((double)i + 0.5) / (double)height;
    double x = 0, y = 0;
    int32_t n = 0;
    while (n < limit && x * x + y * y <= 4) {
        double next = x * x - y * y + re;
        y = x * y + y * x + im;
        x = next;
        n += 1;
    }
    return n;
}

/* All three entries for a picture. */
static void check(arr_context *ctx, int64_t height, int64_t width, int32_t limit)
{
    arr_i32_2d taken;
    arr_u8_2d bright;
    double part, expected;
    int64_t pixels = height * width, inside = 0;
    int same, same_shades;
    int64_t *with = (int64_t *)allocate((int64_t)limit + 1, sizeof(int64_t));
    if (steps(ctx, &taken, height, width, limit) != ARR_OK ||
        shades(ctx, &bright, height, width, limit) != ARR_OK ||
        area(ctx, &part, height, width, limit) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(with);
        return;
    }
    same = taken.shape[0] == height && taken.shape[1] == width;
    for (int64_t p = 0; same && p < pixels; p++) {
        int32_t n = escape(height, width, p / width, p % width, limit);
        same = taken.data[p] == n;
        with[n] += 1;
        inside += n == limit;
    }
    expect(same, "steps");
    same_shades = bright.shape[0] == height && bright.shape[1] == width;
    for (int64_t p = 0; same && same_shades && p < pixels; p++) {
        int64_t fewer = 0;
        for (int32_t n = 0; n < taken.data[p]; n++)
            fewer += with[n];
        same_shades = bright.data[p] == (taken.data[p] == limit ? 0 : fewer * 255 / pixels);
    }
    expect(same_shades, "shades");
    expected = 9 * (double)inside / (double)pixels;
    expect(part == expected || (isnan(part) && pixels == 0), "area");
    printf("%lld x %lld, %d steps: area %.4f\n", (long long)height, (long long)width, (int)limit, part);
    arr_i32_2d_free(ctx, &taken);
    arr_u8_2d_free(ctx, &bright);
    free(with);
}

int main(void)
{
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 120, 160, 200);
    check(ctx, 99, 7, 50);
    check(ctx, 1, 300, 1);
    check(ctx, 20, 20, 0);
    check(ctx, 0, 5, 10);
    check(ctx, 5, 0, 10);
    arr_context_free(ctx);
    return summary();
}

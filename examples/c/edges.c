/* Calls the entries of edges.arr and compares them with a filter of 25 numbers, angles in the plane, and a search from
 * each strong pixel.
 *
 *     edges
 */
#include "edges.h"

#include "support.h"

static int64_t inside(int64_t x, int64_t n)
{
    return x < 0 ? 0 : x >= n ? n - 1 : x;
}

/* The weighted sum of the pixels around one; outside of the picture, the pixels at its edge are repeated. */
static int64_t around(const int32_t *img, int64_t h, int64_t w, int64_t y, int64_t x, int reach, const int *weights)
{
    int64_t sum = 0;
    for (int64_t dy = -reach; dy <= reach; dy++)
        for (int64_t dx = -reach; dx <= reach; dx++)
            sum += (int64_t)img[inside(y + dy, h) * w + inside(x + dx, w)] * *weights++;
    return sum;
}

static const int SMOOTH[25] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};
static const int RIGHT[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
static const int DOWN[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};

static int64_t strength_at(const int32_t *img, int64_t h, int64_t w, int64_t y, int64_t x)
{
    const int64_t right = around(img, h, w, inside(y, h), inside(x, w), 1, RIGHT);
    const int64_t down = around(img, h, w, inside(y, h), inside(x, w), 1, DOWN);
    return right * right + down * down;
}

/* The strength where it is the greatest in the direction of the change, else 0. The pixel is compared with both
 * neighbours in that direction, so opposite directions count as one. */
static int64_t ridge_at(const int32_t *img, int64_t h, int64_t w, int64_t y, int64_t x)
{
    const int64_t right = around(img, h, w, y, x, 1, RIGHT), down = around(img, h, w, y, x, 1, DOWN);
    const int64_t here = right * right + down * down;
    const int64_t a = right < 0 ? -right : right, b = down < 0 ? -down : down;
    int64_t dx = right < 0 ? -1 : 1, dy = down < 0 ? -1 : 1;
    if (5 * b <= 2 * a)
        dy = 0;
    else if (5 * a <= 2 * b)
        dx = 0;
    return here >= strength_at(img, h, w, y + dy, x + dx) && here >= strength_at(img, h, w, y - dy, x - dx) ? here : 0;
}

/* Marks all weak pixels that lead to pixel `at`, which is an edge. */
static void follow(const int64_t *ridge, int64_t h, int64_t w, int64_t low, int64_t at, int64_t *stack, unsigned char *edge)
{
    int64_t top = 0;
    edge[at] = 1;
    stack[top++] = at;
    while (top > 0) {
        const int64_t here = stack[--top];
        for (int64_t y = here / w - 1; y <= here / w + 1; y++)
            for (int64_t x = here % w - 1; x <= here % w + 1; x++)
                if (y >= 0 && y < h && x >= 0 && x < w && !edge[y * w + x] && ridge[y * w + x] > low) {
                    edge[y * w + x] = 1;
                    stack[top++] = y * w + x;
                }
    }
}

/* A picture of discs, and some noise. */
static void paint(int32_t *img, int64_t h, int64_t w, uint64_t *random)
{
    for (int64_t i = 0; i < h * w; i++)
        img[i] = (int32_t)random_below(random, 8);
    for (int disc = 0; disc < 6; disc++) {
        const int64_t y = random_below(random, h), x = random_below(random, w), r = 1 + random_below(random, 1 + w / 4);
        const int32_t light = (int32_t)random_below(random, 200);
        for (int64_t i = 0; i < h * w; i++)
            if ((i / w - y) * (i / w - y) + (i % w - x) * (i % w - x) <= r * r)
                img[i] += light;
    }
}

static void check(arr_context *ctx, int64_t h, int64_t w, int64_t low, int64_t high, uint64_t *random)
{
    int32_t *img = (int32_t *)allocate(h * w, sizeof(int32_t)), *soft = (int32_t *)allocate(h * w, sizeof(int32_t));
    int64_t *ridge = (int64_t *)allocate(h * w, sizeof(int64_t)), *stack = (int64_t *)allocate(h * w, sizeof(int64_t));
    unsigned char *edge = (unsigned char *)allocate(h * w, 1);
    int64_t count = 0;
    int same_soft = 1, same_ridge = 1, same_edge = 1;
    arr_i32_2d input = arr_i32_2d_borrow(img, h, w), got_soft;
    arr_i64_2d got_ridge;
    arr_bool_2d got;
    paint(img, h, w, random);
    for (int64_t i = 0; i < h * w; i++)
        soft[i] = (int32_t)around(img, h, w, i / w, i % w, 2, SMOOTH);
    for (int64_t i = 0; i < h * w; i++)
        ridge[i] = ridge_at(soft, h, w, i / w, i % w);
    for (int64_t i = 0; i < h * w; i++)
        if (ridge[i] > high && !edge[i])
            follow(ridge, h, w, low, i, stack, edge);
    if (smoothed(ctx, &got_soft, input) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    if (ridges(ctx, &got_ridge, got_soft) != ARR_OK || edges(ctx, &got, low, high, input) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 0; i < h * w; i++) {
        same_soft = same_soft && got_soft.data[i] == soft[i];
        same_ridge = same_ridge && got_ridge.data[i] == ridge[i];
        same_edge = same_edge && (got.data[i] != 0) == (edge[i] != 0);
        count += edge[i];
    }
    expect(same_soft, "the smoothed picture");
    expect(same_ridge, "where the brightness changes most");
    expect(same_edge, "the edges");
    printf("%lld x %lld pixels: %lld are edges\n", (long long)h, (long long)w, (long long)count);
    arr_bool_2d_free(ctx, &got);
    arr_i64_2d_free(ctx, &got_ridge);
    arr_i32_2d_free(ctx, &got_soft);
    free(edge);
    free(stack);
    free(ridge);
    free(soft);
    free(img);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 60, 80, 10000000, 100000000, &random);
    check(ctx, 33, 47, 1000000, 400000000, &random);
    check(ctx, 3, 100, 1000000, 100000000, &random);
    check(ctx, 17, 1, 100000, 10000000, &random);
    check(ctx, 1, 1, 1, 1, &random);
    arr_context_free(ctx);
    return summary();
}

/* Calls the entry of closest_points.arr and compares each distance with that of a plain sweep over
 * the points in the order of their x.
 *
 *     closest_points cities.csv
 */
#include "closest_points.h"

#include "support.h"

#include <math.h>

/* ---- the independent distance ---------------------------------------------------------------- */

typedef struct {
    double x, y;
} point;

static int by_place(const void *left, const void *right)
{
    const point *p = (const point *)left, *q = (const point *)right;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* The points in the order of their x. */
static point *sorted(const double *xs, const double *ys, int64_t n)
{
    point *points = (point *)allocate(n, sizeof(point));
    for (int64_t i = 0; i < n; i++) {
        points[i].x = xs[i];
        points[i].y = ys[i];
    }
    qsort(points, (size_t)n, sizeof(point), by_place);
    return points;
}

/* Compares each point with those to the right of it, as far as they can be closer. */
static double sweep(const double *xs, const double *ys, int64_t n)
{
    point *points = sorted(xs, ys, n);
    double best = INFINITY; /* squared */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double dx = points[j].x - points[i].x, dy = points[j].y - points[i].y;
            if (dx * dx >= best)
                break;
            if (dx * dx + dy * dy < best)
                best = dx * dx + dy * dy;
        }
    free(points);
    return sqrt(best);
}

/* ---- calling the entry ----------------------------------------------------------------------- */

/* Compares the entry's distance for n points with the sweep's, and says what it found. They may
 * differ in the last bits where the C compiler fuses a multiplication with an addition. */
static void check(arr_context *ctx, const char *name, const double *xs, const double *ys, int64_t n)
{
    double found, expected = sweep(xs, ys, n);
    if (closest_points(ctx, &found, arr_f64_1d_borrow(xs, n), arr_f64_1d_borrow(ys, n)) != ARR_OK) {
        fprintf(stderr, "%s: %s\n", name, arr_context_error(ctx));
        failures += 1;
        return;
    }
    expect(found == expected || fabs(found - expected) <= 1e-15 * expected, name);
    printf("%s: %lld points, closest %.9g apart\n", name, (long long)n, found);
}

/* Arrays of different sizes are refused, with a message; the context stays as good as new. */
static void show_error(arr_context *ctx, const double *xs, const double *ys, int64_t n)
{
    double unused;
    int code = closest_points(ctx, &unused, arr_f64_1d_borrow(xs, n), arr_f64_1d_borrow(ys, n + 1));
    expect(code == ARR_ERROR_SHAPE, "sizes that differ are refused");
    expect(arr_context_error_code(ctx) == code, "the context remembers the code");
    printf("as it should be: %s\n", arr_context_error(ctx));
}

/* ---- the points ------------------------------------------------------------------------------ */

/* Leaves one of each set of equal points; the number of those left. */
static int64_t drop_equal(double *xs, double *ys, int64_t n)
{
    point *points = sorted(xs, ys, n);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || by_place(&points[i - 1], &points[i]) != 0) {
            xs[count] = points[i].x;
            ys[count] = points[i].y;
            count += 1;
        }
    free(points);
    return count;
}

static void cities(arr_context *ctx, const char *path)
{
    double *lng = NULL, *lat = NULL;
    int64_t n = read_cities(path, &lng, &lat);
    expect(n > 0, "there are cities");
    if (n > 0) {
        check(ctx, "cities", lng, lat, n);
        show_error(ctx, lng, lat, n - 1);
        /* Some cities are listed at one place, so the distance was 0. */
        check(ctx, "cities of different places", lng, lat, drop_equal(lng, lat, n));
    }
    free(lng);
    free(lat);
}

/* Sets that a cut at the mean height divides badly or not at all. */
static void made_points(arr_context *ctx)
{
    enum { COUNT = 3000 };
    double xs[COUNT], ys[COUNT];
    uint64_t random = 2463534242u;
    for (int i = 0; i < COUNT; i++) {
        xs[i] = random_unit(&random);
        ys[i] = random_unit(&random);
    }
    check(ctx, "random points", xs, ys, COUNT);
    check(ctx, "two points", xs, ys, 2);
    check(ctx, "one point", xs, ys, 1);
    check(ctx, "no points", xs, ys, 0);
    for (int i = 0; i < COUNT; i++)
        ys[i] = 0.1;
    check(ctx, "points of one height", xs, ys, COUNT);
    for (int i = 0; i < COUNT; i++)
        ys[i] = ldexp(1.0, -(i % 1000));
    check(ctx, "points that crowd at the bottom", xs, ys, COUNT);
    for (int i = 0; i < COUNT; i++) {
        xs[i] = 3.0 * (i % 50);
        ys[i] = 4.0 * (i / 50);
    }
    check(ctx, "points of a grid", xs, ys, COUNT);
    for (int i = 0; i < COUNT; i++)
        xs[i] = ys[i] = 7;
    check(ctx, "equal points", xs, ys, COUNT);
}

int main(int argc, char **argv)
{
    arr_context *ctx;
    if (argc != 2) {
        fprintf(stderr, "usage: closest_points CITIES.csv\n");
        return 2;
    }
    ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    cities(ctx, argv[1]);
    made_points(ctx);
    arr_context_free(ctx);
    return summary();
}

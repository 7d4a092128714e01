/* Calls the entry of quickhull.arr and compares each hull with that of Andrew's monotone chain.
 *
 *     quickhull cities.csv              the hull of the world's cities, and an error on purpose
 *     quickhull --selftest [points]     collinear, equal, few and many points
 */
#include "quickhull.h"

#include "support.h"

/* ---- the independent hull -------------------------------------------------------------------- */

typedef struct {
    double x, y;
} vertex;

/* Twice the signed area of the triangle o a b: positive when b lies left of the line o a. */
static double turn(vertex o, vertex a, vertex b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static int by_place(const void *left, const void *right)
{
    const vertex *p = (const vertex *)left, *q = (const vertex *)right;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return 0;
}

/* The hull of n points in `hull`, clockwise from its leftmost point; the number of its vertices. */
static int64_t monotone_chain(const double *xs, const double *ys, int64_t n, vertex *hull)
{
    vertex *points = (vertex *)allocate(n, sizeof(vertex));
    int64_t count = 0, size = 0, least;
    for (int64_t i = 0; i < n; i++) {
        points[i].x = xs[i];
        points[i].y = ys[i];
    }
    qsort(points, (size_t)n, sizeof(vertex), by_place);
    for (int64_t i = 0; i < n; i++)
        if (count == 0 || by_place(&points[count - 1], &points[i]) != 0)
            points[count++] = points[i];
    if (count < 2) {
        if (count == 1)
            hull[0] = points[0];
        free(points);
        return count;
    }
    /* Along the top from left to right, then along the bottom back; a vertex stays only if the
     * chain turns right at it. */
    for (int64_t i = 0; i < count; i++) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], points[i]) >= 0)
            size -= 1;
        hull[size++] = points[i];
    }
    least = size + 1;
    for (int64_t i = count - 2; i >= 0; i--) {
        while (size >= least && turn(hull[size - 2], hull[size - 1], points[i]) >= 0)
            size -= 1;
        hull[size++] = points[i];
    }
    free(points);
    return size - 1; /* the first point closes the way round */
}

/* ---- calling the entry ----------------------------------------------------------------------- */

/* Compares the entry's hull of xs and ys, which may have any stride, with the chain's hull of the
 * same points in plain arrays. Gives the number of vertices, or -1 if the call failed. */
static int64_t compare(arr_context *ctx, const char *name, arr_f64_1d xs, arr_f64_1d ys,
                       const double *plain_xs, const double *plain_ys)
{
    int64_t n = xs.shape[0], vertices;
    arr_f64_1d hx, hy;
    vertex *expected = (vertex *)allocate(2 * n, sizeof(vertex));
    int64_t count = monotone_chain(plain_xs, plain_ys, n, expected);
    int same;
    if (quickhull(ctx, &hx, &hy, xs, ys) != ARR_OK) {
        fprintf(stderr, "%s: %s\n", name, arr_context_error(ctx));
        failures += 1;
        free(expected);
        return -1;
    }
    vertices = hx.shape[0];
    same = vertices == count && hy.shape[0] == count;
    for (int64_t i = 0; same && i < count; i++)
        same = hx.data[i] == expected[i].x && hy.data[i] == expected[i].y;
    if (!same)
        fprintf(stderr, "%s: %lld points, %lld vertices where the chain has %lld\n", name,
                (long long)n, (long long)vertices, (long long)count);
    expect(same, name);
    arr_f64_1d_free(ctx, &hx);
    arr_f64_1d_free(ctx, &hy);
    free(expected);
    return vertices;
}

/* The same for n points in plain arrays. */
static int64_t check(arr_context *ctx, const char *name, const double *xs, const double *ys,
                     int64_t n)
{
    arr_f64_1d axs = arr_f64_1d_borrow(xs, n), ays = arr_f64_1d_borrow(ys, n);
    return compare(ctx, name, axs, ays, xs, ys);
}

/* As `check`, and says what it found. */
static void show(arr_context *ctx, const char *name, const double *xs, const double *ys, int64_t n)
{
    int64_t vertices = check(ctx, name, xs, ys, n);
    printf("%s: %lld points, %lld vertices\n", name, (long long)n, (long long)vertices);
}

/* Arrays of different sizes are refused, with a message; the context stays as good as new. */
static void show_error(arr_context *ctx, const double *xs, const double *ys, int64_t n)
{
    arr_f64_1d hx, hy;
    int code = quickhull(ctx, &hx, &hy, arr_f64_1d_borrow(xs, n), arr_f64_1d_borrow(ys, n - 1));
    expect(code == ARR_ERROR_SHAPE, "sizes that differ are refused");
    expect(arr_context_error_code(ctx) == code, "the context remembers the code");
    printf("as it should be: %s\n", arr_context_error(ctx));
}

/* ---- the points ------------------------------------------------------------------------------ */

static void cities(arr_context *ctx, const char *path)
{
    double *lng = NULL, *lat = NULL;
    int64_t n = read_cities(path, &lng, &lat);
    expect(n > 0, "there are cities");
    if (n > 0) {
        show(ctx, "cities", lng, lat, n);
        show_error(ctx, lng, lat, n);
        show(ctx, "cities again", lng, lat, n);
    }
    free(lng);
    free(lat);
}

/* No, one and two points, and many that are all the same. */
static void few_points(arr_context *ctx)
{
    double xs[100], ys[100];
    for (int i = 0; i < 100; i++) {
        xs[i] = 2.5;
        ys[i] = -1.25;
    }
    show(ctx, "no points", xs, ys, 0);
    show(ctx, "one point", xs, ys, 1);
    show(ctx, "two equal points", xs, ys, 2);
    show(ctx, "all points equal", xs, ys, 100);
    ys[1] = 4;
    show(ctx, "two points, one above the other", xs, ys, 2);
    xs[1] = -7;
    show(ctx, "two points", xs, ys, 2);
}

/* Points on a line in each direction, in no order and some of them several times. */
static void collinear_points(arr_context *ctx, uint64_t *random)
{
    enum { COUNT = 500 };
    double xs[COUNT], ys[COUNT];
    for (int dx = -2; dx <= 2; dx++)
        for (int dy = -2; dy <= 2; dy++) {
            for (int i = 0; i < COUNT; i++) {
                double step = (double)random_below(random, 1000);
                xs[i] = 3 + dx * step;
                ys[i] = 5 + dy * step;
            }
            check(ctx, "collinear points", xs, ys, COUNT);
        }
    printf("collinear points in 25 directions: %d points each\n", COUNT);
}

/* Small grids, where most points are equal to others or lie between them. */
static void grid_points(arr_context *ctx, uint64_t *random)
{
    enum { ROUNDS = 5000, COUNT = 40 };
    double xs[COUNT], ys[COUNT];
    for (int round = 0; round < ROUNDS; round++) {
        int64_t n = random_below(random, COUNT + 1);
        int64_t width = 1 + random_below(random, 9), height = 1 + random_below(random, 9);
        for (int64_t i = 0; i < n; i++) {
            xs[i] = (double)(random_below(random, width) - width / 2);
            ys[i] = (double)(random_below(random, height) - height / 2);
        }
        check(ctx, "points of a grid", xs, ys, n);
    }
    printf("points of small grids: %d sets of up to %d points\n", ROUNDS, COUNT);
}

/* A parabola: every point is a vertex. */
static void convex_points(arr_context *ctx, uint64_t *random)
{
    enum { COUNT = 4001 };
    double xs[COUNT], ys[COUNT];
    for (int i = 0; i < COUNT; i++) {
        xs[i] = i - COUNT / 2;
        ys[i] = xs[i] * xs[i];
    }
    for (int i = COUNT - 1; i > 0; i--) {
        int j = (int)random_below(random, i + 1);
        double x = xs[i], y = ys[i];
        xs[i] = xs[j];
        ys[i] = ys[j];
        xs[j] = x;
        ys[j] = y;
    }
    show(ctx, "points of a parabola", xs, ys, COUNT);
    expect(check(ctx, "points of a parabola", xs, ys, COUNT) == COUNT, "all are vertices");
}

/* Random points in a square; those given twice as an array of pairs, and back to front. */
static void random_points(arr_context *ctx, uint64_t *random, int64_t n)
{
    double *xs = (double *)allocate(n, sizeof(double));
    double *ys = (double *)allocate(n, sizeof(double));
    double *pairs = (double *)allocate(2 * n, sizeof(double));
    arr_f64_1d axs = arr_f64_1d_borrow(pairs, n), ays = arr_f64_1d_borrow(pairs + 1, n);
    for (int64_t i = 0; i < n; i++) {
        pairs[2 * i] = xs[i] = random_unit(random);
        pairs[2 * i + 1] = ys[i] = random_unit(random);
    }
    show(ctx, "random points", xs, ys, n);
    /* The descriptor may say that elements stand apart, or run backwards. */
    axs.stride[0] = ays.stride[0] = 2;
    compare(ctx, "random points as pairs", axs, ays, xs, ys);
    axs.stride[0] = ays.stride[0] = -2;
    axs.data += 2 * (n - 1);
    ays.data += 2 * (n - 1);
    compare(ctx, "random points as pairs, backwards", axs, ays, xs, ys);
    free(xs);
    free(ys);
    free(pairs);
}

static void selftest(arr_context *ctx, int64_t points)
{
    uint64_t random = 88172645463325252u;
    few_points(ctx);
    collinear_points(ctx, &random);
    grid_points(ctx, &random);
    convex_points(ctx, &random);
    random_points(ctx, &random, points);
}

int main(int argc, char **argv)
{
    int test = argc >= 2 && strcmp(argv[1], "--selftest") == 0;
    int64_t points = argc == 3 ? (int64_t)strtoll(argv[2], NULL, 10) : 1000000;
    arr_context *ctx;
    if (argc < 2 || argc > (test ? 3 : 2) || points < 1) {
        fprintf(stderr, "usage: quickhull CITIES.csv | quickhull --selftest [POINTS]\n");
        return 2;
    }
    ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    if (test)
        selftest(ctx, points);
    else
        cities(ctx, argv[1]);
    arr_context_free(ctx);
    return summary();
}

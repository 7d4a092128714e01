/* Calls the entry of quadtree.arr and compares leaves and points with those of a plain recursive
 * quadtree.
 *
 *     quadtree cities.csv
 */
#include "quadtree.h"

#include "support.h"

/* ---- the independent tree -------------------------------------------------------------------- */

enum { MAX_DEPTH = 32 };

typedef struct {
    double x, y;
} place;

typedef struct {
    double x1, y1, x2, y2;
    int64_t depth, offset, count;
} part;

typedef struct {
    int64_t capacity;
    place *places; /* the points, in the order of the parts when the tree is done */
    place *spare;  /* as much room again, to sort points into quarters */
    part *parts;
    int64_t count;
} tree;

/* Moves the points of a box into the order of its quarters; `ends` says where each ends. */
static void sort_into_quarters(tree *t, part box, double cx, double cy, int64_t *ends)
{
    int64_t next = box.offset;
    for (int quarter = 0; quarter < 4; quarter++) {
        for (int64_t i = box.offset; i < box.offset + box.count; i++) {
            int east = !(t->places[i].x < cx), north = !(t->places[i].y < cy);
            if (east + 2 * north == quarter)
                t->spare[next++] = t->places[i];
        }
        ends[quarter] = next;
    }
    memcpy(t->places + box.offset, t->spare + box.offset, (size_t)box.count * sizeof(place));
}

static void cut(tree *t, part box)
{
    double cx = (box.x1 + box.x2) / 2, cy = (box.y1 + box.y2) / 2;
    int64_t ends[4], start = box.offset;
    if (box.count == 0)
        return;
    if (box.count <= t->capacity || box.depth == MAX_DEPTH) {
        t->parts[t->count++] = box;
        return;
    }
    sort_into_quarters(t, box, cx, cy, ends);
    for (int quarter = 0; quarter < 4; quarter++) {
        part inner = box;
        if (quarter % 2 == 0)
            inner.x2 = cx;
        else
            inner.x1 = cx;
        if (quarter / 2 == 0)
            inner.y2 = cy;
        else
            inner.y1 = cy;
        inner.depth = box.depth + 1;
        inner.offset = start;
        inner.count = ends[quarter] - start;
        start = ends[quarter];
        cut(t, inner);
    }
}

static tree plant(const double *xs, const double *ys, int64_t n, int64_t capacity)
{
    tree t;
    part all;
    t.capacity = capacity;
    t.places = (place *)allocate(n, sizeof(place));
    t.spare = (place *)allocate(n, sizeof(place));
    t.parts = (part *)allocate(n, sizeof(part)); /* none of them is empty */
    t.count = 0;
    memset(&all, 0, sizeof all);
    all.count = n;
    for (int64_t i = 0; i < n; i++) {
        t.places[i].x = xs[i];
        t.places[i].y = ys[i];
        all.x1 = i == 0 || xs[i] < all.x1 ? xs[i] : all.x1;
        all.y1 = i == 0 || ys[i] < all.y1 ? ys[i] : all.y1;
        all.x2 = i == 0 || xs[i] > all.x2 ? xs[i] : all.x2;
        all.y2 = i == 0 || ys[i] > all.y2 ? ys[i] : all.y2;
    }
    cut(&t, all);
    return t;
}

static void fell(tree *t)
{
    free(t->places);
    free(t->spare);
    free(t->parts);
}

/* ---- calling the entry ----------------------------------------------------------------------- */

/* The entry's results: an array of records arrives as one array a field. */
typedef struct {
    arr_f64_1d x1, y1, x2, y2;
    arr_i64_1d depth, offset, count;
    arr_f64_1d xs, ys;
} leaves;

static int call(arr_context *ctx, leaves *out, arr_f64_1d xs, arr_f64_1d ys, int64_t capacity)
{
    return quadtree(ctx, &out->x1, &out->y1, &out->x2, &out->y2, &out->depth, &out->offset,
                    &out->count, &out->xs, &out->ys, xs, ys, capacity);
}

static void free_leaves(arr_context *ctx, leaves *l)
{
    arr_f64_1d_free(ctx, &l->x1);
    arr_f64_1d_free(ctx, &l->y1);
    arr_f64_1d_free(ctx, &l->x2);
    arr_f64_1d_free(ctx, &l->y2);
    arr_i64_1d_free(ctx, &l->depth);
    arr_i64_1d_free(ctx, &l->offset);
    arr_i64_1d_free(ctx, &l->count);
    arr_f64_1d_free(ctx, &l->xs);
    arr_f64_1d_free(ctx, &l->ys);
}

/* Whether the leaves and their points are those of the plain tree. */
static int same_tree(const leaves *l, const tree *t, int64_t n)
{
    if (l->x1.shape[0] != t->count || l->count.shape[0] != t->count || l->xs.shape[0] != n ||
        l->ys.shape[0] != n)
        return 0;
    for (int64_t i = 0; i < t->count; i++) {
        part p = t->parts[i];
        if (l->x1.data[i] != p.x1 || l->y1.data[i] != p.y1 || l->x2.data[i] != p.x2 ||
            l->y2.data[i] != p.y2 || l->depth.data[i] != p.depth ||
            l->offset.data[i] != p.offset || l->count.data[i] != p.count)
            return 0;
    }
    for (int64_t i = 0; i < n; i++)
        if (l->xs.data[i] != t->places[i].x || l->ys.data[i] != t->places[i].y)
            return 0;
    return 1;
}

/* Whether each point lies in the box of its leaf, and each leaf begins where the last one ended. */
static int well_formed(const leaves *l)
{
    int64_t next = 0;
    for (int64_t i = 0; i < l->count.shape[0]; i++) {
        if (l->offset.data[i] != next)
            return 0;
        next += l->count.data[i];
        for (int64_t j = l->offset.data[i]; j < next; j++)
            if (l->xs.data[j] < l->x1.data[i] || l->xs.data[j] > l->x2.data[i] ||
                l->ys.data[j] < l->y1.data[i] || l->ys.data[j] > l->y2.data[i])
                return 0;
    }
    return next == l->xs.shape[0];
}

static void check(arr_context *ctx, const char *name, const double *xs, const double *ys, int64_t n,
                  int64_t capacity)
{
    tree expected = plant(xs, ys, n, capacity);
    leaves found;
    int64_t deepest = 0;
    if (call(ctx, &found, arr_f64_1d_borrow(xs, n), arr_f64_1d_borrow(ys, n), capacity) != ARR_OK) {
        fprintf(stderr, "%s: %s\n", name, arr_context_error(ctx));
        failures += 1;
        fell(&expected);
        return;
    }
    expect(same_tree(&found, &expected, n), name);
    expect(well_formed(&found), name);
    for (int64_t i = 0; i < found.depth.shape[0]; i++)
        if (found.depth.data[i] > deepest)
            deepest = found.depth.data[i];
    printf("%s: %lld points, %lld leaves of at most %lld, %lld deep\n", name, (long long)n,
           (long long)found.count.shape[0], (long long)capacity, (long long)deepest);
    free_leaves(ctx, &found);
    fell(&expected);
}

/* Arrays of different sizes are refused, with a message; the context stays as good as new. */
static void show_error(arr_context *ctx, const double *xs, const double *ys, int64_t n)
{
    leaves unused;
    int code = call(ctx, &unused, arr_f64_1d_borrow(xs, n), arr_f64_1d_borrow(ys, n - 1), 10);
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
        check(ctx, "cities", lng, lat, n, 1000);
        show_error(ctx, lng, lat, n);
        check(ctx, "cities, in small leaves", lng, lat, n, 8);
    }
    free(lng);
    free(lat);
}

static void made_points(arr_context *ctx)
{
    enum { COUNT = 3000 };
    double xs[COUNT], ys[COUNT];
    uint64_t random = 2463534242u;
    for (int i = 0; i < COUNT; i++) {
        xs[i] = random_unit(&random);
        ys[i] = random_unit(&random);
    }
    check(ctx, "random points", xs, ys, COUNT, 64);
    check(ctx, "one point", xs, ys, 1, 64);
    check(ctx, "no points", xs, ys, 0, 64);
    for (int i = 0; i < COUNT; i++) {
        xs[i] = i % 9;
        ys[i] = i % 7;
    }
    check(ctx, "points on the lines between boxes", xs, ys, COUNT, 64);
    for (int i = 1; i < COUNT; i++)
        xs[i] = ys[i] = 5;
    check(ctx, "equal points and another", xs, ys, COUNT, 64);
}

int main(int argc, char **argv)
{
    arr_context *ctx;
    if (argc != 2) {
        fprintf(stderr, "usage: quadtree CITIES.csv\n");
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

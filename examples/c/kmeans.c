/* Calls the entries of kmeans.arr and compares them with plain loops.
 *
 *     kmeans
 */
#include "kmeans.h"

#include <math.h>

#include "support.h"

static double square_distance(const double *p, const double *q, int64_t d)
{
    double sum = 0;
    for (int64_t x = 0; x < d; x++)
        sum += (p[x] - q[x]) * (p[x] - q[x]);
    return sum;
}

static int64_t nearest_to(const double *point, const double *centres, int64_t k, int64_t d)
{
    int64_t best = 0;
    for (int64_t c = 1; c < k; c++)
        if (square_distance(point, centres + c * d, d) < square_distance(point, centres + best * d, d))
            best = c;
    return best;
}

/* Each centre is the point that is farthest from all centres before it. */
static void choose(const double *points, int64_t n, int64_t d, int64_t k, double *centres)
{
    memcpy(centres, points, (size_t)d * sizeof(double));
    for (int64_t c = 1; c < k; c++) {
        int64_t farthest = 0;
        double most = -1;
        for (int64_t i = 0; i < n; i++) {
            const double *near = centres + nearest_to(points + i * d, centres, c, d) * d;
            double distance = square_distance(points + i * d, near, d);
            if (distance > most) {
                most = distance;
                farthest = i;
            }
        }
        memcpy(centres + c * d, points + farthest * d, (size_t)d * sizeof(double));
    }
}

/* Lloyd's algorithm; the step after which nothing changed, or -1. */
static int64_t iterate(const double *points, int64_t n, int64_t d, int64_t k, int64_t limit,
                       double *centres, int64_t *group)
{
    for (int64_t i = 0; i < n; i++)
        group[i] = nearest_to(points + i * d, centres, k, d);
    for (int64_t step = 1; step <= limit; step++) {
        int changed = 0;
        for (int64_t c = 0; c < k; c++) {
            int64_t count = 0;
            for (int64_t i = 0; i < n; i++)
                count += group[i] == c;
            for (int64_t x = 0; count > 0 && x < d; x++) {
                double sum = 0;
                for (int64_t i = 0; i < n; i++)
                    sum += group[i] == c ? points[i * d + x] : 0;
                centres[c * d + x] = sum / (double)count;
            }
        }
        for (int64_t i = 0; i < n; i++) {
            int64_t next = nearest_to(points + i * d, centres, k, d);
            changed = changed || next != group[i];
            group[i] = next;
        }
        if (!changed)
            return step;
    }
    return -1;
}

/* The mean silhouette. */
static double silhouette_of(const double *points, const int64_t *group, int64_t n, int64_t d, int64_t k)
{
    double total = 0;
    for (int64_t i = 0; i < n; i++) {
        double within = 0, without = INFINITY;
        int64_t others = 0;
        for (int64_t c = 0; c < k; c++) {
            double sum = 0;
            int64_t count = 0;
            for (int64_t j = 0; j < n; j++)
                if (group[j] == c && j != i) {
                    sum += sqrt(square_distance(points + i * d, points + j * d, d));
                    count += 1;
                }
            if (c == group[i]) {
                within = count > 0 ? sum / (double)count : 0;
                others = count;
            } else if (count > 0)
                without = fmin(without, sum / (double)count);
        }
        if (others > 0 && without < INFINITY)
            total += (without - within) / fmax(without, within);
    }
    return total / (double)n;
}

/* All entries for n points of d numbers about `heaps` places. */
static void check(arr_context *ctx, int64_t n, int64_t d, int64_t k, int64_t heaps, uint64_t *random)
{
    double *points = (double *)allocate(n * d, sizeof(double));
    double *places = (double *)allocate(heaps * d, sizeof(double));
    double *expected = (double *)allocate(k * d, sizeof(double)), within = 0, spread, score;
    int64_t *group = (int64_t *)allocate(n, sizeof(int64_t)), step, steps;
    arr_f64_2d input = arr_f64_2d_borrow(points, n, d), centres;
    arr_i64_1d found;
    int same = 1;
    for (int64_t x = 0; x < heaps * d; x++)
        places[x] = 20 * random_unit(random);
    for (int64_t i = 0; i < n; i++) {
        int64_t heap = random_below(random, heaps);
        for (int64_t x = 0; x < d; x++)
            points[i * d + x] = places[heap * d + x] + 3 * random_unit(random);
    }
    choose(points, n, d, k, expected);
    step = iterate(points, n, d, k, 50, expected, group);
    for (int64_t i = 0; i < n; i++)
        within += square_distance(points + i * d, expected + group[i] * d, d);
    if (groups(ctx, &centres, &found, &steps, k, 50, input) != ARR_OK) {
        expect(0, arr_context_error(ctx));
    } else {
        expect(steps == step, "the step that changes nothing");
        for (int64_t i = 0; i < n; i++)
            same = same && found.data[i] == group[i];
        for (int64_t x = 0; x < k * d; x++)
            same = same && fabs(centres.data[x] - expected[x]) <= 1e-9;
        expect(same, "groups and their centres");
        if (spread_within(ctx, &spread, centres, found, input) != ARR_OK ||
            silhouette(ctx, &score, k, found, input) != ARR_OK)
            expect(0, arr_context_error(ctx));
        else {
            expect(fabs(spread - within) <= 1e-9 * (1 + within), "the spread within groups");
            expect(fabs(score - silhouette_of(points, group, n, d, k)) <= 1e-9, "the silhouette");
            printf("%lld points, %lld groups: %lld steps, silhouette %.4f\n", (long long)n, (long long)k,
                   (long long)steps, score);
        }
        arr_f64_2d_free(ctx, &centres);
        arr_i64_1d_free(ctx, &found);
    }
    free(group);
    free(expected);
    free(places);
    free(points);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 600, 2, 5, 5, &random);
    check(ctx, 400, 7, 12, 6, &random);
    check(ctx, 100, 1, 1, 3, &random);
    check(ctx, 30, 3, 30, 2, &random);
    check(ctx, 5, 2, 9, 1, &random);
    arr_context_free(ctx);
    return summary();
}

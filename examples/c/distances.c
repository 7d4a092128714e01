/* Calls the entry of distances.arr and compares it with the method of E. Dijkstra from each place.
 *
 *     distances
 */
#include "distances.h"

#include <math.h>

#include "support.h"

/* The lengths of the shortest ways from one place. */
static void dijkstra(int64_t n, const double *ways, int64_t from, double *far)
{
    int *done = (int *)allocate(n, sizeof(int));
    for (int64_t k = 0; k < n; k++)
        far[k] = k == from ? 0 : INFINITY;
    for (;;) {
        int64_t next = -1;
        for (int64_t k = 0; k < n; k++)
            if (!done[k] && !isinf(far[k]) && (next < 0 || far[k] < far[next]))
                next = k;
        if (next < 0)
            break;
        done[next] = 1;
        for (int64_t k = 0; k < n; k++)
            far[k] = fmin(far[k], far[next] + ways[next * n + k]);
    }
    free(done);
}

/* Checks a random graph in which `part` of 100 pairs of places have an edge. */
static void check(arr_context *ctx, int64_t n, int64_t part, uint64_t *random)
{
    double *ways = (double *)allocate(n * n, sizeof(double)), *far = (double *)allocate(n, sizeof(double));
    int64_t reached = 0, wrong = 0;
    arr_f64_2d result;
    for (int64_t k = 0; k < n * n; k++)
        ways[k] = k % (n + 1) == 0 ? 0 : random_below(random, 100) < part ? random_unit(random) : INFINITY;
    if (distances(ctx, &result, arr_f64_2d_borrow(ways, n, n)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(ways);
        free(far);
        return;
    }
    for (int64_t from = 0; from < n; from++) {
        dijkstra(n, ways, from, far);
        for (int64_t k = 0; k < n; k++) {
            double here = result.data[from * n + k];
            reached += !isinf(here);
            wrong += isinf(here) != isinf(far[k]) || (!isinf(here) && fabs(here - far[k]) > 1e-12);
        }
    }
    expect(wrong == 0, "the distances");
    printf("%lld places: %lld pairs have ways\n", (long long)n, (long long)reached);
    arr_f64_2d_free(ctx, &result);
    free(ways);
    free(far);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 60, 5, &random);
    check(ctx, 41, 100, &random);
    check(ctx, 30, 2, &random);
    check(ctx, 1, 0, &random);
    check(ctx, 0, 0, &random);
    arr_context_free(ctx);
    return summary();
}

/* Calls the entries of correlation.arr and compares them with angles by the formula of the haversines, one pair after the
 * other.
 *
 *     correlation
 */
#include "correlation.h"

#include <math.h>

#include "support.h"

static const double TURN = 3.14159265358979323846 / 180;

/* The angle between two directions, in degrees. */
static double angle_of(double ra, double dec, double ra2, double dec2)
{
    const double x = sin((ra2 - ra) * TURN / 2), y = sin((dec2 - dec) * TURN / 2);
    return 2 * asin(sqrt(fmin(1, y * y + cos(dec * TURN) * cos(dec2 * TURN) * x * x))) / TURN;
}

/* The fraction of all pairs of two sets that are in each interval; of the pairs of one set if b is NULL. */
static void parts(const double *angles, int64_t k, const double *a, int64_t n, const double *b, int64_t m, double *part)
{
    const double *other = b == NULL ? a : b;
    const int64_t others = b == NULL ? n : m;
    for (int64_t bin = 0; bin < k; bin++)
        part[bin] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = b == NULL ? i + 1 : 0; j < others; j++) {
            const double angle = angle_of(a[2 * i], a[2 * i + 1], other[2 * j], other[2 * j + 1]);
            int64_t bin = 0;
            while (bin < k && angle > angles[bin])
                bin++;
            if (bin < k)
                part[bin] += 1;
        }
    for (int64_t bin = 0; bin < k; bin++)
        part[bin] /= b == NULL ? (double)n * (double)(n - 1) / 2 : (double)n * (double)m;
}

/* Groups of stars, or places at random if there are no groups: right ascension and declination in turns. */
static double *scatter_stars(int64_t n, int64_t groups, uint64_t *random)
{
    double *stars = (double *)allocate(2 * n, sizeof(double));
    for (int64_t i = 0; i < n; i++) {
        const int64_t leader = groups == 0 ? i : i % groups;
        if (leader == i) {
            stars[2 * i] = 360 * random_unit(random);
            stars[2 * i + 1] = asin(2 * random_unit(random) - 1) / TURN;
        } else {
            stars[2 * i] = stars[2 * leader] + 6 * random_unit(random) - 3;
            stars[2 * i + 1] = stars[2 * leader + 1] + 6 * random_unit(random) - 3;
        }
    }
    return stars;
}

/* Every second number. */
static double *halves(const double *stars, int64_t n, int which)
{
    double *half = (double *)allocate(n, sizeof(double));
    for (int64_t i = 0; i < n; i++)
        half[i] = stars[2 * i + which];
    return half;
}

static void check(arr_context *ctx, int64_t n, int64_t m, int64_t groups, int64_t k, uint64_t *random)
{
    double *stars = scatter_stars(n, groups, random), *places = scatter_stars(m, 0, random);
    double *ras = halves(stars, n, 0), *decs = halves(stars, n, 1), *ras2 = halves(places, m, 0), *decs2 = halves(places, m, 1);
    double *angles = (double *)allocate(k, sizeof(double)), *dd = (double *)allocate(k, sizeof(double)),
           *dr = (double *)allocate(k, sizeof(double)), *rr = (double *)allocate(k, sizeof(double)), within = 0;
    arr_f64_1d a, found;
    arr_i64_1d counts;
    int same = 1, same_counts = 1;
    for (int64_t bin = 0; bin < k; bin++)
        angles[bin] = 4 * (double)(bin + 1);
    a = arr_f64_1d_borrow(angles, k);
    if (correlation(ctx, &found, a, arr_f64_1d_borrow(ras, n), arr_f64_1d_borrow(decs, n), arr_f64_1d_borrow(ras2, m),
                    arr_f64_1d_borrow(decs2, m)) != ARR_OK ||
        pairs_within(ctx, &counts, a, arr_f64_1d_borrow(ras, n), arr_f64_1d_borrow(decs, n)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    parts(angles, k, stars, n, NULL, 0, dd);
    parts(angles, k, stars, n, places, m, dr);
    parts(angles, k, places, m, NULL, 0, rr);
    for (int64_t bin = 0; bin < k; bin++) {
        const double expected = rr[bin] == 0 ? 0 : (dd[bin] - 2 * dr[bin] + rr[bin]) / rr[bin];
        same = same && fabs(found.data[bin] - expected) <= 1e-9 * (1 + fabs(expected));
        within += dd[bin] * (double)n * (double)(n - 1) / 2;
        same_counts = same_counts && counts.data[bin] == (int64_t)floor(within + 0.5);
    }
    expect(same, "the correlation");
    expect(same_counts, "the pairs within each angle");
    if (groups > 0)
        expect(found.data[0] > 1, "galaxies in groups are correlated");
    printf("%lld galaxies, %lld at random: %.3f within %.0f degrees\n", (long long)n, (long long)m, found.data[0], angles[0]);
    arr_i64_1d_free(ctx, &counts);
    arr_f64_1d_free(ctx, &found);
    free(rr);
    free(dr);
    free(dd);
    free(angles);
    free(decs2);
    free(ras2);
    free(decs);
    free(ras);
    free(places);
    free(stars);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    double some[2] = {1, 2};
    arr_i64_1d counts;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 300, 500, 20, 10, &random);
    check(ctx, 200, 200, 0, 45, &random);
    check(ctx, 50, 130, 5, 1, &random);
    check(ctx, 2, 40, 0, 3, &random);
    expect(pairs_within(ctx, &counts, arr_f64_1d_borrow(some, 1), arr_f64_1d_borrow(some, 2), arr_f64_1d_borrow(some, 1)) ==
               ARR_ERROR_SHAPE,
           "sizes that differ");
    check(ctx, 100, 100, 10, 7, &random);
    arr_context_free(ctx);
    return summary();
}

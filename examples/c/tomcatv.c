/* Calls the entry of tomcatv.arr and compares a mesh with one that is made by whole arrays, a system at a time. Then it makes a
 * mesh around a half circle, whose lines are known.
 *
 *     tomcatv
 */
#include "tomcatv.h"

#include <math.h>

#include "support.h"

/* One step in place: all residuals first, then a system for each i. */
static void step_mesh(int64_t n, int64_t m, double *x, double *y, double *far)
{
    double *r[2], *b = (double *)allocate(n * m, sizeof(double)), *d = (double *)allocate(n * m, sizeof(double));
    double *const z[2] = {x, y};
    r[0] = (double *)allocate(n * m, sizeof(double));
    r[1] = (double *)allocate(n * m, sizeof(double));
    far[0] = far[1] = 0;
    for (int64_t k = m + 1; k < (n - 1) * m - 1; k++) {
        double xi = (x[k + 1] - x[k - 1]) / 2, yi = (y[k + 1] - y[k - 1]) / 2, a, c;
        double xj = (x[k + m] - x[k - m]) / 2, yj = (y[k + m] - y[k - m]) / 2;
        if (k % m == 0 || k % m == m - 1)
            continue;
        a = xj * xj + yj * yj;
        b[k] = xi * xi + yi * yi;
        c = (xi * xj + yi * yj) / 2;
        d[k] = 2 * b[k] + a * 2 / 0.98;
        for (int part = 0; part < 2; part++) {
            const double *p = z[part] + k;
            r[part][k] = a * (p[1] - 2 * p[0] + p[-1]) + b[k] * (p[m] - 2 * p[0] + p[-m]) -
                         c * (p[m + 1] - p[m - 1] - p[-m + 1] + p[-m - 1]);
            far[part] = fmax(far[part], fabs(r[part][k]));
        }
    }
    for (int64_t i = 1; i < m - 1; i++)
        for (int part = 0; part < 2; part++) {
            double *u = r[part];
            double *diagonal = (double *)allocate(n, sizeof(double));
            for (int64_t j = 1; j < n - 1; j++) {
                double ratio = j == 1 ? 0 : b[j * m + i] / diagonal[j - 1];
                diagonal[j] = d[j * m + i] - (j == 1 ? 0 : ratio * b[(j - 1) * m + i]);
                u[j * m + i] += j == 1 ? 0 : ratio * u[(j - 1) * m + i];
            }
            for (int64_t j = n - 2; j > 0; j--) {
                double next = j == n - 2 ? 0 : b[j * m + i] * u[(j + 1) * m + i];
                u[j * m + i] = (u[j * m + i] + next) / diagonal[j];
            }
            for (int64_t j = 1; j < n - 1; j++)
                z[part][j * m + i] += u[j * m + i];
            free(diagonal);
        }
    free(r[0]);
    free(r[1]);
    free(b);
    free(d);
}

/* The mesh of the entry, and how far it is from one of the steps above. */
static void check(arr_context *ctx, int64_t n, int64_t m, int64_t steps, uint64_t *random)
{
    double *x = (double *)allocate(n * m, sizeof(double)), *y = (double *)allocate(n * m, sizeof(double));
    double far_x, far_y, far[2] = {0, 0}, error = 0;
    arr_f64_2d xs, ys;
    for (int64_t k = 0; k < n * m; k++) {
        x[k] = (double)(k % m) + 0.3 * random_unit(random);
        y[k] = (double)(k / m) + 0.3 * random_unit(random);
    }
    if (tomcatv(ctx, &xs, &ys, &far_x, &far_y, steps, arr_f64_2d_borrow(x, n, m), arr_f64_2d_borrow(y, n, m)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
    } else {
        for (int64_t step = 0; step < steps; step++)
            step_mesh(n, m, x, y, far);
        for (int64_t k = 0; k < n * m; k++)
            error = fmax(error, fmax(fabs(xs.data[k] - x[k]), fabs(ys.data[k] - y[k])));
        expect(error < 1e-9, "the mesh");
        expect(fabs(far_x - far[0]) + fabs(far_y - far[1]) < 1e-9, "the residuals");
        printf("%lld x %lld: residuals %.3g and %.3g after %lld steps\n", (long long)n, (long long)m, far_x, far_y, (long long)steps);
        arr_f64_2d_free(ctx, &xs);
        arr_f64_2d_free(ctx, &ys);
    }
    free(x);
    free(y);
}

/* Between two half circles, lines of the mesh are half circles as well, if the points of the edges are even: the radius and the angle
 * of a point are those of its row and place. The radii grow by the same factor each, since that mesh is conformal. */
static void check_circles(arr_context *ctx)
{
    enum { N = 17, M = 33 };
    static double x[N * M], y[N * M];
    double far_x, far_y, error = 0;
    arr_f64_2d xs, ys;
    for (int64_t k = 0; k < N * M; k++) {
        int64_t j = k / M, i = k % M;
        double angle = 3.14159265358979323846 * (double)i / (M - 1), radius = exp(3.14159265358979323846 * (double)j / (M - 1));
        /* Inside, the mesh begins somewhere else. */
        if (i > 0 && i < M - 1 && j > 0 && j < N - 1)
            radius *= 1 + 0.02 * sin((double)(3 * i + 5 * j));
        x[k] = radius * cos(angle);
        y[k] = radius * sin(angle);
    }
    if (tomcatv(ctx, &xs, &ys, &far_x, &far_y, 2000, arr_f64_2d_borrow(x, N, M), arr_f64_2d_borrow(y, N, M)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t k = 0; k < N * M; k++) {
        double radius = exp(3.14159265358979323846 * (double)(k / M) / (M - 1));
        error = fmax(error, fabs(hypot(xs.data[k], ys.data[k]) / radius - 1));
    }
    expect(far_x < 1e-9 && far_y < 1e-9, "it converges");
    expect(error < 1e-2, "half circles");
    printf("half circles: radii within %.2g\n", error);
    arr_f64_2d_free(ctx, &xs);
    arr_f64_2d_free(ctx, &ys);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 40, 37, 5, &random);
    check(ctx, 3, 3, 2, &random);
    check(ctx, 2, 9, 2, &random);
    check(ctx, 9, 2, 2, &random);
    check(ctx, 0, 4, 3, &random);
    check_circles(ctx);
    arr_context_free(ctx);
    return summary();
}

/* Calls the entries of cells.arr and compares them with all pairs of particles, and forces with differences of energies.
 *
 *     cells
 */
#include "cells.h"

#include <math.h>

#include "support.h"

/* The energy of two particles whose distance has this square. */
static double energy_of(double r2)
{
    const double s = 0.4 / sqrt(r2);
    return r2 >= 1 ? 0 : 4 * (pow(s, 12) - pow(s, 6));
}

/* The square of the distance of two particles. */
static double apart2(double *const at[3], int64_t i, int64_t j)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += (at[axis][i] - at[axis][j]) * (at[axis][i] - at[axis][j]);
    return sum;
}

static int near(double x, double y, double tolerance)
{
    return fabs(x - y) <= tolerance * (1 + fabs(x) + fabs(y));
}

/* Particles on a grid, each moved by some part of its distance to the next one. */
static int64_t place(double *at[3], int64_t b, int64_t side, uint64_t *random)
{
    const double step = (double)b / (double)side;
    for (int64_t i = 0; i < side * side * side; i++) {
        const int64_t index[3] = {i % side, i / side % side, i / side / side};
        for (int axis = 0; axis < 3; axis++)
            at[axis][i] = step * ((double)index[axis] + 0.3 + 0.4 * random_unit(random));
    }
    return side * side * side;
}

static void check(arr_context *ctx, int64_t b, int64_t side, uint64_t *random)
{
    double *at[3], *speed[3], total = 0, found;
    const int64_t n = side * side * side;
    arr_f64_1d places[3], speeds[3], energy, force[3], moved[3], faster[3];
    arr_i64_1d count;
    int same_energy = 1, same_force = 1, same_count = 1, same_way = 1;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (double *)allocate(n, sizeof(double));
        speed[axis] = (double *)allocate(n, sizeof(double));
    }
    place(at, b, side, random);
    for (int axis = 0; axis < 3; axis++) {
        for (int64_t i = 0; i < n; i++)
            speed[axis][i] = random_unit(random) - 0.5;
        places[axis] = arr_f64_1d_borrow(at[axis], n);
        speeds[axis] = arr_f64_1d_borrow(speed[axis], n);
    }
    if (forces(ctx, &energy, &force[0], &force[1], &force[2], &count, b, places[0], places[1], places[2]) != ARR_OK ||
        move(ctx, &moved[0], &moved[1], &moved[2], &faster[0], &faster[1], &faster[2], &found, b, 0.001, places[0],
             places[1], places[2], speeds[0], speeds[1], speeds[2]) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        double sum = 0, pull[3] = {0, 0, 0};
        int64_t others = 0;
        for (int64_t j = 0; j < n; j++) {
            const double r2 = i == j ? 1 : apart2(at, i, j);
            /* The slope of the energy along the line of both, by a difference. */
            const double slope = r2 >= 1 ? 0 : (energy_of(r2 * (1 + 1e-6)) - energy_of(r2 * (1 - 1e-6))) / (2e-6 * r2);
            sum += energy_of(r2) / 2;
            others += r2 < 1;
            for (int axis = 0; axis < 3; axis++)
                pull[axis] -= 2 * slope * (at[axis][i] - at[axis][j]);
        }
        same_energy = same_energy && near(energy.data[i], sum, 1e-10);
        same_count = same_count && count.data[i] == others;
        total += sum;
        for (int axis = 0; axis < 3; axis++) {
            const double after = speed[axis][i] + 0.001 * force[axis].data[i];
            same_force = same_force && near(force[axis].data[i], pull[axis], 1e-5);
            same_way = same_way && near(faster[axis].data[i], after, 1e-12) &&
                       near(moved[axis].data[i], at[axis][i] + 0.001 * after, 1e-12);
            total += speed[axis][i] * speed[axis][i] / 2;
        }
    }
    expect(same_energy, "the energy of each particle");
    expect(same_force, "the force on each particle");
    expect(same_count, "how many are near");
    expect(same_way, "a step");
    expect(near(found, total, 1e-9), "the energy of all");
    printf("%lld particles in %lld cells: energy %.4f\n", (long long)n, (long long)(b * b * b), total);
    for (int axis = 0; axis < 3; axis++) {
        arr_f64_1d_free(ctx, &force[axis]);
        arr_f64_1d_free(ctx, &moved[axis]);
        arr_f64_1d_free(ctx, &faster[axis]);
        free(speed[axis]);
        free(at[axis]);
    }
    arr_i64_1d_free(ctx, &count);
    arr_f64_1d_free(ctx, &energy);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    double some[2] = {0.25, 0.75};
    arr_f64_1d energy, x, y, z;
    arr_i64_1d count;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 4, 9, &random);
    check(ctx, 2, 5, &random);
    check(ctx, 1, 3, &random);
    check(ctx, 7, 6, &random);
    check(ctx, 3, 1, &random);
    expect(forces(ctx, &energy, &x, &y, &z, &count, 1, arr_f64_1d_borrow(some, 2), arr_f64_1d_borrow(some, 2),
                  arr_f64_1d_borrow(some, 1)) == ARR_ERROR_SHAPE,
           "sizes that differ");
    check(ctx, 2, 4, &random);
    arr_context_free(ctx);
    return summary();
}

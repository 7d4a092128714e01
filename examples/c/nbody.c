/* Calls the entries of nbody.arr and compares them with plain loops over plain arrays, and with what is
 * known of orbits.
 *
 *     nbody
 */
#include "nbody.h"

#include <math.h>

#include "support.h"

enum { EULER, LEAPFROG, RUNGE_KUTTA, SYMPLECTIC, YOSHIDA, METHODS };

static const char *const method_names[METHODS] = {"Euler", "leapfrog", "Runge-Kutta",
                                                  "symplectic Euler", "Yoshida"};

enum { MOST = 64 };

/* Bodies: masses, places and speeds, the latter as one array a direction. */
typedef struct {
    int64_t count;
    double mass[MOST], at[3][MOST], speed[3][MOST];
} bodies;

/* The bodies as arguments. */
#define ARGUMENTS(b)                                                                              \
    arr_f64_1d_borrow((b)->mass, (b)->count), arr_f64_1d_borrow((b)->at[0], (b)->count),          \
        arr_f64_1d_borrow((b)->at[1], (b)->count), arr_f64_1d_borrow((b)->at[2], (b)->count),     \
        arr_f64_1d_borrow((b)->speed[0], (b)->count),                                             \
        arr_f64_1d_borrow((b)->speed[1], (b)->count),                                             \
        arr_f64_1d_borrow((b)->speed[2], (b)->count)

/* The bodies as results. */
#define RESULTS(r) &(r)[0], &(r)[1], &(r)[2], &(r)[3], &(r)[4], &(r)[5], &(r)[6]

/* ---- the independent simulation -------------------------------------------------------------- */

static void accelerate(const bodies *b, double rate[3][MOST])
{
    for (int64_t i = 0; i < b->count; i++) {
        rate[0][i] = rate[1][i] = rate[2][i] = 0;
        for (int64_t j = 0; j < b->count; j++) {
            double way[3], distance;
            for (int k = 0; k < 3; k++)
                way[k] = b->at[k][j] - b->at[k][i];
            distance = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            if (distance > 0)
                for (int k = 0; k < 3; k++)
                    rate[k][i] += b->mass[j] * way[k] / (distance * distance * distance);
        }
    }
}

static void glide_by(bodies *b, double dt)
{
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < b->count; i++)
            b->at[k][i] += dt * b->speed[k][i];
}

static void kick_by(bodies *b, double dt)
{
    double rate[3][MOST];
    accelerate(b, rate);
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < b->count; i++)
            b->speed[k][i] += dt * rate[k][i];
}

static void leapfrog_step(bodies *b, double dt)
{
    kick_by(b, dt / 2);
    glide_by(b, dt);
    kick_by(b, dt / 2);
}

static void runge_kutta_step(bodies *b, double dt)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    bodies first = *b, stage = *b;
    double rate[3][MOST];
    for (int s = 0; s < 4; s++) {
        bodies next = first;
        accelerate(&stage, rate);
        for (int k = 0; k < 3; k++)
            for (int64_t i = 0; i < b->count; i++) {
                b->at[k][i] += weight[s] * dt / 6 * stage.speed[k][i];
                b->speed[k][i] += weight[s] * dt / 6 * rate[k][i];
                if (s < 3) {
                    next.at[k][i] += part[s + 1] * dt * stage.speed[k][i];
                    next.speed[k][i] += part[s + 1] * dt * rate[k][i];
                }
            }
        stage = next;
    }
}

static void step_by(int method, bodies *b, double dt)
{
    bodies before = *b;
    double outer = 1 / (2 - cbrt(2.0));
    switch (method) {
    case EULER:
        glide_by(b, dt);
        kick_by(&before, dt);
        memcpy(b->speed, before.speed, sizeof b->speed);
        break;
    case SYMPLECTIC:
        kick_by(b, dt);
        glide_by(b, dt);
        break;
    case LEAPFROG:
        leapfrog_step(b, dt);
        break;
    case YOSHIDA:
        leapfrog_step(b, outer * dt);
        leapfrog_step(b, (1 - 2 * outer) * dt);
        leapfrog_step(b, outer * dt);
        break;
    default:
        runge_kutta_step(b, dt);
    }
}

static double energy_of(const bodies *b)
{
    double energy = 0;
    for (int64_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++)
            energy += b->mass[i] * b->speed[k][i] * b->speed[k][i] / 2;
        for (int64_t j = 0; j < i; j++)
            energy -= b->mass[i] * b->mass[j] /
                      sqrt(pow(b->at[0][i] - b->at[0][j], 2) + pow(b->at[1][i] - b->at[1][j], 2) +
                           pow(b->at[2][i] - b->at[2][j], 2));
    }
    return energy;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int near(double x, double y, double tolerance)
{
    return fabs(x - y) <= tolerance * (1 + fabs(y));
}

/* Whether results are these bodies; frees them. */
static int are(arr_context *ctx, arr_f64_1d *results, const bodies *b, double tolerance)
{
    int same = 1;
    for (int r = 0; r < 7; r++) {
        const double *expected = r == 0 ? b->mass : r < 4 ? b->at[r - 1] : b->speed[r - 4];
        same = same && results[r].shape[0] == b->count;
        for (int64_t i = 0; same && i < b->count; i++)
            same = near(results[r].data[i], expected[i], tolerance);
        arr_f64_1d_free(ctx, &results[r]);
    }
    return same;
}

/* A cloud of slow bodies; the last one has no mass. */
static bodies cloud(int64_t count, uint64_t *random)
{
    bodies b;
    memset(&b, 0, sizeof b);
    b.count = count;
    for (int64_t i = 0; i < count; i++) {
        b.mass[i] = i + 1 < count ? 0.1 + random_unit(random) : 0;
        for (int k = 0; k < 3; k++) {
            b.at[k][i] = 20 * random_unit(random) - 10;
            b.speed[k][i] = random_unit(random) - 0.5;
        }
    }
    return b;
}

/* A heavy body, and a light one on an ellipse about it, at its nearest: period 2 pi. */
static bodies ellipse(double eccentricity)
{
    bodies b;
    memset(&b, 0, sizeof b);
    b.count = 2;
    b.mass[0] = 1;
    b.at[0][1] = 1 - eccentricity;
    b.speed[1][1] = sqrt((1 + eccentricity) / (1 - eccentricity));
    return b;
}

static void check_simulations(arr_context *ctx, uint64_t *random)
{
    for (int64_t count = 1; count <= MOST; count = 3 * count + 1)
        for (int method = 0; method < METHODS; method++) {
            arr_f64_1d results[7];
            bodies b = cloud(count, random), first = b;
            double most = 0, energy, momentum, angular;
            for (int s = 0; s < 50; s++) {
                step_by(method, &b, 0.02);
                most = fmax(most, fabs(energy_of(&b) / energy_of(&first) - 1));
            }
            if (simulate(ctx, RESULTS(results), method, 0.02, 50, ARGUMENTS(&first)) != ARR_OK ||
                strays(ctx, &energy, &momentum, &angular, method, 0.02, 50, ARGUMENTS(&first)) != ARR_OK) {
                expect(0, arr_context_error(ctx));
                continue;
            }
            expect(are(ctx, results, &b, 1e-8), method_names[method]);
            expect(count == 1 || near(energy, most, 1e-9), "how far the energy strays");
            expect(momentum < 1e-10, "the momentum stays");
            /* Each kick is along the line between two bodies, so only the two others lose it. */
            expect(method == EULER || method == RUNGE_KUTTA || angular < 1e-9, "the angular momentum stays");
            if (count > 10)
                printf("%lld bodies, %s: the energy strays by %.1e\n", (long long)count,
                       method_names[method], energy);
        }
}

/* After one period, bodies on an ellipse are where they were, and methods of higher order are nearer. */
static void check_period(arr_context *ctx)
{
    static const double wrong[METHODS] = {10, 1e-2, 1e-6, 1e-1, 1e-5};
    bodies b = ellipse(0.3);
    double period = 2 * acos(-1.0);
    arr_f64_1d results[7];
    int64_t taken, refused;
    for (int method = 0; method < METHODS; method++) {
        if (simulate(ctx, RESULTS(results), method, period / 1000, 1000, ARGUMENTS(&b)) != ARR_OK) {
            expect(0, arr_context_error(ctx));
            continue;
        }
        printf("%s: off by %.1e after a period\n", method_names[method],
               hypot(results[1].data[1] - b.at[0][1], results[2].data[1] - b.at[1][1]));
        expect(are(ctx, results, &b, wrong[method]), "a period");
    }
    b = ellipse(0.9);
    if (simulate_adaptively(ctx, RESULTS(results), &taken, &refused, period, 1e-10, ARGUMENTS(&b)) !=
        ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    expect(are(ctx, results, &b, 1e-4), "a period of a long ellipse");
    expect(refused > 0, "some step is too long");
    printf("steps of any length: %lld taken, %lld refused\n", (long long)taken, (long long)refused);
}

/* The orbits about a heavy body, compared with the elements that they were made from. */
static void check_orbits(arr_context *ctx, uint64_t *random)
{
    bodies b = ellipse(0);
    arr_f64_1d periods, least, most;
    double eccentricities[MOST], sizes[MOST];
    int same = 1;
    b.count = MOST;
    b.speed[1][1] = 0;
    for (int64_t i = 1; i < MOST; i++) {
        /* At the nearest place of an ellipse of any size and direction, or of a hyperbola. */
        double turn = 7 * random_unit(random), e = (i % 2 == 0 ? 0.9 : 2) * random_unit(random);
        double distance = 0.5 + random_unit(random), speed = sqrt((1 + e) / distance);
        eccentricities[i] = e;
        sizes[i] = distance;
        b.at[0][i] = distance * cos(turn);
        b.at[2][i] = distance * sin(turn);
        b.speed[0][i] = -speed * sin(turn);
        b.speed[2][i] = speed * cos(turn);
    }
    if (orbits(ctx, &periods, &least, &most, ARGUMENTS(&b)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 1; i < MOST; i++) {
        double e = eccentricities[i], axis = sizes[i] / (1 - e);
        same = same && near(least.data[i - 1], sizes[i], 1e-6);
        if (e < 1)
            same = same && near(periods.data[i - 1], 2 * acos(-1.0) * pow(axis, 1.5), 1e-6) &&
                   near(most.data[i - 1], axis * (1 + e), 1e-6);
        else
            same = same && isinf(periods.data[i - 1]) && isinf(most.data[i - 1]);
    }
    expect(same, "orbits");
    printf("orbits: %d\n", MOST - 1);
    arr_f64_1d_free(ctx, &periods);
    arr_f64_1d_free(ctx, &least);
    arr_f64_1d_free(ctx, &most);
}

/* Bodies that join: as many as there are groups, and mass and momentum stay. */
static void check_accretion(arr_context *ctx, uint64_t *random)
{
    bodies b = cloud(MOST, random);
    arr_f64_1d results[7];
    double before[4] = {0, 0, 0, 0}, after[4] = {0, 0, 0, 0};
    if (accrete(ctx, RESULTS(results), 3, 0.01, 500, ARGUMENTS(&b)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 0; i < b.count; i++) {
        before[0] += b.mass[i];
        for (int k = 0; k < 3; k++)
            before[k + 1] += b.mass[i] * b.speed[k][i];
    }
    for (int64_t i = 0; i < results[0].shape[0]; i++) {
        after[0] += results[0].data[i];
        for (int k = 0; k < 3; k++)
            after[k + 1] += results[0].data[i] * results[k + 4].data[i];
    }
    for (int k = 0; k < 4; k++)
        expect(near(after[k], before[k], 1e-10), "mass and momentum stay when bodies join");
    expect(results[0].shape[0] <= MOST / 2, "most bodies join others");
    for (int64_t i = 0; i < results[0].shape[0]; i++)
        for (int64_t j = 0; j < i; j++)
            expect(sqrt(pow(results[1].data[i] - results[1].data[j], 2) +
                        pow(results[2].data[i] - results[2].data[j], 2) +
                        pow(results[3].data[i] - results[3].data[j], 2)) > 0.5,
                   "what remains is apart");
    printf("%d bodies became %lld\n", MOST, (long long)results[0].shape[0]);
    for (int r = 0; r < 7; r++)
        arr_f64_1d_free(ctx, &results[r]);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check_simulations(ctx, &random);
    check_period(ctx);
    check_orbits(ctx, &random);
    check_accretion(ctx, &random);
    arr_context_free(ctx);
    return summary();
}

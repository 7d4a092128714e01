/* Samples: random paths of prices, groups of points, counts, particles in cells, pairs of directions. */
#include "support.h"
/* Products and sums are rounded one by one, as in Arr, except where a sum may be taken in any order. */
#pragma STDC FP_CONTRACT OFF

static uint32_t hash(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}
static f64 tail(f64 q) {
    return (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q
             + 4.374664141464968) * q + 2.938163982698783)
         / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
}
static f64 middle(f64 q) {
    const f64 r = q * q;
    return (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.383577518672690e2) * r
             - 3.066479806614716e1) * r + 2.506628277459239) * q
         / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r
             - 1.328068155288572e1) * r + 1);
}
/* The inverse of the normal distribution, of a hash of k. */
static f64 normal(i64 k) {
    const f64 p = (hash((uint32_t)k) + 0.5) / 4294967296;
    if (p < 0.02425) return tail(sqrt(-2 * log(p)));
    if (p > 0.97575) return -tail(sqrt(-2 * log(1 - p)));
    return middle(p - 0.5);
}
ENTRY(path_prices) {
    const i64 paths = SCALAR(i64, 0), dates = SCALAR(i64, 1);
    const f64 volatility = SCALAR(f64, 2), dt = 1 / (f64)dates;
    const f64 drift = (0.05 - 0.5 * volatility * volatility) * dt, spread = volatility * sqrt(dt);
    f64 total = 0;
    for (i64 i = 0; i < paths; i++) {
        f64 at = 0, sum = 0;
        for (i64 j = 0; j < dates; j++) {
            at += drift + spread * normal(i * dates + j);
            sum += 100 * exp(at);
        }
        total += fmax(0, sum / (f64)dates - 100);
    }
    GIVE_SCALAR(f64, 0, exp(-0.05) * total / (f64)paths);
    return DONE;
}
ENTRY(path_prices_unfused) {
    const i64 paths = SCALAR(i64, 0), dates = SCALAR(i64, 1);
    const f64 volatility = SCALAR(f64, 2), dt = 1 / (f64)dates;
    const f64 drift = (0.05 - 0.5 * volatility * volatility) * dt, spread = volatility * sqrt(dt);
    f64 *restrict steps = KEPT(f64, dates), *restrict sums = KEPT(f64, dates), *restrict prices = KEPT(f64, dates);
    f64 *restrict payoffs = KEPT(f64, paths);
    for (i64 i = 0; i < paths; i++) {
        f64 at = 0;
        for (i64 j = 0; j < dates; j++) steps[j] = drift + spread * normal(i * dates + j);
        for (i64 j = 0; j < dates; j++) sums[j] = at += steps[j];
        for (i64 j = 0; j < dates; j++) prices[j] = 100 * exp(sums[j]);
        payoffs[i] = fmax(0, f64_sum(dates, prices) / (f64)dates - 100);
    }
    GIVE_SCALAR(f64, 0, exp(-0.05) * f64_sum(paths, payoffs) / (f64)paths);
    return DONE;
}

static f64 distance(i64 d, const f64 *restrict p, const f64 *restrict q) {
    #pragma clang fp reassociate(on) contract(fast)
    f64 s = 0;
    for (i64 x = 0; x < d; x++) s += (p[x] - q[x]) * (p[x] - q[x]);
    return s;
}
static i64 nearest(i64 k, i64 d, const f64 *restrict centres, const f64 *restrict p) {
    i64 best = k;
    f64 least = INFINITY;
    for (i64 c = 0; c < k; c++) {
        const f64 far = distance(d, p, centres + c * d);
        if (far < least) {
            least = far;
            best = c;
        }
    }
    return best;
}
static void add_to(i64 d, const f64 *restrict p, f64 *restrict sum) {
    for (i64 x = 0; x < d; x++) sum[x] += p[x];
}
static int give_means(void *const *out, i64 k, i64 d, f64 *sums, i64 *counts) {
    for (i64 c = 0; c < k; c++)
        for (i64 x = 0; x < d; x++) sums[c * d + x] /= (f64)(counts[c] > 1 ? counts[c] : 1);
    *(f64ss *)out[0] = (f64ss){sums, {k, d}, {d, 1}, NULL};
    GIVE(i64, 1, counts, k);
    return 0;
}
ENTRY(means_step) {
    const i64 k = LENGTH(f64, 0), d = ((const f64ss *)in[0])->shape[1], n = LENGTH(f64, 1);
    const f64 *restrict centres = IN(f64, 0), *restrict points = IN(f64, 1);
    f64 *restrict sums = KEPT(f64, k * d);
    i64 *restrict counts = KEPT(i64, k);
    memset(sums, 0, (size_t)(k * d) * sizeof(f64));
    memset(counts, 0, (size_t)k * sizeof(i64));
    for (i64 i = 0; i < n; i++) {
        const i64 group = nearest(k, d, centres, points + i * d);
        if (group == k) continue;
        counts[group]++;
        add_to(d, points + i * d, sums + group * d);
    }
    give_means(out, k, d, sums, counts);
    return DONE;
}
ENTRY(means_step_unfused) {
    const i64 k = LENGTH(f64, 0), d = ((const f64ss *)in[0])->shape[1], n = LENGTH(f64, 1);
    const f64 *restrict centres = IN(f64, 0), *restrict points = IN(f64, 1);
    f64 *restrict sums = KEPT(f64, k * d);
    i64 *restrict counts = KEPT(i64, k), *restrict groups = KEPT(i64, n);
    memset(sums, 0, (size_t)(k * d) * sizeof(f64));
    memset(counts, 0, (size_t)k * sizeof(i64));
    for (i64 i = 0; i < n; i++) groups[i] = nearest(k, d, centres, points + i * d);
    for (i64 i = 0; i < n; i++)
        if (groups[i] < k) counts[groups[i]]++;
    for (i64 i = 0; i < n; i++)
        if (groups[i] < k) add_to(d, points + i * d, sums + groups[i] * d);
    give_means(out, k, d, sums, counts);
    return DONE;
}

typedef uint8_t u8;
typedef ARRAY(u8, 1) u8s;
ENTRY(clamped_histogram) {
    const i64 k = SCALAR(i64, 0), n = LENGTH(i32, 1) * ((const f64ss *)in[1])->shape[1];
    const i32 *restrict img = IN(i32, 1);
    u8 *restrict o = KEPT(u8, k);
    memset(o, 0, (size_t)k);
    for (i64 i = 0; i < n; i++)
        if (img[i] >= 0 && img[i] < k && o[img[i]] < 255) o[img[i]]++;
    GIVE(u8, 0, o, k);
    return DONE;
}
ENTRY(clamped_histogram_unfused) { return clamped_histogram__uniform(ctx, out, in); }

/* The cells around one, and itself. */
static int around(i64 b, i64 c, i64 *near) {
    int count = 0;
    const i64 z = c / (b * b), y = c / b % b, x = c % b;
    for (i64 k = z - 1; k <= z + 1; k++)
        for (i64 j = y - 1; j <= y + 1; j++)
            for (i64 i = x - 1; i <= x + 1; i++)
                if (k >= 0 && k < b && j >= 0 && j < b && i >= 0 && i < b) near[count++] = (k * b + j) * b + i;
    return count;
}
#define GIVE_CELLS(K, DATA) (*(f64ss *)out[K] = (f64ss){(DATA), {b * b * b, m}, {m, 1}, NULL})
ENTRY(cell_forces) {
    const i64 b = SCALAR(i64, 0), m = ((const f64ss *)in[1])->shape[1];
    const f64 *restrict x = IN(f64, 1), *restrict y = IN(f64, 2), *restrict z = IN(f64, 3), *restrict charge = IN(f64, 4);
    f64 *restrict energy = KEPT(f64, b * b * b * m), *restrict fx = KEPT(f64, b * b * b * m),
        *restrict fy = KEPT(f64, b * b * b * m), *restrict fz = KEPT(f64, b * b * b * m);
    for (i64 c = 0; c < b * b * b; c++) {
        i64 near[27];
        const int count = around(b, c, near);
        for (i64 p = c * m; p < (c + 1) * m; p++) {
            f64 e = 0, ex = 0, ey = 0, ez = 0;
            for (int o = 0; o < count; o++)
                for (i64 q = near[o] * m; q < (near[o] + 1) * m; q++) {
                    const f64 dx = x[p] - x[q], dy = y[p] - y[q], dz = z[p] - z[q];
                    const f64 u = charge[q] * exp(-0.5 * (dx * dx + dy * dy + dz * dz));
                    e += u;
                    ex += u * dx;
                    ey += u * dy;
                    ez += u * dz;
                }
            energy[p] = e, fx[p] = ex, fy[p] = ey, fz[p] = ez;
        }
    }
    GIVE_CELLS(0, energy);
    GIVE_CELLS(1, fx);
    GIVE_CELLS(2, fy);
    GIVE_CELLS(3, fz);
    return DONE;
}
ENTRY(cell_forces_unfused) { return cell_forces__uniform(ctx, out, in); }

static i64 bin_of(i64 k, const f64 *restrict cosines, f64 c) {
    i64 low = 0, high = k;
    while (low < high) {
        const i64 mid = (low + high) / 2;
        if (c < cosines[mid]) low = mid + 1;
        else high = mid;
    }
    return low;
}
ENTRY(angles) {
    const i64 k = LENGTH(f64, 0), n = LENGTH(f64, 1), m = LENGTH(f64, 4);
    const f64 *restrict cosines = IN(f64, 0), *restrict ax = IN(f64, 1), *restrict ay = IN(f64, 2), *restrict az = IN(f64, 3),
              *restrict bx = IN(f64, 4), *restrict by = IN(f64, 5), *restrict bz = IN(f64, 6);
    i64 *restrict counts = KEPT(i64, k + 1);
    memset(counts, 0, (size_t)(k + 1) * sizeof(i64));
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) counts[bin_of(k, cosines, ax[i] * bx[j] + ay[i] * by[j] + az[i] * bz[j])]++;
    GIVE(i64, 0, counts, k + 1);
    return DONE;
}
ENTRY(angles_unfused) {
    const i64 k = LENGTH(f64, 0), n = LENGTH(f64, 1), m = LENGTH(f64, 4);
    const f64 *restrict cosines = IN(f64, 0), *restrict ax = IN(f64, 1), *restrict ay = IN(f64, 2), *restrict az = IN(f64, 3),
              *restrict bx = IN(f64, 4), *restrict by = IN(f64, 5), *restrict bz = IN(f64, 6);
    i64 *restrict counts = KEPT(i64, k + 1), *restrict bins = KEPT(i64, n * m);
    memset(counts, 0, (size_t)(k + 1) * sizeof(i64));
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++) bins[i * m + j] = bin_of(k, cosines, ax[i] * bx[j] + ay[i] * by[j] + az[i] * bz[j]);
    for (i64 i = 0; i < n * m; i++) counts[bins[i]]++;
    GIVE(i64, 0, counts, k + 1);
    return DONE;
}

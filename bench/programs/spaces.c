/* With-loops by hand: one sweep each, the edges apart from the interior. Clang does not vectorise the minimum or the
 * maximum of floats in one accumulator, since there may be a NaN. So there are LANES accumulators, or the maximum of
 * positive numbers is the maximum of their bits, which are in the same order. */
#include "support.h"

#define LANES 32
#define LESS(A, B) ((A) < (B) ? (A) : (B))
#define MORE(A, B) ((A) > (B) ? (A) : (B))

static f64 largest(const f64 *lanes) {
    f64 most = lanes[0];
    for (i64 k = 1; k < LANES; k++) most = MORE(lanes[k], most);
    return most;
}

#define GIVE_SQUARE(K, DATA, N) (*(f64ss *)out[K] = (f64ss){(DATA), {(N), (N)}, {(N), 1}, NULL})

ENTRY(space_min_max_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0], size = n * n;
    const f64 *restrict a = ((const f64ss *)in[0])->data;
    f64 least[LANES], most[LANES];
    for (i64 k = 0; k < LANES; k++) least[k] = INFINITY, most[k] = -INFINITY;
    i64 i = 0;
    for (; i + LANES <= size; i += LANES)
        for (i64 k = 0; k < LANES; k++) {
            least[k] = LESS(a[i + k], least[k]);
            most[k] = MORE(a[i + k], most[k]);
        }
    for (; i < size; i++) least[0] = LESS(a[i], least[0]), most[0] = MORE(a[i], most[0]);
    for (i64 k = 1; k < LANES; k++) least[0] = LESS(least[k], least[0]);
    GIVE_SCALAR(f64, 0, least[0]);
    GIVE_SCALAR(f64, 1, largest(most));
    return DONE;
}

ENTRY(space_min_max_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *restrict a = ((const f64ss *)in[0])->data;
    f64 least = INFINITY, most = -INFINITY;
    for (i64 i = 0; i < n * n; i++) least = a[i] < least ? a[i] : least;
    for (i64 i = 0; i < n * n; i++) most = a[i] > most ? a[i] : most;
    GIVE_SCALAR(f64, 0, least);
    GIVE_SCALAR(f64, 1, most);
    return DONE;
}

PASS void relaxed(i64 n, const f64 *restrict a, f64 *restrict o) {
    if (n > 0) {
        memcpy(o, a, (size_t)n * sizeof *o);
        memcpy(o + (n - 1) * n, a + (n - 1) * n, (size_t)n * sizeof *o);
    }
    for (i64 i = 1; i < n - 1; i++) {
        const f64 *restrict p = a + i * n;
        f64 *restrict q = o + i * n;
        q[0] = p[0];
        q[n - 1] = p[n - 1];
        for (i64 j = 1; j < n - 1; j++) q[j] = 0.25 * (((p[j - n] + p[j + n]) + p[j - 1]) + p[j + 1]);
    }
}

PASS f64 changed(i64 n, const f64 *restrict a, const f64 *restrict b) {
    f64 most = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 change = fabs(b[i] - a[i]);
        if (change > most) most = change;
    }
    return most;
}

#define FOUR(P, N, J) (0.25 * ((((P)[(J) - (N)] + (P)[(J) + (N)]) + (P)[(J) - 1]) + (P)[(J) + 1]))

ENTRY(space_relax_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *restrict a = ((const f64ss *)in[0])->data;
    f64 *restrict o = KEPT(f64, n * n);
    i64 most = 0;
    if (n > 0) {
        memcpy(o, a, (size_t)n * sizeof *o);
        memcpy(o + (n - 1) * n, a + (n - 1) * n, (size_t)n * sizeof *o);
    }
    for (i64 i = 1; i < n - 1; i++) {
        const f64 *restrict p = a + i * n;
        f64 *restrict q = o + i * n;
        q[0] = p[0];
        q[n - 1] = p[n - 1];
        for (i64 j = 1; j < n - 1; j++) {
            const f64 y = FOUR(p, n, j);
            const i64 change = bits_of(fabs(y - p[j]));
            q[j] = y;
            most = MORE(change, most);
        }
    }
    GIVE_SQUARE(0, o, n);
    GIVE_SCALAR(f64, 1, of_bits(most));
    return DONE;
}

ENTRY(space_relax_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *o = KEPT(f64, n * n);
    relaxed(n, a, o);
    GIVE_SQUARE(0, o, n);
    GIVE_SCALAR(f64, 1, changed(n * n, a, o));
    return DONE;
}

#define AROUND(C, UP, DOWN, RIGHT, LEFT) ((1.0 / 5.0) * (((C) + ((DOWN) + (UP))) + ((RIGHT) + (LEFT))))

ENTRY(space_convolve_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *restrict a = ((const f64ss *)in[0])->data;
    f64 *restrict o = KEPT(f64, n * n);
    i64 most = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 *restrict p = a + i * n;
        const f64 *restrict u = a + (i > 0 ? i - 1 : n - 1) * n, *restrict d = a + (i < n - 1 ? i + 1 : 0) * n;
        f64 *restrict q = o + i * n;
        q[0] = AROUND(p[0], u[0], d[0], p[n > 1 ? 1 : 0], p[n - 1]);
        q[n - 1] = AROUND(p[n - 1], u[n - 1], d[n - 1], p[0], p[n > 1 ? n - 2 : 0]);
        most = MORE(bits_of(fabs(q[0] - p[0])), most);
        most = MORE(bits_of(fabs(q[n - 1] - p[n - 1])), most);
        for (i64 j = 1; j < n - 1; j++) {
            const f64 y = AROUND(p[j], u[j], d[j], p[j + 1], p[j - 1]);
            const i64 change = bits_of(fabs(y - p[j]));
            q[j] = y;
            most = MORE(change, most);
        }
    }
    GIVE_SQUARE(0, o, n);
    GIVE_SCALAR(f64, 1, of_bits(most));
    return DONE;
}

PASS void moved(i64 n, i64 by, int down, const f64 *restrict a, f64 *restrict o) {
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < n; j++)
            o[i * n + j] = down ? a[(i + by + n) % n * n + j] : a[i * n + (j + by + n) % n];
}

ENTRY(space_convolve_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0], size = n * n;
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *s = KEPT(f64, size), *t = KEPT(f64, size), *u = KEPT(f64, size), *o = KEPT(f64, size);
    moved(n, 1, 1, a, s);
    moved(n, -1, 1, a, t);
    f64_add(size, s, t, u);
    f64_add(size, a, u, o);
    moved(n, 1, 0, a, s);
    moved(n, -1, 0, a, t);
    f64_add(size, s, t, u);
    f64_add(size, o, u, s);
    f64_mul_by(size, s, 1.0 / 5.0, o);
    GIVE_SQUARE(0, o, n);
    GIVE_SCALAR(f64, 1, changed(size, a, o));
    return DONE;
}

/* The points of one colour: two columns at a time, one of which is copied. */
ENTRY(space_red_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *restrict a = ((const f64ss *)in[0])->data;
    f64 *restrict o = KEPT(f64, n * n);
    if (n > 0) {
        memcpy(o, a, (size_t)n * sizeof *o);
        memcpy(o + (n - 1) * n, a + (n - 1) * n, (size_t)n * sizeof *o);
    }
    for (i64 i = 1; i < n - 1; i++) {
        const f64 *restrict p = a + i * n;
        f64 *restrict q = o + i * n;
        i64 j = i % 2 == 1 ? 1 : 2;
        for (i64 k = 0; k < j; k++) q[k] = p[k];
        for (; j + 1 < n - 1; j += 2) {
            q[j] = FOUR(p, n, j);
            q[j + 1] = p[j + 1];
        }
        if (j < n - 1) q[j] = FOUR(p, n, j), j++;
        for (; j < n; j++) q[j] = p[j];
    }
    GIVE_SQUARE(0, o, n);
    return DONE;
}

PASS void red(i64 n, i64 first, const f64 *a, f64 *o) {
    for (i64 i = first; i < n - 1; i += 2)
        for (i64 j = first; j < n - 1; j += 2) o[i * n + j] = FOUR(a + i * n, n, j);
}

ENTRY(space_red_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0];
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *o = KEPT(f64, n * n);
    memcpy(o, a, (size_t)(n * n) * sizeof *o);
    red(n, 1, a, o);
    red(n, 2, a, o);
    GIVE_SQUARE(0, o, n);
    return DONE;
}

ENTRY(space_grid_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict a = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    i64 i = 0;
    for (; i + 2 < n; i += 3) o[i] = 2 * a[i], o[i + 1] = 0, o[i + 2] = 0;
    for (i64 first = i; i < n; i++) o[i] = i == first ? 2 * a[i] : 0;
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(space_grid_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    const f64 *a = IN(f64, 0);
    f64 *o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = 0;
    for (i64 i = 0; i < n; i += 3) o[i] = 2 * a[i];
    GIVE(f64, 0, o, n);
    return DONE;
}

/* One row of bands: w of every s elements. */
PASS void bands(i64 n, i64 s, i64 w, const f64 *restrict p, f64 *restrict q) {
    for (i64 t = 0; t < n; t += s) {
        const i64 end = LESS(t + w, n), next = LESS(t + s, n);
        for (i64 j = t; j < end; j++) q[j] = 2 * p[j] + 1;
        for (i64 j = end; j < next; j++) q[j] = 0;
    }
}

ENTRY(space_blocks_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0], s = SCALAR(i64, 1), w = SCALAR(i64, 2);
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *o = KEPT(f64, n * n);
    for (i64 t = 0; t < n; t += s) {
        const i64 end = LESS(t + w, n), next = LESS(t + s, n);
        for (i64 i = t; i < end; i++) bands(n, s, w, a + i * n, o + i * n);
        memset(o + end * n, 0, (size_t)((next - end) * n) * sizeof *o);
    }
    GIVE_SQUARE(0, o, n);
    return DONE;
}

ENTRY(space_blocks_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0], s = SCALAR(i64, 1), w = SCALAR(i64, 2);
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *o = KEPT(f64, n * n);
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < n; j++) o[i * n + j] = i % s < w && j % s < w ? 2 * a[i * n + j] + 1 : 0;
    GIVE_SQUARE(0, o, n);
    return DONE;
}

ENTRY(space_bands_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict a = IN(f64, 0);
    f64 *restrict o = KEPT(f64, n);
    i64 t = 0;
    for (; t + 16 <= n; t += 16) {
        for (i64 j = 0; j < 4; j++) o[t + j] = 2 * a[t + j] + 1;
        for (i64 j = 4; j < 16; j++) o[t + j] = 0;
    }
    for (i64 j = t; j < n; j++) o[j] = j < t + 4 ? 2 * a[j] + 1 : 0;
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(space_bands_f64_unfused) {
    const i64 n = LENGTH(f64, 0);
    const f64 *a = IN(f64, 0);
    f64 *o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = i % 16 < 4 ? 2 * a[i] + 1 : 0;
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(space_bands_given_f64) {
    const i64 n = LENGTH(f64, 0);
    f64 *o = KEPT(f64, n);
    bands(n, SCALAR(i64, 1), SCALAR(i64, 2), IN(f64, 0), o);
    GIVE(f64, 0, o, n);
    return DONE;
}

ENTRY(space_bands_given_f64_unfused) {
    const i64 n = LENGTH(f64, 0), s = SCALAR(i64, 1), w = SCALAR(i64, 2);
    const f64 *a = IN(f64, 0);
    f64 *o = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) o[i] = i % s < w ? 2 * a[i] + 1 : 0;
    GIVE(f64, 0, o, n);
    return DONE;
}

PASS void box(i64 n, i64 w, f64 by, f64 plus, f64 *o) {
    for (i64 i = 0; i < w; i++)
        for (i64 j = 0; j < w; j++) o[i * n + j] = by * o[i * n + j] + plus;
}

/* The square is copied once, and changed in place. */
ENTRY(space_boxes_f64) {
    const i64 n = ((const f64ss *)in[0])->shape[0], w = n / 4;
    f64 *o = KEPT(f64, n * n);
    memcpy(o, ((const f64ss *)in[0])->data, (size_t)(n * n) * sizeof *o);
    for (i64 k = 0; k < 32; k++) {
        f64 *first = o + k * w / 16 * n;
        box(n, w, 0.5, 1, first);
        box(n, w, 0.25, 0, first + 2 * w);
    }
    GIVE_SQUARE(0, o, n);
    return DONE;
}

/* Each change makes another square. */
ENTRY(space_boxes_f64_unfused) {
    const i64 n = ((const f64ss *)in[0])->shape[0], w = n / 4;
    const f64 *a = ((const f64ss *)in[0])->data;
    f64 *made[2] = {KEPT(f64, n * n), KEPT(f64, n * n)};
    for (i64 k = 0; k < 32; k++) {
        f64 *o = made[k % 2], *first = o + k * w / 16 * n;
        memcpy(o, a, (size_t)(n * n) * sizeof *o);
        box(n, w, 0.5, 1, first);
        box(n, w, 0.25, 0, first + 2 * w);
        a = o;
    }
    GIVE_SQUARE(0, made[1], n);
    return DONE;
}

/* Grids and meshes: a step of heat in three dimensions, a chain of image filters, a step of a fluid. */
#include "support.h"
/* Products and sums are rounded one by one, as in Arr. */
#pragma STDC FP_CONTRACT OFF

typedef ARRAY(f32, 2) f32ss;
typedef ARRAY(f32, 3) f32sss;

static f32 heat(f32 up, f32 down, f32 north, f32 south, f32 west, f32 east, f32 here) {
    return 0.1f * (up + down + north + south + west + east) + 0.4f * here;
}
static void heat_row(i64 d, i64 w, const f32 *restrict a, f32 *restrict o) {
    o[0] = a[0];
    for (i64 k = 1; k < d - 1; k++)
        o[k] = heat(a[k - w * d], a[k + w * d], a[k - d], a[k + d], a[k - 1], a[k + 1], a[k]);
    o[d - 1] = a[d - 1];
}
ENTRY(heat_3d) {
    const f32sss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1], d = s->shape[2];
    const f32 *restrict a = s->data;
    f32 *restrict o = KEPT(f32, h * w * d);
    for (i64 i = 0; i < h; i++)
        for (i64 j = 0; j < w; j++) {
            const i64 at = (i * w + j) * d;
            if (i > 0 && i < h - 1 && j > 0 && j < w - 1 && d > 1) heat_row(d, w, a + at, o + at);
            else memcpy(o + at, a + at, (size_t)d * sizeof(f32));
        }
    *(f32sss *)out[0] = (f32sss){o, {h, w, d}, {w * d, d, 1}, NULL};
    return DONE;
}
ENTRY(heat_3d_unfused) { return heat_3d__uniform(ctx, out, in); }

static i64 clamped(i64 x, i64 n) { return x < 0 ? 0 : x > n - 1 ? n - 1 : x; }
static f32 taps(f32 a, f32 b, f32 c, f32 d, f32 e) {
    return 0.06f * a + 0.24f * b + 0.4f * c + 0.24f * d + 0.06f * e;
}
static f32 taps_at(i64 w, const f32 *restrict p, i64 x) {
    return taps(p[clamped(x - 2, w)], p[clamped(x - 1, w)], p[x], p[clamped(x + 1, w)], p[clamped(x + 2, w)]);
}
PASS void along_row(i64 w, const f32 *restrict p, f32 *restrict o) {
    const i64 first = w < 2 ? w : 2, last = w - 2 > first ? w - 2 : first;
    for (i64 x = 0; x < first; x++) o[x] = taps_at(w, p, x);
    for (i64 x = first; x < last; x++) o[x] = taps(p[x - 2], p[x - 1], p[x], p[x + 1], p[x + 2]);
    for (i64 x = last; x < w; x++) o[x] = taps_at(w, p, x);
}
PASS void across_rows(i64 w, const f32 *restrict a, const f32 *restrict b, const f32 *restrict c,
                      const f32 *restrict d, const f32 *restrict e, f32 *restrict o) {
    for (i64 x = 0; x < w; x++) o[x] = taps(a[x], b[x], c[x], d[x], e[x]);
}
static f32 slope(const f32 *restrict p, const f32 *restrict q, const f32 *restrict r, i64 l, i64 x, i64 e) {
    const f32 gx = (p[e] + 2 * q[e] + r[e]) - (p[l] + 2 * q[l] + r[l]);
    const f32 gy = (r[l] + 2 * r[x] + r[e]) - (p[l] + 2 * p[x] + p[e]);
    return sqrtf(gx * gx + gy * gy);
}
PASS void slopes(i64 w, const f32 *restrict p, const f32 *restrict q, const f32 *restrict r, f32 *restrict o) {
    o[0] = slope(p, q, r, 0, 0, clamped(1, w));
    for (i64 x = 1; x < w - 1; x++) o[x] = slope(p, q, r, x - 1, x, x + 1);
    if (w > 1) o[w - 1] = slope(p, q, r, w - 2, w - 1, w - 1);
}
/* A window of rows of each stage, in buffers that stay in the cache. */
enum { WINDOW = 8 };
ENTRY(edges_f32) {
    const f32ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    f32 *restrict o = KEPT(f32, h * w);
    f32 *rows = KEPT(f32, WINDOW * w), *soft = KEPT(f32, WINDOW * w);
#define AT(STAGE, Y) ((STAGE) + clamped(Y, h) % WINDOW * w)
    i64 made = 0, softened = 0;
    for (i64 y = 0; y < h; y++) {
        for (; softened <= y + 1 && softened < h; softened++) {
            for (; made <= softened + 2 && made < h; made++) along_row(w, s->data + made * w, AT(rows, made));
            across_rows(w, AT(rows, softened - 2), AT(rows, softened - 1), AT(rows, softened), AT(rows, softened + 1),
                        AT(rows, softened + 2), AT(soft, softened));
        }
        slopes(w, AT(soft, y - 1), AT(soft, y), AT(soft, y + 1), o + y * w);
    }
#undef AT
    *(f32ss *)out[0] = (f32ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}
ENTRY(edges_f32_unfused) {
    const f32ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    f32 *restrict o = KEPT(f32, h * w), *restrict rows = KEPT(f32, h * w), *restrict soft = KEPT(f32, h * w);
#define AT(STAGE, Y) ((STAGE) + clamped(Y, h) * w)
    for (i64 y = 0; y < h; y++) along_row(w, s->data + y * w, rows + y * w);
    for (i64 y = 0; y < h; y++)
        across_rows(w, AT(rows, y - 2), AT(rows, y - 1), AT(rows, y), AT(rows, y + 1), AT(rows, y + 2), soft + y * w);
    for (i64 y = 0; y < h; y++) slopes(w, AT(soft, y - 1), AT(soft, y), AT(soft, y + 1), o + y * w);
#undef AT
    *(f32ss *)out[0] = (f32ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}

/* The flow through a face: density, momentum, energy. */
typedef struct { f64 density, x, y, z, energy; } fluid;
static f64 pressure(fluid c) {
    return 0.4 * (c.energy - 0.5 * (c.x * c.x + c.y * c.y + c.z * c.z) / c.density);
}
static fluid flow(f64 nx, f64 ny, f64 nz, fluid c, f64 p) {
    const f64 through = nx * c.x + ny * c.y + nz * c.z, speed = through / c.density;
    return (fluid){through, speed * c.x + p * nx, speed * c.y + p * ny, speed * c.z + p * nz, speed * (c.energy + p)};
}
ENTRY(mesh_step) {
    const f64 dt = SCALAR(f64, 0);
    const i64 n = LENGTH(f64, 5);
    const i32 *restrict behind = IN(i32, 1);
    const f64 *restrict nx = IN(f64, 2), *restrict ny = IN(f64, 3), *restrict nz = IN(f64, 4);
    const f64 *restrict density = IN(f64, 5), *restrict x = IN(f64, 6), *restrict y = IN(f64, 7),
              *restrict z = IN(f64, 8), *restrict energy = IN(f64, 9);
    f64 *restrict o0 = KEPT(f64, n), *restrict o1 = KEPT(f64, n), *restrict o2 = KEPT(f64, n),
        *restrict o3 = KEPT(f64, n), *restrict o4 = KEPT(f64, n);
    for (i64 i = 0; i < n; i++) {
        const fluid c = {density[i], x[i], y[i], z[i], energy[i]};
        const f64 p = pressure(c);
        fluid s = {0, 0, 0, 0, 0};
        for (i64 f = 4 * i; f < 4 * i + 4; f++) {
            const i32 b = behind[f];
            if (b < 0) {
                s.x += p * nx[f];
                s.y += p * ny[f];
                s.z += p * nz[f];
            } else {
                const fluid d = {density[b], x[b], y[b], z[b], energy[b]};
                const fluid l = flow(nx[f], ny[f], nz[f], c, p), r = flow(nx[f], ny[f], nz[f], d, pressure(d));
                s.density += 0.5 * (l.density + r.density);
                s.x += 0.5 * (l.x + r.x);
                s.y += 0.5 * (l.y + r.y);
                s.z += 0.5 * (l.z + r.z);
                s.energy += 0.5 * (l.energy + r.energy);
            }
        }
        o0[i] = c.density - dt * s.density;
        o1[i] = c.x - dt * s.x;
        o2[i] = c.y - dt * s.y;
        o3[i] = c.z - dt * s.z;
        o4[i] = c.energy - dt * s.energy;
    }
    GIVE(f64, 0, o0, n);
    GIVE(f64, 1, o1, n);
    GIVE(f64, 2, o2, n);
    GIVE(f64, 3, o3, n);
    GIVE(f64, 4, o4, n);
    return DONE;
}
ENTRY(mesh_step_unfused) { return mesh_step__uniform(ctx, out, in); }

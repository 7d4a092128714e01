/* Stencils by hand: the rows around each row are chosen once, and only the ends of rows follow the boundary. A row
 * of constants stands for rows outside. Each axis has at least four elements. */
#include "support.h"

typedef ARRAY(f64, 3) f64sss;
typedef enum { CLAMP, WRAP, REFLECT, CONSTANT } Mode;
#define INLINE static inline __attribute__((always_inline))
#define OUTSIDE 0.5

/* The index that stands for k in an axis of n elements; -1 if the constant stands for it. */
INLINE i64 place(Mode mode, i64 n, i64 k) {
    if (0 <= k && k < n) return k;
    switch (mode) {
    case CLAMP: return k < 0 ? 0 : n - 1;
    case WRAP: return k < 0 ? k + n : k - n;
    case REFLECT: return k < 0 ? -1 - k : 2 * n - 1 - k;
    case CONSTANT: return -1;
    }
}
INLINE f64 element(Mode mode, i64 n, const f64 *row, i64 k) {
    const i64 at = place(mode, n, k);
    return at < 0 ? OUTSIDE : row[at];
}
/* A row of constants if the rows outside are constant. */
INLINE const f64 *outside(Mode mode, i64 n, f64 *row) {
    if (mode == CONSTANT)
        for (i64 j = 0; j < n; j++) row[j] = OUTSIDE;
    return row;
}

#define LINE(A, B, C, D, E) ((16 * ((B) + (D)) - ((A) + (E))) - 30 * (C))
INLINE void line(Mode mode, i64 n, const f64 *restrict x, f64 *restrict o) {
#define END(J) \
    o[J] = LINE(element(mode, n, x, (J) - 2), element(mode, n, x, (J) - 1), x[J], element(mode, n, x, (J) + 1), \
                element(mode, n, x, (J) + 2))
    END(0);
    END(1);
    for (i64 j = 2; j < n - 2; j++) o[j] = LINE(x[j - 2], x[j - 1], x[j], x[j + 1], x[j + 2]);
    END(n - 2);
    END(n - 1);
#undef END
}

/* A row, from the rows that are one and two away from it, and its own elements on both sides. */
#define CROSS(J, A, B, C, D) \
    ((16 * ((up[J] + down[J]) + ((B) + (C))) - ((up2[J] + down2[J]) + ((A) + (D)))) - 60 * x[J])
INLINE void cross(Mode mode, i64 n, const f64 *restrict up2, const f64 *restrict up, const f64 *restrict x,
                  const f64 *restrict down, const f64 *restrict down2, f64 *restrict o) {
#define END(J) \
    o[J] = CROSS(J, element(mode, n, x, (J) - 2), element(mode, n, x, (J) - 1), element(mode, n, x, (J) + 1), \
                 element(mode, n, x, (J) + 2))
    END(0);
    END(1);
    for (i64 j = 2; j < n - 2; j++) o[j] = CROSS(j, x[j - 2], x[j - 1], x[j + 1], x[j + 2]);
    END(n - 2);
    END(n - 1);
#undef END
}
#define ROW(D) (place(mode, n, i + (D)) < 0 ? edge : a + place(mode, n, i + (D)) * m)
INLINE void plane(Mode mode, i64 n, i64 m, const f64 *a, const f64 *edge, f64 *restrict o) {
    for (i64 i = 0; i < n; i++) cross(mode, m, ROW(-2), ROW(-1), a + i * m, ROW(1), ROW(2), o + i * m);
}
#undef ROW

#define STAR(J, A, B, C, D) \
    ((16 * (((up[J] + down[J]) + (left[J] + right[J])) + ((B) + (C))) \
      - (((up2[J] + down2[J]) + (left2[J] + right2[J])) + ((A) + (D)))) - 90 * x[J])
INLINE void star(Mode mode, i64 n, const f64 *restrict up2, const f64 *restrict up, const f64 *restrict left2,
                 const f64 *restrict left, const f64 *restrict x, const f64 *restrict right,
                 const f64 *restrict right2, const f64 *restrict down, const f64 *restrict down2, f64 *restrict o) {
#define END(J) \
    o[J] = STAR(J, element(mode, n, x, (J) - 2), element(mode, n, x, (J) - 1), element(mode, n, x, (J) + 1), \
                element(mode, n, x, (J) + 2))
    END(0);
    END(1);
    for (i64 j = 2; j < n - 2; j++) o[j] = STAR(j, x[j - 2], x[j - 1], x[j + 1], x[j + 2]);
    END(n - 2);
    END(n - 1);
#undef END
}
INLINE const f64 *row(i64 i, i64 j, i64 m, i64 l, const f64 *a, const f64 *edge) {
    return i < 0 || j < 0 ? edge : a + (i * m + j) * l;
}
#define ABOVE(D) row(place(mode, n, i + (D)), j, m, l, a, edge)
#define BESIDE(D) row(i, place(mode, m, j + (D)), m, l, a, edge)
INLINE void space(Mode mode, i64 n, i64 m, i64 l, const f64 *a, const f64 *edge, f64 *restrict o) {
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < m; j++)
            star(mode, l, ABOVE(-2), ABOVE(-1), BESIDE(-2), BESIDE(-1), a + (i * m + j) * l, BESIDE(1), BESIDE(2),
                 ABOVE(1), ABOVE(2), o + (i * m + j) * l);
}

#define ENTRIES(NAME, MODE) \
    ENTRY(NAME##_1_f64) { \
        const i64 n = LENGTH(f64, 0); \
        f64 *o = KEPT(f64, n); \
        line(MODE, n, IN(f64, 0), o); \
        GIVE(f64, 0, o, n); \
        return DONE; \
    } \
    ENTRY(NAME##_2_f64) { \
        const f64ss *s = in[0]; \
        const i64 n = s->shape[0], m = s->shape[1]; \
        f64 *o = KEPT(f64, n * m); \
        plane(MODE, n, m, s->data, outside(MODE, m, KEPT(f64, m)), o); \
        *(f64ss *)out[0] = (f64ss){o, {n, m}, {m, 1}, NULL}; \
        return DONE; \
    } \
    ENTRY(NAME##_3_f64) { \
        const f64sss *s = in[0]; \
        const i64 n = s->shape[0], m = s->shape[1], l = s->shape[2]; \
        f64 *o = KEPT(f64, n * m * l); \
        space(MODE, n, m, l, s->data, outside(MODE, l, KEPT(f64, l)), o); \
        *(f64sss *)out[0] = (f64sss){o, {n, m, l}, {m * l, l, 1}, NULL}; \
        return DONE; \
    } \
    ENTRY(NAME##_1_f64_unfused) { return NAME##_1_f64__uniform(ctx, out, in); } \
    ENTRY(NAME##_2_f64_unfused) { return NAME##_2_f64__uniform(ctx, out, in); } \
    ENTRY(NAME##_3_f64_unfused) { return NAME##_3_f64__uniform(ctx, out, in); }
ENTRIES(clamp, CLAMP)
ENTRIES(wrap, WRAP)
ENTRIES(reflect, REFLECT)
ENTRIES(constant, CONSTANT)

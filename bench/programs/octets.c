/* Bytes in, bytes out, by hand. There is nothing to fuse but the counts of neighbours. */
#include "support.h"

#include <stdbool.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef ARRAY(u8, 1) u8s;
typedef ARRAY(u8, 2) u8ss;
typedef ARRAY(u8, 3) u8sss;

/* In blocks, so that neither the lines that are read nor those that are written leave the cache before they are used up. */
ENTRY(turned_u8) {
    enum { BLOCK = 32 };
    const u8sss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    const u8 *restrict x = s->data;
    u8 *restrict o = KEPT(u8, 3 * h * w);
    for (i64 i0 = 0; i0 < w; i0 += BLOCK)
        for (i64 j0 = 0; j0 < h; j0 += BLOCK)
            for (i64 i = i0; i < w && i < i0 + BLOCK; i++)
                for (i64 j = j0; j < h && j < j0 + BLOCK; j++) {
                    const u8 *p = x + 3 * ((h - 1 - j) * w + i);
                    u8 *q = o + 3 * (i * h + j);
                    q[0] = p[0], q[1] = p[1], q[2] = p[2];
                }
    *(u8sss *)out[0] = (u8sss){o, {w, h, 3}, {3 * h, 3, 1}, NULL};
    return DONE;
}
ENTRY(turned_u8_unfused) { return turned_u8__uniform(ctx, out, in); }

/* The cells in a row that begins outside of the board, with a cell without life on each side. */
static const u8 *row_of(i64 h, i64 w, i64 i, const u8 *x, const u8 *none) { return i < 0 || i >= h ? none : x + i * w; }

ENTRY(neighbours_bool) {
    const u8ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    u8 *o = KEPT(u8, h * w), *none = KEPT(u8, w + 1);
    memset(none, 0, (size_t)w);
    for (i64 i = 0; i < h && w > 0; i++) {
        const u8 *restrict u = row_of(h, w, i - 1, s->data, none), *restrict a = s->data + i * w,
                 *restrict d = row_of(h, w, i + 1, s->data, none);
        u8 *restrict q = o + i * w;
        if (w == 1) {
            q[0] = (u8)(u[0] + d[0]);
            continue;
        }
        q[0] = (u8)(u[0] + u[1] + a[1] + d[0] + d[1]);
        for (i64 j = 1; j < w - 1; j++)
            q[j] = (u8)(u[j - 1] + u[j] + u[j + 1] + a[j - 1] + a[j + 1] + d[j - 1] + d[j] + d[j + 1]);
        q[w - 1] = (u8)(u[w - 2] + u[w - 1] + a[w - 2] + d[w - 2] + d[w - 1]);
    }
    *(u8ss *)out[0] = (u8ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}
PASS void added(i64 h, i64 w, i64 di, i64 dj, const u8 *restrict a, u8 *restrict o) {
    for (i64 i = di < 0; i < h - (di > 0); i++)
        for (i64 j = dj < 0; j < w - (dj > 0); j++) o[i * w + j] = (u8)(o[i * w + j] + a[(i + di) * w + j + dj]);
}
ENTRY(neighbours_bool_unfused) {
    const u8ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    u8 *o = KEPT(u8, h * w);
    memset(o, 0, (size_t)(h * w));
    for (i64 di = -1; di <= 1; di++)
        for (i64 dj = -1; dj <= 1; dj++)
            if (di != 0 || dj != 0) added(h, w, di, dj, s->data, o);
    *(u8ss *)out[0] = (u8ss){o, {h, w}, {w, 1}, NULL};
    return DONE;
}

ENTRY(base64_u8) {
    static const u8 letters[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const i64 k = LENGTH(u8, 0) / 3;
    const u8 *restrict x = IN(u8, 0);
    u8 *restrict o = KEPT(u8, 4 * k);
    for (i64 i = 0; i < k; i++) {
        const u32 bits = (u32)x[3 * i] << 16 | (u32)x[3 * i + 1] << 8 | x[3 * i + 2];
        o[4 * i] = letters[bits >> 18];
        o[4 * i + 1] = letters[bits >> 12 & 63];
        o[4 * i + 2] = letters[bits >> 6 & 63];
        o[4 * i + 3] = letters[bits & 63];
    }
    GIVE(u8, 0, o, 4 * k);
    return DONE;
}
ENTRY(base64_u8_unfused) { return base64_u8__uniform(ctx, out, in); }

/* One row of the table, in place: before its element j is the one of the row above, and left is the new one before it. */
ENTRY(edit_distance_u8) {
    const i64 n = LENGTH(u8, 0), m = LENGTH(u8, 1);
    const u8 *restrict x = IN(u8, 0), *restrict y = IN(u8, 1);
    i32 *restrict row = KEPT(i32, m + 1);
    for (i64 j = 0; j <= m; j++) row[j] = (i32)j;
    for (i64 i = 0; i < n; i++) {
        i32 before = row[0], left = (i32)(i + 1);
        row[0] = left;
        for (i64 j = 0; j < m; j++) {
            const i32 above = row[j + 1], change = before + (x[i] != y[j]);
            const i32 least = above < left ? above : left;
            left = change < least + 1 ? change : least + 1;
            row[j + 1] = left;
            before = above;
        }
    }
    GIVE_SCALAR(i32, 0, row[m]);
    return DONE;
}
ENTRY(edit_distance_u8_unfused) { return edit_distance_u8__uniform(ctx, out, in); }

/* Elements by their rank: the smallest ones in a sorted array of a hundred, the greatest ones of ten, the middle by partition, and the middles of
 * windows by networks of exchanges. No number is `nan`. There is nothing to fuse. */
#include "support.h"

typedef ARRAY(i32, 2) i32ss;
enum { SMALLEST = 100, GREATEST = 10 };

ENTRY(greatest_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, GREATEST);
    i64 count = 0;
    for (i64 i = 0; i < n; i++) {
        if (count == GREATEST && x[i] <= o[GREATEST - 1]) continue;
        i64 at = count < GREATEST ? count++ : GREATEST - 1;
        for (; at > 0 && o[at - 1] < x[i]; at--) o[at] = o[at - 1];
        o[at] = x[i];
    }
    GIVE(f64, 0, o, GREATEST);
    return DONE;
}
ENTRY(greatest_f64_unfused) { return greatest_f64__uniform(ctx, out, in); }

ENTRY(smallest_f64) {
    const i64 n = LENGTH(f64, 0);
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, SMALLEST);
    i64 count = 0;
    for (i64 i = 0; i < n; i++) {
        if (count == SMALLEST && x[i] >= o[SMALLEST - 1]) continue;
        i64 at = count < SMALLEST ? count++ : SMALLEST - 1;
        for (; at > 0 && o[at - 1] > x[i]; at--) o[at] = o[at - 1];
        o[at] = x[i];
    }
    GIVE(f64, 0, o, SMALLEST);
    return DONE;
}
ENTRY(smallest_f64_unfused) { return smallest_f64__uniform(ctx, out, in); }

/* The element at k of the sorted array; the array is partitioned on the way. */
static f64 ranked(i64 n, f64 *x, i64 k) {
    i64 low = 0, high = n - 1;
    while (low < high) {
        const f64 a = x[low], b = x[low + (high - low) / 2], c = x[high];
        const f64 pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        i64 i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            const f64 moved = x[i];
            x[i++] = x[j];
            x[j--] = moved;
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else break;
    }
    return x[k];
}
ENTRY(middle_f64) {
    const i64 n = LENGTH(f64, 0);
    f64 *x = KEPT(f64, n);
    memcpy(x, IN(f64, 0), (size_t)n * sizeof *x);
    GIVE_SCALAR(f64, 0, ranked(n, x, n / 2));
    return DONE;
}
ENTRY(middle_f64_unfused) { return middle_f64__uniform(ctx, out, in); }

#define EXCHANGE(T, A, B)                                                                              \
    do {                                                                                               \
        const T first = (B) < (A) ? (B) : (A), last = (B) < (A) ? (A) : (B);                           \
        (A) = first, (B) = last;                                                                       \
    } while (0)

static i32 middle_of_9(i32 a, i32 b, i32 c, i32 d, i32 e, i32 f, i32 g, i32 h, i32 i) {
#define X(A, B) EXCHANGE(i32, A, B)
    X(b, c); X(e, f); X(h, i); X(a, b); X(d, e); X(g, h); X(b, c); X(e, f); X(h, i); X(a, d);
    X(f, i); X(e, h); X(d, g); X(b, e); X(c, f); X(e, h); X(e, c); X(g, e); X(e, c);
#undef X
    return e;
}
ENTRY(median_filter_i32) {
    const i32ss *s = in[0];
    const i64 h = s->shape[0], w = s->shape[1];
    i32 *restrict o = KEPT(i32, (h - 2) * (w - 2));
    for (i64 y = 0; y < h - 2; y++) {
        const i32 *restrict a = s->data + y * w, *restrict b = a + w, *restrict c = b + w;
        for (i64 x = 0; x < w - 2; x++)
            o[y * (w - 2) + x] =
                middle_of_9(a[x], a[x + 1], a[x + 2], b[x], b[x + 1], b[x + 2], c[x], c[x + 1], c[x + 2]);
    }
    *(i32ss *)out[0] = (i32ss){o, {h - 2, w - 2}, {w - 2, 1}, NULL};
    return DONE;
}
ENTRY(median_filter_i32_unfused) { return median_filter_i32__uniform(ctx, out, in); }

static f32 middle_of_5(f32 a, f32 b, f32 c, f32 d, f32 e) {
#define X(A, B) EXCHANGE(f32, A, B)
    X(a, b); X(d, e); X(a, d); X(b, e); X(b, c); X(c, d); X(b, c);
#undef X
    return c;
}
ENTRY(median_filter_f32) {
    const i64 n = LENGTH(f32, 0);
    const f32 *restrict x = IN(f32, 0);
    f32 *restrict o = KEPT(f32, n - 4);
    for (i64 i = 0; i < n - 4; i++) o[i] = middle_of_5(x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4]);
    GIVE(f32, 0, o, n - 4);
    return DONE;
}
ENTRY(median_filter_f32_unfused) { return median_filter_f32__uniform(ctx, out, in); }

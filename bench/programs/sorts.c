/* Sorting by digits of eight bits, the lowest first: one pass counts all digits, and a digit that is the same in all
 * keys is skipped. Merging from runs of eight, and sums of groups. Without fusion, keys are an array of their own. */
#include "support.h"

#define UP_i32(X) ((uint32_t)(X) ^ 0x80000000u)
#define UP_i64(X) ((uint64_t)(X) ^ 0x8000000000000000u)
static inline uint32_t up_f32(f32 x) {
    uint32_t bits;
    x += 0.0f;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? UINT32_MAX : bits ^ ((uint32_t)((i32)bits >> 31) | 0x80000000u);
}
static inline uint64_t up_f64(f64 x) {
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? UINT64_MAX : bits ^ ((uint64_t)((i64)bits >> 63) | 0x8000000000000000u);
}
#define UP_f32 up_f32
#define UP_f64 up_f64

/* Sorts x into one of two buffers; K are unsigned integers of the width of T. */
#define RADIX(T, K)                                                                                    \
    static T *radix_##T(i64 n, const T *restrict x, T *a, T *b) {                                      \
        enum { DIGITS = sizeof(T) };                                                                   \
        i64 counts[DIGITS][256] = {{0}};                                                               \
        for (i64 i = 0; i < n; i++) {                                                                  \
            const K key = UP_##T(x[i]);                                                                \
            for (int d = 0; d < DIGITS; d++) counts[d][(key >> (8 * d)) & 255]++;                      \
        }                                                                                              \
        const T *from = x;                                                                             \
        T *to = a, *other = b;                                                                         \
        for (int d = 0; d < DIGITS; d++) {                                                             \
            if (d > 0 && n > 0 && counts[d][(UP_##T(x[0]) >> (8 * d)) & 255] == n) continue;           \
            i64 at[256], sum = 0;                                                                      \
            for (int g = 0; g < 256; g++) {                                                            \
                at[g] = sum;                                                                           \
                sum += counts[d][g];                                                                   \
            }                                                                                          \
            for (i64 i = 0; i < n; i++) {                                                              \
                const T e = from[i];                                                                   \
                to[at[(UP_##T(e) >> (8 * d)) & 255]++] = e;                                            \
            }                                                                                          \
            from = to;                                                                                 \
            to = other;                                                                                \
            other = (T *)from;                                                                         \
        }                                                                                              \
        return (T *)from;                                                                              \
    }                                                                                                  \
    PASS void keys_##T(i64 n, const T *restrict x, K *restrict k) {                                    \
        for (i64 i = 0; i < n; i++) k[i] = UP_##T(x[i]);                                               \
    }                                                                                                  \
    /* The same, with the keys beside the elements. */                                                 \
    static T *pairs_##T(i64 n, const T *restrict x, K *k, T *a, T *b, K *l) {                          \
        T *from = a, *to = b;                                                                          \
        memcpy(a, x, (size_t)n * sizeof *a);                                                           \
        for (int d = 0; d < (int)sizeof(T); d++) {                                                     \
            i64 counts[256] = {0}, sum = 0;                                                            \
            for (i64 i = 0; i < n; i++) counts[(k[i] >> (8 * d)) & 255]++;                             \
            for (int g = 0; g < 256; g++) {                                                            \
                const i64 count = counts[g];                                                           \
                counts[g] = sum;                                                                       \
                sum += count;                                                                          \
            }                                                                                          \
            for (i64 i = 0; i < n; i++) {                                                              \
                const i64 at = counts[(k[i] >> (8 * d)) & 255]++;                                      \
                to[at] = from[i];                                                                      \
                l[at] = k[i];                                                                          \
            }                                                                                          \
            T *const other = from;                                                                     \
            K *const keys = k;                                                                         \
            from = to, to = other, k = l, l = keys;                                                    \
        }                                                                                              \
        return from;                                                                                   \
    }                                                                                                  \
    ENTRY(sort_##T) {                                                                                  \
        const i64 n = LENGTH(T, 0);                                                                    \
        T *a = KEPT(T, n), *b = KEPT(T, n);                                                            \
        T *sorted = radix_##T(n, IN(T, 0), a, b);                                                      \
        GIVE(T, 0, sorted, n);                                                                         \
        return DONE;                                                                                   \
    }                                                                                                  \
    ENTRY(sort_##T##_unfused) {                                                                        \
        const i64 n = LENGTH(T, 0);                                                                    \
        T *a = KEPT(T, n), *b = KEPT(T, n);                                                            \
        K *k = KEPT(K, n), *l = KEPT(K, n);                                                            \
        keys_##T(n, IN(T, 0), k);                                                                      \
        T *sorted = pairs_##T(n, IN(T, 0), k, a, b, l);                                                \
        GIVE(T, 0, sorted, n);                                                                         \
        return DONE;                                                                                   \
    }
RADIX(i32, uint32_t)
RADIX(i64, uint64_t)
RADIX(f32, uint32_t)
RADIX(f64, uint64_t)

/* Keys with positions. */
typedef struct {
    uint64_t key;
    i64 at;
} place;

ENTRY(order_i64) {
    const i64 n = LENGTH(i64, 0);
    const i64 *restrict x = IN(i64, 0);
    place *from = KEPT(place, n), *to = KEPT(place, n);
    i64 *o = KEPT(i64, n);
    i64 counts[8][256] = {{0}};
    for (i64 i = 0; i < n; i++) {
        const uint64_t key = UP_i64(x[i]);
        from[i] = (place){key, i};
        for (int d = 0; d < 8; d++) counts[d][(key >> (8 * d)) & 255]++;
    }
    for (int d = 0; d < 8; d++) {
        if (n > 0 && counts[d][(UP_i64(x[0]) >> (8 * d)) & 255] == n) continue;
        i64 at[256], sum = 0;
        for (int g = 0; g < 256; g++) {
            at[g] = sum;
            sum += counts[d][g];
        }
        for (i64 i = 0; i < n; i++) to[at[(from[i].key >> (8 * d)) & 255]++] = from[i];
        place *const other = from;
        from = to, to = other;
    }
    for (i64 i = 0; i < n; i++) o[i] = from[i].at;
    GIVE(i64, 0, o, n);
    return DONE;
}

ENTRY(order_i64_unfused) {
    const i64 n = LENGTH(i64, 0);
    i64 *a = KEPT(i64, n), *b = KEPT(i64, n), *positions = KEPT(i64, n);
    uint64_t *k = KEPT(uint64_t, n), *l = KEPT(uint64_t, n);
    for (i64 i = 0; i < n; i++) positions[i] = i;
    keys_i64(n, IN(i64, 0), k);
    i64 *sorted = pairs_i64(n, positions, k, a, b, l);
    GIVE(i64, 0, sorted, n);
    return DONE;
}

/* Runs of eight by insertion, and then merged. */
PASS void runs_of_eight(i64 n, const i64 *restrict x, i64 *restrict o) {
    for (i64 i = 0; i < n; i++) {
        i64 at = i;
        for (; at > i - i % 8 && x[i] < o[at - 1]; at--) o[at] = o[at - 1];
        o[at] = x[i];
    }
}

PASS void merge_all(i64 n, i64 width, const i64 *restrict from, i64 *restrict to) {
    for (i64 start = 0; start < n; start += 2 * width) {
        const i64 middle = start + width < n ? start + width : n;
        const i64 end = middle + width < n ? middle + width : n;
        i64 l = start, r = middle, at = start;
        while (l < middle && r < end) {
            const i64 x = from[l], y = from[r];
            const int is_left = !(y < x);
            to[at++] = is_left ? x : y;
            l += is_left;
            r += !is_left;
        }
        while (l < middle) to[at++] = from[l++];
        while (r < end) to[at++] = from[r++];
    }
}

#define MERGED                                                     \
    const i64 n = LENGTH(i64, 0);                                  \
    i64 *from = KEPT(i64, n), *to = KEPT(i64, n);                  \
    runs_of_eight(n, IN(i64, 0), from);                            \
    for (i64 width = 8; width < n; width *= 2) {                   \
        merge_all(n, width, from, to);                             \
        i64 *const other = from;                                   \
        from = to, to = other;                                     \
    }                                                              \
    GIVE(i64, 0, from, n);                                         \
    return DONE;
ENTRY(sort_merged_i64) { MERGED }
ENTRY(sort_merged_i64_unfused) { MERGED }

/* Sums of groups; keys outside are left out. */
ENTRY(group_sum_i32) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict key = IN(i32, 0), *restrict value = IN(i32, 1);
    wrap_i32 *restrict o = KEPT(wrap_i32, 1000);
    memset(o, 0, 1000 * sizeof *o);
    for (i64 i = 0; i < n; i++)
        if ((uint32_t)key[i] < 1000) o[key[i]] += (wrap_i32)value[i];
    GIVE(i32, 0, (i32 *)o, 1000);
    return DONE;
}

PASS void i64_keys(i64 n, const i32 *restrict key, i64 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = key[i];
}

ENTRY(group_sum_i32_unfused) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict value = IN(i32, 1);
    i64 *key = KEPT(i64, n);
    wrap_i32 *restrict o = KEPT(wrap_i32, 1000);
    i64_keys(n, IN(i32, 0), key);
    memset(o, 0, 1000 * sizeof *o);
    for (i64 i = 0; i < n; i++)
        if (key[i] >= 0 && key[i] < 1000) o[key[i]] += (wrap_i32)value[i];
    GIVE(i32, 0, (i32 *)o, 1000);
    return DONE;
}

ENTRY(group_sum_16_f64) {
    const i64 n = LENGTH(i32, 0);
    const i32 *restrict key = IN(i32, 0);
    const f64 *restrict value = IN(f64, 1);
    f64 *restrict o = KEPT(f64, 16);
    memset(o, 0, 16 * sizeof *o);
    for (i64 i = 0; i < n; i++)
        if ((uint32_t)key[i] < 16) o[key[i]] += value[i];
    GIVE(f64, 0, o, 16);
    return DONE;
}

ENTRY(group_sum_16_f64_unfused) {
    const i64 n = LENGTH(i32, 0);
    const f64 *restrict value = IN(f64, 1);
    i64 *key = KEPT(i64, n);
    f64 *restrict o = KEPT(f64, 16);
    i64_keys(n, IN(i32, 0), key);
    memset(o, 0, 16 * sizeof *o);
    for (i64 i = 0; i < n; i++)
        if (key[i] >= 0 && key[i] < 16) o[key[i]] += value[i];
    GIVE(f64, 0, o, 16);
    return DONE;
}

/* The parts that the baselines share: arrays as arrc passes them, buffers that stay from call to call, and
 * the loops of single combinators, from which the unfused versions are built. */
#ifndef ARR_BENCH_SUPPORT_H
#define ARR_BENCH_SUPPORT_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;
/* Arithmetic of i32 and i64 wraps, as unsigned arithmetic does. */
typedef uint32_t wrap_i32;
typedef uint64_t wrap_i64;
typedef double wrap_f64;

#define ARRAY(T, RANK) struct { T *data; i64 shape[RANK], stride[RANK]; void *owner; }
typedef ARRAY(i32, 1) i32s;
typedef ARRAY(i64, 1) i64s;
typedef ARRAY(f32, 1) f32s;
typedef ARRAY(f64, 1) f64s;
typedef ARRAY(f64, 2) f64ss;

/* Before a loop that threads share, if the program is compiled with OpenMP; with its clauses. */
#ifdef _OPENMP
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define PARALLEL(...) PRAGMA(omp parallel for simd schedule(static) num_threads(THREADS) __VA_ARGS__)
/* Its threads wait for the next loop on their cores, for 200 ms by default, and would slow down what is measured then. */
void kmp_set_blocktime(int milliseconds);
static __attribute__((constructor)) void wait_shortly(void) { kmp_set_blocktime(1); }
#else
#define PARALLEL(...)
#endif

/* An entry, and its K-th input or output. */
#define ENTRY(NAME) int NAME##__uniform(void *ctx, void *const *out, const void *const *in)
#define IN(T, K) (((const T##s *)in[K])->data)
#define LENGTH(T, K) (((const T##s *)in[K])->shape[0])
#define SCALAR(T, K) (*(const T *)in[K])
#define GIVE(T, K, DATA, COUNT) (*(T##s *)out[K] = (T##s){(DATA), {(COUNT)}, {1}, NULL})
#define GIVE_SCALAR(T, K, VALUE) (*(T *)out[K] = (VALUE))
#define DONE ((void)ctx, (void)in, 0)

/* The bits of a double as a number. Those of positive doubles are in the same order. */
static inline i64 bits_of(f64 x) {
    i64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline f64 of_bits(i64 bits) {
    f64 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A buffer that stays from call to call, and the list of those in this program. */
typedef struct Kept {
    void *data;
    size_t size;
    struct Kept *next;
} Kept;
static Kept *all_kept;

/* The buffer's memory, with room for this many bytes. */
static inline void *kept(Kept *buffer, size_t bytes) {
    if (buffer->size < bytes) {
        if (buffer->size == 0) {
            buffer->next = all_kept;
            all_kept = buffer;
        }
        free(buffer->data);
        buffer->data = malloc(bytes);
        buffer->size = bytes;
    }
    return buffer->data;
}
#define KEPT(T, COUNT) __extension__({ static Kept kept_buffer; (T *)kept(&kept_buffer, (size_t)(COUNT) * sizeof(T)); })

/* Frees the buffers, so that the next program has the memory. */
ENTRY(release_buffers) {
    (void)out;
    for (; all_kept; all_kept = all_kept->next) {
        free(all_kept->data);
        all_kept->data = NULL;
        all_kept->size = 0;
    }
    return DONE;
}

/* Single combinators, each a pass of its own. */
#define PASS static __attribute__((noinline, unused))
#define PASSES(T) \
    PASS void T##_add(i64 n, const T *restrict a, const T *restrict b, T *restrict o) { \
        for (i64 i = 0; i < n; i++) o[i] = (T)((wrap_##T)a[i] + (wrap_##T)b[i]); \
    } \
    PASS void T##_mul(i64 n, const T *restrict a, const T *restrict b, T *restrict o) { \
        for (i64 i = 0; i < n; i++) o[i] = (T)((wrap_##T)a[i] * (wrap_##T)b[i]); \
    } \
    PASS void T##_add_to(i64 n, const T *restrict a, T k, T *restrict o) { \
        for (i64 i = 0; i < n; i++) o[i] = (T)((wrap_##T)a[i] + (wrap_##T)k); \
    } \
    PASS void T##_mul_by(i64 n, const T *restrict a, T k, T *restrict o) { \
        for (i64 i = 0; i < n; i++) o[i] = (T)((wrap_##T)a[i] * (wrap_##T)k); \
    } \
    PASS i64 T##_above(i64 n, const T *restrict a, T k, T *restrict o) { \
        i64 j = 0; \
        for (i64 i = 0; i < n; i++) if (a[i] > k) o[j++] = a[i]; \
        return j; \
    } \
    PASS T T##_sum(i64 n, const T *restrict a) { \
        wrap_##T s = 0; \
        for (i64 i = 0; i < n; i++) s += (wrap_##T)a[i]; \
        return (T)s; \
    } \
    PASS T T##_most(i64 n, const T *restrict a, T most) { \
        for (i64 i = 0; i < n; i++) most = a[i] > most ? a[i] : most; \
        return most; \
    } \
    PASS T T##_least(i64 n, const T *restrict a, T least) { \
        for (i64 i = 0; i < n; i++) least = a[i] < least ? a[i] : least; \
        return least; \
    }
PASSES(i32)
PASSES(i64)
PASSES(f64)
#endif

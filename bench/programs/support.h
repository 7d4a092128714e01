/* What the baselines share: array structs as arrc passes them, and buffers that stay from call to call. */
#ifndef ARR_BENCH_SUPPORT_H
#define ARR_BENCH_SUPPORT_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { int64_t *data; int64_t shape[1], stride[1]; void *owner; } i64_array;
typedef struct { double *data; int64_t shape[1], stride[1]; void *owner; } f64_array;

/* A buffer of at least that many bytes, kept for the next call. */
static inline void *kept(void **buffer, size_t *size, size_t bytes) {
    if (*size < bytes) {
        free(*buffer);
        *buffer = malloc(bytes);
        *size = bytes;
    }
    return *buffer;
}

#define KEPT(bytes) __extension__({ static void *buffer; static size_t size; kept(&buffer, &size, (bytes)); })

static inline i64_array i64_result(int64_t *data, int64_t count) {
    i64_array array = {data, {count}, {1}, NULL};
    return array;
}

static inline f64_array f64_result(double *data, int64_t count) {
    f64_array array = {data, {count}, {1}, NULL};
    return array;
}
#endif

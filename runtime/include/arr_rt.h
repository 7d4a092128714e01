#ifndef ARR_RT_H
#define ARR_RT_H
/* The functions that only compiled code calls. This file is no part of
 * generated headers: it declares in C what arrc_llvm declares, and the tests of
 * the runtime use it. Include arr_runtime.h before.
 *
 * An entry begins with arr_rt_enter and ends with arr_rt_leave; functions
 * return a code, and return at once when a callee returned another than 0:
 *
 *     int entry(arr_context *context, arr_f64_1d *output, arr_f64_1d input) {
 *         int code = arr_rt_enter(context);
 *         return code ? code : arr_rt_leave(context, body(context, output, input));
 *     }
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Code refers to this symbol, so that it does not link with a runtime of
 * another ABI. */
extern const uint32_t arr_runtime_abi_10;

/* The first field of an arr_context: functions that recurse compare the
 * address of their frame with it, and fail with ARR_ERROR_STACK below it. */
typedef struct arr_context_head {
    uintptr_t stack_limit;
} arr_context_head;

/* A place in the source, and the name that a message mentions. */
typedef struct arr_site {
    const char *file;
    const char *what;
    uint32_t line;
    uint32_t column;
    /* If the code at the place was inlined into a caller: the place of the
     * call, whose `what` is the inlined function. Else NULL. */
    const struct arr_site *caller;
} arr_site;

/* Begins a call. Returns ARR_OK, or the code that the entry returns at once,
 * without arr_rt_leave: ARR_ERROR_BUSY, or ARR_ERROR_ARGUMENT for NULL. */
int arr_rt_enter(arr_context *context);

/* Ends a call: frees every buffer that was not detached, returns the code. */
int arr_rt_leave(arr_context *context, int code);

/* Notes why the call fails, and returns the code. Later reasons are ignored.
 *   INDEX a: index, b: length       SIZE what: combinator, a: size
 *   SHAPE what: "xs\nys", a, b      MEMORY what: for what, a: bytes
 *   STACK what: function            POWER a: exponent
 *   ARGUMENT what: parameter, a: its size if that is negative; else its data
 *   is NULL, and a its size (0: just "is NULL") */
int arr_rt_fail(arr_context *context, int code, const arr_site *site, int64_t a, int64_t b);

/* The same, in the words of the site's text. The bytes 1 to 5 in it stand for
 * the values, in order: 1 int64_t, 2 uint64_t, 3 a truth value, 4 the bits of
 * a double, 5 those of a float. */
int arr_rt_fail_with(arr_context *context, int code, const arr_site *site, const uint64_t *values);

/* Notes a call through which a failure is propagated, and returns the code. The
 * `what` of the site is the function that was called. */
int arr_rt_pass(arr_context *context, int code, const arr_site *site);

/* The code to return after arr_rt_alloc or a similar function has given NULL. */
int arr_rt_code(const arr_context *context);

/* A buffer with reference count 1 for `count` elements; NULL on failure. The
 * elements start at (char *)buffer + 64, which is a multiple of 64, and the 64
 * bytes behind them may be read and written. */
arr_buffer *arr_rt_alloc(arr_context *context, int64_t count, int64_t elem_bytes, const arr_site *site);

/* The same for at most `count` elements; arr_rt_slice sets their number later.
 * From then on, memory in pages of its own counts as in use. */
arr_buffer *arr_rt_reserve(arr_context *context, int64_t count, int64_t elem_bytes, const arr_site *site);

/* A buffer with reference count 1 that begins with the used bytes at data and
 * has room for more behind them; NULL on failure. Takes over the reference to
 * owner, the buffer that contains the data, or NULL. The data is copied if owner
 * is NULL, or has other references, or does not begin with the data. */
arr_buffer *arr_rt_extend(arr_context *context, arr_buffer *owner, const void *data, int64_t used_bytes,
                          int64_t more_bytes, const arr_site *site);

/* An array whose elements steps change by an operation that may be done in any
 * order: its first element, the bytes of an element, and how many it has. */
typedef struct arr_bins {
    void *data;
    size_t width;
    size_t count;
} arr_bins;

/* A vector to which steps append elements. */
typedef struct arr_filled {
    void *data;
    /* The bytes of an element. */
    int64_t width;
    /* The number of its elements, and the first step whose elements it has. */
    int64_t count;
    int64_t first;
} arr_filled;

/* How a pass runs: its trip count, the steps of a block, and the estimated time
 * of a step in picoseconds. */
typedef struct arr_trips {
    int64_t steps;
    int64_t block;
    int64_t cost;
} arr_trips;

/* A pass whose steps may run in slices. `slice` runs the steps from `from` to
 * `to`. It begins with neutral accumulators and writes the results to `totals`;
 * it changes elements of `bins` and appends elements to `filled`. `carries` are the accumulators that steps
 * read: `slice` gets their values before its first step, and leaves those after
 * its last one. `join` combines the accumulators of some steps (`left`) with
 * those of the steps that follow, and is NULL if there are none; `bytes` is the
 * size of the accumulators. `bins` is the number of arrays whose elements
 * change. `first` fills those of a thread so that they change nothing when
 * `merge` adds them to others; both are NULL if there are none. `vectors` is the
 * number of vectors. `sum` writes to
 * `sums` the values that steps add to the carries, and `carry` adds these values
 * to them; both are NULL if blocks have to run in order, or there are no
 * carries. `carried` is the size of the carries. */
typedef struct arr_sliced {
    int (*slice)(arr_context *context, const void *frame, int64_t from, int64_t to, void *totals, const arr_bins *bins,
                 arr_filled *filled, void *carries);
    int (*join)(arr_context *context, const void *frame, void *left, const void *right);
    size_t bytes;
    size_t bins;
    int (*first)(arr_context *context, const void *frame, const arr_bins *bins, const arr_bins *of_pass);
    int (*merge)(arr_context *context, const void *frame, const arr_bins *bins, const arr_bins *others);
    size_t vectors;
    int (*sum)(arr_context *context, const void *frame, int64_t from, int64_t to, void *sums);
    int (*carry)(arr_context *context, const void *frame, void *carries, const void *sums);
    size_t carried;
    /* arr_parallel_for */
    arr_parallel_fn *pool;
} arr_sliced;

/* Lends the threads of the pool. The runtime's definition is weak, and does
 * nothing. */
void arr_parallel_for(void *user, int64_t copies, void (*body)(void *argument), void *argument);

/* Runs a pass in one thread or several. `totals` has room for the accumulators
 * of 64 blocks, and begins afterwards with the accumulators of all steps. */
int arr_rt_slices(arr_context *context, const arr_sliced *pass, const arr_trips *trips, void *frame, void *totals,
                  const arr_bins *bins, arr_filled *filled, void *carries);

/* Calls that do not depend on each other: each reads its arguments from the
 * frame, and leaves its results there. `follows` is 1 if the call before it
 * has ended in the same context, so that it can append to what that gave, and
 * otherwise 0. At most 8. */
typedef struct arr_forked {
    int (*const *calls)(arr_context *context, void *frame, int32_t follows);
    size_t count;
    /* arr_parallel_for */
    arr_parallel_fn *pool;
} arr_forked;

/* Makes the calls, which work on `elements` elements in total: on several
 * threads if these are enough, or else in order. Returns ARR_OK, or the code of
 * the first call that failed. */
int arr_rt_fork(arr_context *context, const arr_forked *forked, void *frame, int64_t elements);

/* A dense row-major copy of a strided input, in a buffer of the call; NULL on
 * failure. */
arr_buffer *arr_rt_dense(arr_context *context, const void *data, const int64_t *shape,
                         const int64_t *stride, int64_t rank, int64_t elem_bytes);

/* Sorts `count` numbers of 32 bits, integers of 64 bits, or doubles, from one
 * array to another. Only the positions from `first` on and before `end` are put
 * in order. `order` is a sum: 1 if the highest number comes first, 2 for
 * integers without a sign, 4 for floats. The sort is stable, and nan is above
 * all numbers. It stops early if the call is cancelled. */
void arr_rt_sort_32(const arr_context *context, const void *from, void *to, int64_t count,
                    int64_t first, int64_t end, int order);
void arr_rt_sort_64(const arr_context *context, const void *from, void *to, int64_t count,
                    int64_t first, int64_t end, int order);
void arr_rt_sort_f64(const arr_context *context, const void *from, void *to, int64_t count,
                     int64_t first, int64_t end, int order);

/* The positions, of type int64_t, of `count` numbers of 64 bits in order. */
void arr_rt_order(const arr_context *context, const void *from, void *to, int64_t count,
                  int order);

/* The elements of `count` positions of the first dimension, from `first` on, in
 * row-major order, to memory that has room for them. */
void arr_rt_gather(const void *data, const int64_t *shape, const int64_t *stride, int64_t rank,
                   int64_t elem_bytes, int64_t first, int64_t count, void *to);

/* The highest level of x86-64 that the processor has. 1 for other processors. */
int arr_rt_cpu_level(void);

/* Memory of the caller for a result, and how many elements passes may write
 * there. */
typedef struct arr_destination {
    void *data;
    size_t count;
    size_t bytes;
    /* How many arrays share the memory. */
    size_t inputs;
} arr_destination;

/* How many destinations share memory with an array. Their `count` becomes 0. */
int arr_rt_overlap(arr_destination *destinations, int64_t destination_count, const void *data,
                   const int64_t *shape, const int64_t *stride, int64_t rank, int64_t elem_bytes);

/* Prints a value, given its place with the description of its type, and pointers to its name and its components. */
void arr_rt_trace(const arr_site *site, const void *const *values);

/* Adds a reference, and removes one; NULL does nothing. */
void arr_rt_retain(arr_buffer *buffer);
void arr_rt_release(arr_buffer *buffer);

/* Shrinks a buffer: only `used_bytes` bytes of elements are used from now on.
 * Never fails. May return another buffer, and then frees the old one. */
arr_buffer *arr_rt_slice(arr_buffer *buffer, int64_t used_bytes);

/* Gives a buffer with its references to the caller of the entry, for whom
 * `used_bytes` bytes of elements are used. May move it as arr_rt_slice does. */
arr_buffer *arr_rt_detach(arr_buffer *buffer, int64_t used_bytes);

/* Notes that an external returned a code, and returns the code with which the
 * call fails. The `what` of the site is the external. The message contains the
 * reason that the external gave by arr_context_fail or arr_buffer_new. */
int arr_rt_external_failed(arr_context *context, int code, const arr_site *site);

/* Takes an array struct that an external has filled: makes the array dense, in
 * a buffer of the call. Returns ARR_OK, or the code with which the call fails
 * if the struct is no array. */
int arr_rt_take(arr_context *context, void *array, int64_t rank, int64_t elem_bytes, const arr_site *site);

#ifdef __cplusplus
}
#endif
#endif

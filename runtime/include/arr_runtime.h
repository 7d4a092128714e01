#ifndef ARR_RUNTIME_H
#define ARR_RUNTIME_H
/* What every compiled Arr program shares: contexts, errors and memory.
 *
 *     arr_context *ctx = arr_context_new(NULL);
 *     if (entry(ctx, &output, input) != ARR_OK) {
 *         fprintf(stderr, "%s\n", arr_context_error(ctx));
 *     }
 *     arr_context_free(ctx);
 *
 * Link the runtime (libarr_runtime.a, with -lm -lpthread), unless the library
 * that you use has it inside. No function here aborts, prints, or installs a
 * handler; wherever a pointer is asked for, NULL does no harm.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an entry returns. Any code but ARR_OK comes with a message in the
 * context, nothing is left allocated, and the outputs hold no result. */
enum arr_code {
    ARR_OK = 0,
    /* An index lies outside its array. */
    ARR_ERROR_INDEX = 1,
    /* An integer was divided by zero. */
    ARR_ERROR_DIVISION = 2,
    /* An array would have a negative size. */
    ARR_ERROR_SIZE = 3,
    /* Two inputs whose sizes have to be equal differ. */
    ARR_ERROR_SHAPE = 4,
    /* Memory ran out, or the context's memory_limit was reached. */
    ARR_ERROR_MEMORY = 5,
    /* A recursion went too deep for the stack. */
    ARR_ERROR_STACK = 6,
    /* A pointer is NULL, or an input's shape is negative. */
    ARR_ERROR_ARGUMENT = 7,
    /* Another call runs in the context; its message stays. */
    ARR_ERROR_BUSY = 8,
    /* An integer was raised to a negative power. */
    ARR_ERROR_POWER = 9,
    /* A slice does not lie in its array. */
    ARR_ERROR_SLICE = 10,
    /* A range does not lead from its first number to its last. */
    ARR_ERROR_RANGE = 11,
    /* An array is not of the size that the program says with :>. */
    ARR_ERROR_COERCION = 12,
    /* What the program asserts does not hold. */
    ARR_ERROR_ASSERTION = 13,
    /* A function that the program calls, an external, failed. */
    ARR_ERROR_EXTERNAL = 14
};

/* What calls share. One call at a time may use a context; use several
 * contexts for calls at the same time. */
typedef struct arr_context arr_context;

/* The memory behind an array that a call returned. */
typedef struct arr_buffer arr_buffer;

/* Memory for so many bytes, aligned as by malloc, or NULL. Neither this nor
 * arr_free_fn may throw, or call a function of this header. */
typedef void *arr_alloc_fn(void *user, size_t bytes);

/* Takes back what arr_alloc_fn gave, with the bytes that were asked for. */
typedef void arr_free_fn(void *user, void *memory, size_t bytes);

/* How a context is to be. Call arr_options_init, then set what you need. */
typedef struct arr_options {
    /* sizeof(arr_options): tells the runtime which fields you know. */
    size_t size;
    /* The most bytes that the arrays of the context may take at any time,
     * returned ones and what is kept for the next ones included, with 128
     * bytes for each array. An array whose length is not known beforehand
     * counts for the most that it can become, until it is. 0: no limit. */
    size_t memory_limit;
    /* The most bytes of stack that a recursion may use. 0: what the thread
     * has. On a stack that you made yourself (a coroutine's), say how much
     * there is below the call, less some 64 KiB. */
    size_t stack_limit;
    /* Where memory comes from and goes to, both or neither; called by any
     * thread that calls an entry or frees an array. They have to work until
     * the context and every array of its calls are freed. */
    arr_alloc_fn *alloc;
    arr_free_fn *free;
    /* Passed to alloc and free. */
    void *user;
    /* The most bytes that the context keeps of arrays that were freed, for
     * its next ones: fresh memory costs more than most of what is computed in
     * it. 0: 1 GiB; 1: none. With alloc and free, nothing is kept. */
    size_t pool_limit;
} arr_options;

/* What a context knows about its memory. Bytes count 128 for each array
 * besides its elements, except where it says otherwise. */
typedef struct arr_stats {
    /* In use now, arrays that were returned and not yet freed included, and
     * what is reserved and not used not. */
    uint64_t bytes_live;
    /* The most in use at once since the last call began. */
    uint64_t bytes_peak;
    /* How many arrays the last call allocated, and how often they got more
     * memory to grow. */
    uint64_t call_allocations;
    /* Bytes of elements, and nothing else, that the last call allocated or
     * reserved. */
    uint64_t call_bytes;
    /* Arrays that the last call kept to its end and did not return. */
    uint64_t call_left_over;
    /* Memory of arrays that were freed, kept for the next ones. */
    uint64_t bytes_kept;
    /* Zero. */
    uint64_t reserved[2];
} arr_stats;

/* Sets the defaults: no limits, the C library's memory. */
static inline void arr_options_init(arr_options *options) {
    if (options != NULL) {
        options->size = sizeof(arr_options);
        options->memory_limit = 0;
        options->stack_limit = 0;
        options->alloc = NULL;
        options->free = NULL;
        options->user = NULL;
        options->pool_limit = 0;
    }
}

/* A context; NULL for the options means the defaults. Returns NULL if there
 * is no memory, or the runtime does not know an option that is set. */
arr_context *arr_context_new(const arr_options *options);

/* Frees a context in which no call runs. Arrays that its calls returned stay;
 * free them before or after. A call that a longjmp out of an external has left
 * counts as one that runs: the context stays as it was, other calls with it
 * return ARR_ERROR_BUSY, and all that is left to do is to free it, in the thread
 * that made the call. That frees what the call allocated, too. */
void arr_context_free(arr_context *context);

/* Why the last call failed, such as "hull.arr:12:9: division by zero"; "" if
 * it did not. Valid until the next call or the context's end. */
const char *arr_context_error(const arr_context *context);

/* What the last call returned: one of enum arr_code. */
int arr_context_error_code(const arr_context *context);

/* Writes what the context knows about its memory. */
void arr_context_stats(const arr_context *context, arr_stats *stats);

/* Gives back the memory that the context keeps for its next arrays. Any
 * thread may, at any time. */
void arr_context_trim(arr_context *context);

/* Frees the memory of an array that a call returned, if no other array shares
 * it. The functions arr_..._free do it for you. Any thread may, at any time;
 * the context may be gone, or NULL. */
void arr_buffer_release(arr_context *context, arr_buffer *buffer);

/* For functions that Arr calls, externals: says why the function fails, and
 * returns the code to return, as in `return arr_context_fail(ctx, "why");`. */
int arr_context_fail(arr_context *context, const char *text);

/* For functions that Arr calls: what arr_..._new do. Memory for a result of
 * that shape, with so many bytes an element; NULL if there is none, or owner is
 * NULL, or no call runs, and then the function returns another code than
 * ARR_OK. */
void *arr_buffer_new(arr_context *context, const int64_t *shape, int64_t rank, int64_t bytes, arr_buffer **owner);

/* The version of the runtime, such as "0.1.0". */
const char *arr_version(void);

#ifdef __cplusplus
}
#endif
#endif

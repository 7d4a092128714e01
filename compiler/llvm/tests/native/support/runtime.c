/* A runtime for tests: as plain as can be, and it counts what is alive. Each buffer is an allocation
   of its own with guard bytes behind its slack, which are checked when it is freed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arr_buffer {
    /* Compiled code reads these three. No buffer is from a list. */
    uint32_t count, list;
    int64_t bytes;
    struct arr_buffer *next;
    struct arr_context *context;
    int32_t detached;
} arr_buffer;

typedef struct arr_context {
    uintptr_t stack_limit;
    /* Counters and lists of small buffers, of which there are none. */
    uint64_t small[4 + 18 + 2];
    /* From one element on, calls run by arr_rt_fork. */
    uint64_t tasks_from;
    /* No pass is short. */
    uint64_t short_pass;
    /* The caller's memory for results. */
    void *destinations;
    arr_buffer *buffers;
    int32_t busy, code;
    int64_t live, limit;
    char message[512];
} arr_context;

typedef struct { const char *file, *what; int32_t line, column; const void *caller; } site;

enum { HEADER = 64, SLACK = 64, GUARD = 64 };

char arr_runtime_abi_10;

static void damaged(const char *why) {
    fprintf(stderr, "test runtime: %s\n", why);
    abort();
}

arr_context *test_context_new(void) {
    arr_context *context = calloc(1, sizeof *context);
    context->limit = INT64_MAX;
    context->tasks_from = 1;
    return context;
}
void test_limit(arr_context *context, int64_t bytes) { context->limit = bytes; }
int64_t test_live(arr_context *context) { return context->live; }
const char *test_message(arr_context *context) { return context->message; }
void test_context_free(arr_context *context) { free(context); }

int32_t arr_rt_enter(arr_context *context) {
    if (context->busy) return 8;
    char here;
    context->busy = 1;
    context->code = 0;
    context->message[0] = 0;
    context->stack_limit = (uintptr_t)&here - (256 << 10);
    return 0;
}

int32_t arr_rt_fail(arr_context *context, int32_t code, const site *at, int64_t a, int64_t b) {
    context->code = code;
    snprintf(context->message, sizeof context->message, "%s:%d:%d %d [%s] %lld %lld", at->file, at->line,
             at->column, code, at->what, (long long)a, (long long)b);
    for (char *c = context->message; *c; c++)
        if (*c == '\n') *c = '|';
    return code;
}

int32_t arr_rt_fail_with(arr_context *context, int32_t code, const site *at, const int64_t *values) {
    int64_t first = 0, count = 0;
    for (const char *c = at->what; *c; c++)
        if (*c <= 5) first = count++ ? first : values[0];
    return arr_rt_fail(context, code, at, first, count);
}

int32_t arr_rt_pass(arr_context *context, int32_t code, const site *at) {
    size_t length = strlen(context->message);
    snprintf(context->message + length, sizeof context->message - length, " < %s:%d", at->what, at->line);
    return code;
}

int32_t arr_rt_code(arr_context *context) { return context->code; }

static void destroy(arr_buffer *buffer) {
    arr_context *context = buffer->context;
    arr_buffer **link = &context->buffers;
    while (*link && *link != buffer) link = &(*link)->next;
    if (!*link) damaged("a buffer is freed twice");
    *link = buffer->next;
    const unsigned char *guard = (unsigned char *)buffer + HEADER + buffer->bytes + SLACK;
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != 0xa5) damaged("something was written behind a buffer");
    context->live--;
    /* What is used after this is not by accident what it was. */
    memset(buffer, 0xdd, HEADER + buffer->bytes);
    free(buffer);
}

arr_buffer *arr_rt_alloc(arr_context *context, int64_t count, int64_t elem_bytes, const site *at) {
    int64_t bytes;
    if (!context->busy) damaged("an allocation outside of a call");
    if (__builtin_mul_overflow(count, elem_bytes, &bytes) || bytes > context->limit) {
        arr_rt_fail(context, 5, at, count, elem_bytes);
        return NULL;
    }
    int64_t whole = (HEADER + bytes + SLACK + GUARD + 63) / 64 * 64;
    arr_buffer *buffer = aligned_alloc(64, whole);
    memset(buffer, 0xcc, whole);
    memset((char *)buffer + HEADER + bytes + SLACK, 0xa5, GUARD);
    *buffer = (arr_buffer){ 1, 0, bytes, context->buffers, context, 0 };
    context->buffers = buffer;
    context->live++;
    return buffer;
}

arr_buffer *arr_rt_reserve(arr_context *context, int64_t count, int64_t elem_bytes, const site *at) {
    return arr_rt_alloc(context, count, elem_bytes, at);
}

void arr_rt_retain(arr_buffer *buffer) {
    if (buffer) buffer->count++;
}
void arr_rt_release(arr_buffer *buffer) {
    if (buffer && --buffer->count == 0) destroy(buffer);
}
/* Always moves, which the real one may. */
arr_buffer *arr_rt_slice(arr_buffer *buffer, int64_t used) {
    static const site nowhere = { "", "", 0, 0, 0 };
    if (used < 0 || used > buffer->bytes) damaged("a slice of more than there is");
    arr_buffer *new = arr_rt_alloc(buffer->context, used, 1, &nowhere);
    memcpy((char *)new + HEADER, (char *)buffer + HEADER, used);
    destroy(buffer);
    return new;
}

/* Cuts what nobody else has, as the real one does. */
arr_buffer *arr_rt_detach(arr_buffer *buffer, int64_t used) {
    if (buffer && buffer->count == 1) buffer = arr_rt_slice(buffer, used);
    if (buffer) buffer->detached = 1;
    return buffer;
}

/* Stays where there is room behind, else moves. */
arr_buffer *arr_rt_extend(arr_context *context, arr_buffer *owner, const char *data, int64_t used, int64_t more,
                          const site *at) {
    int64_t needed;
    if (used < 0 || more < 0 || __builtin_add_overflow(used, more, &needed)) {
        arr_rt_fail(context, 5, at, used, more);
        return NULL;
    }
    if (owner && owner->count == 1 && data == (char *)owner + HEADER && needed <= owner->bytes) return owner;
    arr_buffer *new = arr_rt_alloc(context, more < 4096 ? needed + more : needed, 1, at);
    if (new) {
        memcpy((char *)new + HEADER, data, used);
        arr_rt_release(owner);
    }
    return new;
}

void arr_rt_gather(const char *data, const int64_t *shape, const int64_t *stride, int64_t rank, int64_t elem_bytes,
                   int64_t first, int64_t count, char *to) {
    int64_t row = 1;
    for (int64_t d = 1; d < rank; d++) row *= shape[d];
    for (int64_t i = 0; i < count * row; i++) {
        int64_t rest = i % row, at = (first + i / row) * stride[0];
        for (int64_t d = rank - 1; d >= 1; d--) {
            at += rest % shape[d] * stride[d];
            rest /= shape[d];
        }
        memcpy(to + i * elem_bytes, data + at * elem_bytes, elem_bytes);
    }
}

arr_buffer *arr_rt_dense(arr_context *context, const char *data, const int64_t *shape, const int64_t *stride,
                         int64_t rank, int64_t elem_bytes) {
    static const site nowhere = { "", "dense", 0, 0, 0 };
    int64_t count = 1;
    for (int64_t d = 0; d < rank; d++) count *= shape[d];
    arr_buffer *buffer = arr_rt_alloc(context, count, elem_bytes, &nowhere);
    for (int64_t i = 0; buffer && i < count; i++) {
        int64_t rest = i, at = 0;
        for (int64_t d = rank - 1; d >= 0; d--) {
            at += rest % shape[d] * stride[d];
            rest /= shape[d];
        }
        memcpy((char *)buffer + HEADER + i * elem_bytes, data + at * elem_bytes, elem_bytes);
    }
    return buffer;
}

typedef struct {
    char *data;
    size_t count, bytes, inputs;
} destination;

/* Takes every array for a dense one. */
int32_t arr_rt_overlap(destination *destinations, int64_t count, const char *data, const int64_t *shape,
                       const int64_t *stride, int64_t rank, int64_t elem_bytes) {
    int32_t overlaps = 0;
    size_t bytes = elem_bytes;
    (void)stride;
    for (int64_t dim = 0; dim < rank; dim++) bytes *= shape[dim];
    for (destination *at = destinations; at < destinations + count; at++)
        if (data < at->data + at->bytes && at->data < data + bytes) {
            at->count = 0;
            at->inputs++;
            overlaps++;
        }
    return overlaps;
}

int32_t arr_rt_leave(arr_context *context, int32_t code) {
    if (!context->busy) damaged("a call ends that did not begin");
    for (arr_buffer *buffer = context->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        if (!buffer->detached) {
            if (code == 0) damaged("a call that ends well has not released everything");
            destroy(buffer);
        }
    }
    context->busy = 0;
    context->destinations = NULL;
    return code;
}

typedef struct {
    char *data;
    int64_t width, count, first;
} filled;

typedef struct {
    char *data;
    size_t width, count;
} bins;

typedef struct {
    uint32_t *places;
    char *values;
    size_t count;
} changes;

typedef struct {
    int64_t steps, block, cost;
} trips;

typedef struct {
    int32_t (*slice)(arr_context *, const void *frame, int64_t from, int64_t to, void *totals, const bins *, filled *,
                     void *carries);
    int32_t (*join)(arr_context *, const void *frame, void *left, const void *right);
    size_t bytes, bins;
    int32_t (*first)(arr_context *, const void *frame, bins *own, const bins *of_pass);
    int32_t (*merge)(arr_context *, const void *frame, const bins *into, const bins *from);
    int32_t (*list)(arr_context *, const void *frame, int64_t from, int64_t to, const bins *, changes *);
    int32_t (*make)(arr_context *, const void *frame, const bins *, const changes *);
    size_t vectors;
    int32_t (*sum)(arr_context *, const void *frame, int64_t from, int64_t to, void *sums);
    int32_t (*carry)(arr_context *, const void *frame, void *carries, const void *sums);
    size_t carried;
    void (*pool)(void *, int64_t, void (*)(void *), void *);
} sliced;

void arr_parallel_for(void *user, int64_t copies, void (*body)(void *), void *argument) {
    (void)user, (void)copies, (void)body, (void)argument;
    damaged("nobody asks for threads");
}

/* Joins the accumulators of `count` blocks, in the place of the first. */
static int32_t joined(arr_context *context, const sliced *pass, void *frame, char *blocks, int64_t count) {
    int64_t left = 1;
    if (count < 2) return 0;
    while (2 * left < count) left *= 2;
    char *right = blocks + left * pass->bytes;
    int32_t code = joined(context, pass, frame, blocks, left);
    if (!code) code = joined(context, pass, frame, right, count - left);
    return code ? code : pass->join(context, frame, blocks, right);
}

/* The carries before each block, and in the end those behind the last one. */
static char *carries_of(arr_context *context, const sliced *pass, const trips *run, void *frame, const void *carries,
                        int64_t count) {
    char *all = malloc((count + 1) * pass->carried + 1), *sums = malloc(pass->carried + 1);
    memcpy(all, carries, pass->carried);
    for (int64_t at = 0; at < count; at++) {
        char *next = all + (at + 1) * pass->carried;
        int64_t from = at * run->block, to = from + run->block < run->steps ? from + run->block : run->steps;
        memcpy(next, all + at * pass->carried, pass->carried);
        /* A block that fails here fails again when its steps run. */
        if (pass->sum(context, frame, from, to, sums) || pass->carry(context, frame, next, sums)) break;
    }
    free(sums);
    return all;
}

/* The vectors of one block, each with room for its steps. */
static filled *own(const sliced *pass, const filled *all, int64_t from, int64_t block) {
    filled *vectors = calloc(pass->vectors + 1, sizeof *vectors);
    for (size_t i = 0; i < pass->vectors; i++) {
        vectors[i] = (filled){malloc(all[i].width * block + 1), all[i].width, 0, from};
    }
    return vectors;
}

/* The bins of one block, with values that change no others. */
static bins *own_bins(arr_context *context, const sliced *pass, void *frame, const bins *all) {
    bins *own = calloc(pass->bins + 1, sizeof *own);
    for (size_t i = 0; i < pass->bins; i++) {
        own[i] = (bins){malloc(all[i].width * all[i].count + 1), all[i].width, all[i].count};
    }
    if (pass->bins && pass->first(context, frame, own, all)) damaged("bins cannot be filled");
    return own;
}

/* Adds the bins of a block to those of the pass. */
static void merge(arr_context *context, const sliced *pass, void *frame, const bins *all, bins *own) {
    if (pass->bins && pass->merge(context, frame, all, own)) damaged("bins cannot be merged");
    for (size_t i = 0; i < pass->bins; i++) free(own[i].data);
    free(own);
}

/* Lists the changes of a block, and makes them. */
static int32_t listed(arr_context *context, const sliced *pass, void *frame, int64_t from, int64_t to, const bins *all) {
    size_t steps = to - from;
    changes own = {malloc(4 * steps + 1), malloc(all->width * steps + 1), 0};
    int32_t code = pass->list(context, frame, from, to, all, &own);
    if (own.count > steps) damaged("a step changes more than one bin");
    for (size_t i = 0; i < own.count; i++) {
        if (own.places[i] >= all->count) damaged("a change is of no bin");
    }
    if (!code && pass->make(context, frame, all, &own)) damaged("changes cannot be made");
    free(own.places), free(own.values);
    return code;
}

/* Puts the elements of a block behind those of the blocks before. */
static void append(const sliced *pass, filled *all, filled *vectors) {
    for (size_t i = 0; i < pass->vectors; i++) {
        int64_t width = all[i].width;
        memcpy(all[i].data + all[i].count * width, vectors[i].data, vectors[i].count * width);
        all[i].count += vectors[i].count;
        free(vectors[i].data);
    }
    free(vectors);
}

/* Each block is a slice, and the last one runs first: so a slice that needs what another one did is found. Only blocks whose
 * carries cannot be had before run in order. */
int32_t arr_rt_slices(arr_context *context, const sliced *pass, const trips *run, void *frame, char *totals,
                      const bins *of_pass, filled *all, void *carries) {
    int64_t count = (run->steps + run->block - 1) / run->block;
    int is_ordered = pass->carried && !pass->sum;
    char *blocks = pass->join ? malloc(count * pass->bytes) : NULL;
    char *before = pass->sum ? carries_of(context, pass, run, frame, carries, count) : NULL;
    filled **vectors = calloc(count + 1, sizeof *vectors);
    int32_t code = 0;
    if (run->cost < 1) damaged("a step takes no time");
    for (int64_t i = 0; i < count && !(is_ordered && code); i++) {
        int64_t at = is_ordered ? i : count - 1 - i, from = at * run->block;
        int64_t to = from + run->block < run->steps ? from + run->block : run->steps;
        vectors[at] = own(pass, all, from, to - from);
        if (pass->list && at % 2) {
            int32_t failed = listed(context, pass, frame, from, to, of_pass);
            if (failed) code = failed;
            continue;
        }
        bins *counts = own_bins(context, pass, frame, of_pass);
        int32_t failed = pass->slice(context, frame, from, to, blocks ? blocks + at * pass->bytes : NULL, counts,
                                     vectors[at], before ? before + at * pass->carried : carries);
        merge(context, pass, frame, of_pass, counts);
        if (failed) code = failed;
    }
    for (int64_t at = 0; at < count && vectors[at]; at++) append(pass, all, vectors[at]);
    if (!code && blocks) code = joined(context, pass, frame, blocks, count);
    if (!code && blocks) memcpy(totals, blocks, pass->bytes);
    /* The last block leaves the carries behind all steps. */
    if (!code && before && count) memcpy(carries, before + (count - 1) * pass->carried, pass->carried);
    free(blocks), free(before), free(vectors);
    return code;
}

typedef struct { int32_t (*const *calls)(arr_context *, void *, int32_t follows); size_t count; void *pool; } forked;

/* The last call is made first: so one that needs what another gave is found. The first failure by position stands. */
int32_t arr_rt_fork(arr_context *context, const forked *fork, void *frame, int64_t elements) {
    int32_t code = 0;
    if (elements < 1) damaged("a fork without elements");
    for (size_t i = fork->count; i-- > 0;) {
        int32_t own = fork->calls[i](context, frame, 0);
        if (own) code = own;
    }
    return code;
}

/* Searches in graphs by hand: every array is updated in place, and nothing is allocated on the way. There is nothing to fuse. */
#include "support.h"

/* The vertices in the order in which they are reached lie in one array, in which the levels follow one another. */
static i64 *searched(i64 n, const i64 *restrict offsets, const i64 *restrict targets, i64 start, i64 *restrict depths,
                     i64 *restrict queue) {
    for (i64 v = 0; v < n; v++) depths[v] = -1;
    depths[start] = 0;
    queue[0] = start;
    for (i64 first = 0, last = 1; first < last; first++) {
        const i64 v = queue[first], depth = depths[v] + 1;
        for (i64 e = offsets[v]; e < offsets[v + 1]; e++) {
            const i64 w = targets[e];
            if (depths[w] < 0) {
                depths[w] = depth;
                queue[last++] = w;
            }
        }
    }
    return depths;
}

static int search(void *const *out, const void *const *in) {
    const i64 n = LENGTH(i64, 0) - 1;
    i64 *depths = KEPT(i64, n), *queue = KEPT(i64, n);
    GIVE(i64, 0, searched(n, IN(i64, 0), IN(i64, 1), SCALAR(i64, 2), depths, queue), n);
    return 0;
}
#define SEARCH(NAME) ENTRY(NAME) { return search(out, in) + DONE; }
SEARCH(levels_i64)
SEARCH(levels_i64_unfused)
SEARCH(levels_flatmap_i64)
SEARCH(levels_flatmap_i64_unfused)
SEARCH(queue_i64)
SEARCH(queue_i64_unfused)

typedef struct {
    f64 key;
    i64 vertex;
} Item;

static inline void push(Item *restrict heap, i64 place, Item item) {
    for (; place > 0; place = (place - 1) / 2) {
        const Item above = heap[(place - 1) / 2];
        if (above.key <= item.key) break;
        heap[place] = above;
    }
    heap[place] = item;
}

/* Takes the first item out of so many, and moves the last one to its place. */
static inline void pop(Item *restrict heap, i64 last) {
    const Item item = heap[last];
    i64 place = 0;
    for (i64 child; (child = 2 * place + 1) < last; place = child) {
        child += child + 1 < last && heap[child + 1].key < heap[child].key;
        if (heap[child].key >= item.key) break;
        heap[place] = heap[child];
    }
    heap[place] = item;
}

ENTRY(shortest_f64) {
    const i64 n = LENGTH(i64, 0) - 1, m = LENGTH(i64, 1), start = SCALAR(i64, 3);
    const i64 *restrict offsets = IN(i64, 0), *restrict targets = IN(i64, 1);
    const f64 *restrict lengths = IN(f64, 2);
    f64 *restrict ways = KEPT(f64, n);
    Item *restrict heap = KEPT(Item, m + 1);
    for (i64 v = 0; v < n; v++) ways[v] = INFINITY;
    ways[start] = 0;
    heap[0] = (Item){0, start};
    for (i64 count = 1; count > 0;) {
        const Item first = heap[0];
        pop(heap, --count);
        if (first.key > ways[first.vertex]) continue;
        for (i64 e = offsets[first.vertex]; e < offsets[first.vertex + 1]; e++) {
            const i64 w = targets[e];
            const f64 longer = first.key + lengths[e];
            if (longer < ways[w]) {
                ways[w] = longer;
                push(heap, count++, (Item){longer, w});
            }
        }
    }
    GIVE(f64, 0, ways, n);
    return DONE;
}
ENTRY(shortest_f64_unfused) { return shortest_f64__uniform(ctx, out, in); }

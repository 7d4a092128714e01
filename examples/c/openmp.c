/* Lends the threads of OpenMP to calls: each pass of an entry runs on them, and on no others.
 *
 *     arrc build examples/mandelbrot.arr
 *     cc -fopenmp openmp.c mandelbrot.o libarr_runtime.a -lm -lpthread
 */
#include "mandelbrot.h"

#include <omp.h>

#include "support.h"

/* Runs a pass: each thread of OpenMP takes part, and takes its share of the steps itself. */
static void lend(void *user, int64_t copies, void (*body)(void *argument), void *argument)
{
    (void)user;
#pragma omp parallel num_threads((int)copies)
    body(argument);
}

int main(void)
{
    arr_options options;
    arr_stats stats;
    arr_context *ctx;
    double part, alone;
    arr_options_init(&options);
    options.threads = 4;
    options.parallel = lend;
    ctx = arr_context_new(&options);
    expect(area(ctx, &part, 300, 400, 200) == ARR_OK, "area");
    arr_context_stats(ctx, &stats);
    expect(stats.threads == 4 && stats.parallel_passes > 0, "threads of OpenMP");
    arr_context_free(ctx);

    options.threads = 1;
    ctx = arr_context_new(&options);
    expect(area(ctx, &alone, 300, 400, 200) == ARR_OK && alone == part, "the same bits with one thread");
    arr_context_free(ctx);
    return summary();
}

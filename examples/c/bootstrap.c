/* The means of samples and their bounds, from bootstrap.arr, and the same written by hand: Philox4x32-10, integers without bias, and
 * means in the order of the positions.
 *
 *     bootstrap
 */
#include "bootstrap.h"

#include "support.h"

/* Philox4x32-10: a counter of four words is mixed ten times with a key of two. */
static void philox(const uint32_t key[2], uint32_t x[4])
{
    for (uint32_t round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
        const uint32_t k0 = key[0] + round * 0x9E3779B9u, k1 = key[1] + round * 0xBB67AE85u;
        const uint32_t mixed[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b,
                                   (uint32_t)(a >> 32) ^ x[3] ^ k1, (uint32_t)a};
        memcpy(x, mixed, sizeof mixed);
    }
}

static void block_at(uint32_t purpose, uint32_t tries, const uint32_t key[2], int64_t at, uint32_t x[4])
{
    x[0] = (uint32_t)at;
    x[1] = (uint32_t)((uint64_t)at >> 32);
    x[2] = tries;
    x[3] = purpose;
    philox(key, x);
}

/* The upper half of a product, and the lower one. */
static uint64_t product(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + ((a0 * b0) >> 32), other = a0 * b1 + (middle & 0xffffffffu);
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* A number from 0 up to but without `count`, each equally likely. */
static int64_t below_at(int64_t count, const uint32_t key[2], int64_t at)
{
    const uint64_t n = (uint64_t)count, uneven = (0 - n) % n;
    for (uint32_t tries = 0;; tries++) {
        uint32_t x[4];
        uint64_t low;
        block_at(0, tries, key, at, x);
        const uint64_t high = product(((uint64_t)x[1] << 32) | x[0], n, &low);
        if (low >= uneven)
            return (int64_t)high;
    }
}

static double mean_of_sample(int64_t seed, int64_t sample, const double *xs, int64_t n)
{
    const uint32_t first[2] = {(uint32_t)seed, (uint32_t)((uint64_t)seed >> 32)};
    uint32_t x[4];
    double sum = 0;
    block_at(1, 0, first, sample, x);
    const uint32_t key[2] = {x[0], x[1]};
    for (int64_t i = 0; i < n; i++)
        sum += xs[below_at(n, key, i)];
    return sum / (double)n;
}

int main(void)
{
    enum { COUNT = 137, SAMPLES = 500 };
    double xs[COUNT], mean, low, high, sum = 0;
    uint64_t random = 88172645463325252u;
    arr_f64_1d drawn;
    arr_context *ctx = arr_context_new(NULL);
    if (ctx == NULL)
        return 1;
    for (int i = 0; i < COUNT; i++)
        sum += xs[i] = random_unit(&random);
    if (means(ctx, &drawn, 42, SAMPLES, arr_f64_1d_borrow(xs, COUNT)) != ARR_OK ||
        interval(ctx, &mean, &low, &high, 42, SAMPLES, 0.9, arr_f64_1d_borrow(xs, COUNT)) != ARR_OK) {
        fprintf(stderr, "%s\n", arr_context_error(ctx));
        return 1;
    }
    expect(drawn.shape[0] == SAMPLES, "there is a mean for each sample");
    for (int64_t s = 0; s < SAMPLES; s++) {
        /* Sums are grouped otherwise in vectors. */
        const double by_hand = mean_of_sample(42, s, xs, COUNT), error = drawn.data[s] - by_hand;
        expect(-1e-13 < error && error < 1e-13, "the samples are those that are drawn by hand");
    }
    sum = mean - sum / (double)COUNT;
    expect(-1e-13 < sum && sum < 1e-13, "the mean is that of all numbers");
    expect(low < mean && mean < high && high - low < 0.2, "most means are near the mean");
    printf("mean %.4f, between %.4f and %.4f\n", mean, low, high);
    arr_f64_1d_free(ctx, &drawn);
    arr_context_free(ctx);
    return summary();
}

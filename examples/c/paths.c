/* Calls the entries of paths.arr and compares them with a plain loop, with the closed formula for the option on the geometric
 * mean, and with the moments of normal numbers.
 *
 *     paths
 */
#include "paths.h"

#include <math.h>

#include "support.h"

/* The probability that a normal number is at most x. */
static double normal_below(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

/* The price of the option on the geometric mean of the prices at `dates` equal steps (A. Kemna and A. Vorst). */
static double geometric_price(int64_t dates, double spot, double strike, double rate, double volatility, double years)
{
    const double m = (double)dates;
    const double middle = (rate - 0.5 * volatility * volatility) * years * (m + 1) / (2 * m);
    const double variance = volatility * volatility * years * (m + 1) * (2 * m + 1) / (6 * m * m);
    const double forward = spot * exp(middle + 0.5 * variance);
    const double d = (log(spot / strike) + middle + variance) / sqrt(variance);
    return exp(-rate * years) * (forward * normal_below(d) - strike * normal_below(d - sqrt(variance)));
}

/* The moments of the normal numbers, and how many of them are below some bounds. */
static void check_normals(arr_context *ctx)
{
    arr_f64_1d numbers;
    double sum = 0, squares = 0, fourth = 0;
    int64_t below[5] = {0, 0, 0, 0, 0};
    const int64_t n = 200000;
    if (normals(ctx, &numbers, n) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const double x = numbers.data[i];
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        for (int bound = 0; bound < 5; bound++)
            below[bound] += x < bound - 2.0;
    }
    expect(fabs(sum / (double)n) < 0.01, "the mean of normal numbers");
    expect(fabs(squares / (double)n - 1) < 0.02, "their variance");
    expect(fabs(fourth / (double)n - 3) < 0.15, "their fourth moment");
    for (int bound = 0; bound < 5; bound++)
        expect(fabs((double)below[bound] / (double)n - normal_below(bound - 2.0)) < 0.005, "how many are below a bound");
    arr_f64_1d_free(ctx, &numbers);
}

/* The same paths by a plain loop over the normal numbers that Arr gives. */
static void check_prices(arr_context *ctx, int64_t paths, int64_t dates, double strike, double volatility)
{
    const double spot = 100, rate = 0.05, years = 2, dt = years / (double)dates, discount = exp(-rate * years);
    double price, error, geometric, sum = 0, squares = 0, closed;
    arr_f64_1d numbers;
    if (normals(ctx, &numbers, paths * dates) != ARR_OK ||
        prices(ctx, &price, &error, &geometric, paths, dates, spot, strike, rate, volatility, years) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int64_t i = 0; i < paths; i++) {
        double worth = 0;
        for (int sign = -1; sign <= 1; sign += 2) {
            double now = spot, total = 0;
            for (int64_t j = 0; j < dates; j++) {
                now *= exp((rate - volatility * volatility / 2) * dt + sign * volatility * sqrt(dt) * numbers.data[i * dates + j]);
                total += now;
            }
            worth += fmax(0, total / (double)dates - strike) / 2;
        }
        sum += worth;
        squares += worth * worth;
    }
    sum /= (double)paths;
    squares = fmax(0, squares / (double)paths - sum * sum);
    expect(fabs(price - discount * sum) <= 1e-9 * (1 + price), "the price");
    expect(fabs(error - discount * sqrt(squares / (double)paths)) <= 1e-6 * (1 + error), "the standard error");
    closed = geometric_price(dates, spot, strike, rate, volatility, years);
    expect(paths < 100 || fabs(geometric - closed) <= 5 * error, "the price of the option on the geometric mean");
    expect(price >= geometric, "an arithmetic mean is not below the geometric one");
    printf("%lld paths, %lld dates: %.4f +- %.4f, geometric %.4f, by the formula %.4f\n", (long long)paths, (long long)dates,
           price, error, geometric, closed);
    arr_f64_1d_free(ctx, &numbers);
}

int main(void)
{
    double price, error, geometric;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check_normals(ctx);
    check_prices(ctx, 1, 1, 90, 0.2);
    check_prices(ctx, 5000, 12, 100, 0.2);
    check_prices(ctx, 2000, 50, 110, 0.4);
    check_prices(ctx, 333, 7, 60, 0.1);
    expect(prices(ctx, &price, &error, &geometric, 0, 1, 1, 1, 0, 0, 1) == ARR_ERROR_ASSERTION, "no path is an error");
    check_prices(ctx, 100, 3, 95, 0.3);
    arr_context_free(ctx);
    return summary();
}

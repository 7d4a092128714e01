/* Calls the entries of black_scholes.arr and compares prices with those that the error function of the C
 * library gives, the greeks with differences of prices, and implied volatilities with those put in.
 *
 *     black_scholes
 */
#include "black_scholes.h"

#include <math.h>

#include "support.h"

enum { COUNT = 5000 };

static const double rate = 0.03, volatility = 0.25;

/* Options of all kinds: from a week to three years, with strike prices from half to twice the stock's. */
static double spots[COUNT], strikes[COUNT], years[COUNT], amounts[COUNT];
static bool calls[COUNT];

static void make_options(uint64_t *random)
{
    for (int i = 0; i < COUNT; i++) {
        spots[i] = 50 + 100 * random_unit(random);
        strikes[i] = spots[i] * (0.5 + 1.5 * random_unit(random));
        years[i] = 0.02 + 3 * random_unit(random);
        calls[i] = random_below(random, 2) == 1;
        amounts[i] = (double)(random_below(random, 21) - 10);
    }
}

static double normal(double x)
{
    return erfc(-x / sqrt(2.0)) / 2;
}

/* The price of the option i if the stock is worth `spot`, after Black and Scholes. */
static double price(int i, double spot)
{
    double spread = volatility * sqrt(years[i]);
    double now = strikes[i] * exp(-rate * years[i]);
    double up = log(spot / now) / spread + spread / 2, down = up - spread;
    if (calls[i])
        return spot * normal(up) - now * normal(down);
    return now * normal(-down) - spot * normal(-up);
}

static int near(double x, double y, double tolerance)
{
    return fabs(x - y) <= tolerance * (1 + fabs(y));
}

/* The options as arguments. */
#define OPTIONS(n)                                                                                \
    arr_f64_1d_borrow(spots, n), arr_f64_1d_borrow(strikes, n), arr_f64_1d_borrow(years, n),      \
        arr_bool_1d_borrow(calls, n)

static void check_prices(arr_context *ctx)
{
    arr_f64_1d out;
    int same = 1;
    if (prices(ctx, &out, rate, volatility, OPTIONS(COUNT)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int i = 0; i < COUNT; i++)
        same = same && near(out.data[i], price(i, spots[i]), 1e-11);
    expect(same, "prices");
    printf("prices: %d options\n", COUNT);
    arr_f64_1d_free(ctx, &out);
}

/* The worth is the sum of the prices. The amount of the stock is that worth's gain for a rise of the stock's price. */
static void check_portfolio(arr_context *ctx)
{
    double worth, stock, expected_worth = 0, expected_stock = 0;
    if (portfolio(ctx, &worth, &stock, rate, volatility, OPTIONS(COUNT),
                  arr_f64_1d_borrow(amounts, COUNT)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        double rise = 1e-4 * spots[i];
        expected_worth += amounts[i] * price(i, spots[i]);
        expected_stock +=
            amounts[i] * (price(i, spots[i] + rise) - price(i, spots[i] - rise)) / (2 * rise);
    }
    expect(near(worth, expected_worth, 1e-9), "the worth of a portfolio");
    expect(near(stock, expected_stock, 1e-5), "the stock that a portfolio is like");
    printf("portfolio: worth %.6f, like %.6f of the stock\n", worth, stock);
}

/* Prices that follow from the volatility imply it, where they depend on it at all. */
static void check_implied(arr_context *ctx)
{
    arr_f64_1d out;
    double paid[COUNT];
    int kept = 0, same = 1;
    for (int i = 0; i < COUNT; i++) {
        double moves = log(strikes[i] / spots[i]) / sqrt(years[i]);
        if (fabs(moves) > 3 * volatility)
            continue;
        spots[kept] = spots[i], strikes[kept] = strikes[i];
        years[kept] = years[i], calls[kept] = calls[i];
        paid[kept] = price(kept, spots[kept]);
        kept += 1;
    }
    if (implied_volatilities(ctx, &out, rate, OPTIONS(kept), arr_f64_1d_borrow(paid, kept)) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        return;
    }
    for (int i = 0; i < kept; i++)
        same = same && near(out.data[i], volatility, 1e-8);
    expect(same, "implied volatilities");
    printf("implied volatilities: %d options\n", kept);
    arr_f64_1d_free(ctx, &out);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    make_options(&random);
    check_prices(ctx);
    check_portfolio(ctx);
    check_implied(ctx); /* drops some options */
    arr_context_free(ctx);
    return summary();
}

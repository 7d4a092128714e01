-- Prices of European options, by the formula of Black and Scholes (1973), and what they say about the
-- market: how prices move with the stock's, and the volatility that a price implies.
--
-- Shows a sum type in a record in an array, which is stored as one array for each component; work that
-- is a long formula for each element; and a search in each element that ends when it is near enough.
-- `portfolio` computes prices and both sums in one pass, and stores none of it.
--
--     arrc run examples/black_scholes.arr portfolio 0.05 0.2 '[100, 100]' '[90, 110]' '[1, 0.5]' \
--       '[true, false]' '[10, 20]'
--
-- ==
-- structure portfolio none { clusters 5 } ilp { clusters 1 arrays 0 }

-- | A call is the right to buy at the strike price, a put the right to sell.
type kind = #call | #put

-- | An option on a stock that is worth `spot` now, for the day after so many years.
type option = {spot: f64, strike: f64, years: f64, kind: kind}

-- | What all options share: the yearly interest without risk, and how much the stock's price varies.
type market = {rate: f64, volatility: f64}

-- | The density of the normal distribution.
def density (x: f64): f64 = f64.exp (-x * x / 2) / f64.sqrt (2 * f64.pi)

-- | How likely a normal number is at most x: the rational approximation of J. F. Hart (1968), good to
-- about 15 digits.
def normal (x: f64): f64 =
  let z = f64.abs x
  let over =
    (((((0.0352624965998911 * z + 0.700383064443688) * z + 6.37396220353165) * z
       + 33.912866078383) * z + 112.079291497871) * z + 221.213596169931) * z + 220.206867912376
  let under =
    ((((((0.0883883476483184 * z + 1.75566716318264) * z + 16.064177579207) * z
        + 86.7807322029461) * z + 296.564248779674) * z + 637.333633378831) * z
     + 793.826512519948) * z + 440.413735824752
  let tail =
    if z < 7.07106781186547 then f64.exp (-z * z / 2) * over / under
    else density z / (z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65)))))
  in if x > 0 then 1 - tail else tail

-- | The two arguments of `normal` in the formula: how many standard deviations the stock is expected to
-- end above the strike price, counted in stock and in money.
def deviations (m: market) (o: option): (f64, f64) =
  let spread = m.volatility * f64.sqrt o.years
  let d1 =
    (f64.log (o.spot / o.strike) + (m.rate + m.volatility * m.volatility / 2) * o.years) / spread
  in (d1, d1 - spread)

-- | What the strike price, to be paid at the end, is worth now.
def discounted (m: market) (o: option): f64 = o.strike * f64.exp (-m.rate * o.years)

-- | The price of an option.
def price (m: market) (o: option): f64 =
  let (d1, d2) = deviations m o
  in match o.kind
     case #call -> o.spot * normal d1 - discounted m o * normal d2
     case #put -> discounted m o * normal (-d2) - o.spot * normal (-d1)

-- | Delta: how much the price rises when the stock's rises by 1.
def delta (m: market) (o: option): f64 =
  let (d1, _) = deviations m o
  in match o.kind
     case #call -> normal d1
     case #put -> normal d1 - 1

-- | Vega: how much the price rises, for the volatility.
def vega (m: market) (o: option): f64 =
  o.spot * density (deviations m o).0 * f64.sqrt o.years

-- | The options of a table: `calls` tells which are calls.
def table [n] (spots: [n]f64) (strikes: [n]f64) (years: [n]f64) (calls: [n]bool): [n]option =
  map4 (\spot strike years call -> {spot, strike, years, kind = if call then #call else #put})
    spots strikes years calls

-- | The price of each option.
-- ==
-- entry: prices
-- "a year at the money, from textbooks"
-- input { 0.05 0.2 [100.0, 100.0] [100.0, 100.0] [1.0, 1.0] [true, false] }
-- output { [10.450583572185565, 5.573526022256971] }
-- "far out of the money, and far in"
-- input { 0.01 0.1 [1.0, 1000.0] [1000.0, 1.0] [1.0, 1.0] [true, true] }
-- output { [0.0, 999.0099501662508] }
-- input { 0.05 0.2 empty([0]f64) empty([0]f64) empty([0]f64) empty([0]bool) } output { empty([0]f64) }
-- input { 0.05 0.2 [1.0] [1.0, 2.0] [1.0] [true] } error: must be equal
entry prices [n] (rate: f64) (volatility: f64)
    (spots: [n]f64) (strikes: [n]f64) (years: [n]f64) (calls: [n]bool): [n]f64 =
  map (price {rate, volatility}) (table spots strikes years calls)

-- | The worth of some amounts of the options, and the amount of the stock that gains as much as they do.
-- ==
-- entry: portfolio
-- "a call and a put of the same kind: their deltas differ by 1"
-- input { 0.05 0.2 [100.0, 100.0] [100.0, 100.0] [1.0, 1.0] [true, false] [1.0, -1.0] }
-- output { 4.877057549928594 1.0 }
-- input { 0.05 0.2 empty([0]f64) empty([0]f64) empty([0]f64) empty([0]bool) empty([0]f64) } output { 0.0 0.0 }
-- random input { 0.05 0.2 [100]f64 [100]f64 [100]f64 [100]bool [100]f64 } auto output
entry portfolio [n] (rate: f64) (volatility: f64) (spots: [n]f64) (strikes: [n]f64) (years: [n]f64)
    (calls: [n]bool) (amounts: [n]f64): (f64, f64) =
  let market = {rate, volatility}
  let options = table spots strikes years calls
  let worth = reduce (+) 0 (map2 (\o amount -> amount * price market o) options amounts)
  let stock = reduce (+) 0 (map2 (\o amount -> amount * delta market o) options amounts)
  in (worth, stock)

-- | The volatility between `low` and `high` that gives an option this price, by Newton's method, and by
-- halving the interval where that would leave it. Prices rise with the volatility.
def implied (rate: f64) (o: option) (paid: f64) (low: f64) (high: f64) (guess: f64)
    (steps: i64): f64 =
  let m = {rate, volatility = guess}
  let excess = price m o - paid
  let (low, high) = if excess > 0 then (low, guess) else (guess, high)
  let newton = guess - excess / vega m o
  let next = if newton > low && newton < high then newton else (low + high) / 2
  in if steps == 0 || f64.abs (next - guess) <= 1e-14 * guess then next
     else implied rate o paid low high next (steps - 1)

-- | The volatility, from 0.1 % to 1000 %, that each price implies.
-- ==
-- entry: implied_volatilities
-- input { 0.05 [100.0, 100.0] [100.0, 100.0] [1.0, 1.0] [true, false] [10.450583572185565, 5.573526022256971] }
-- output { [0.2, 0.2] }
-- "no price is that high, or that low"
-- input { 0.0 [100.0, 100.0] [100.0, 100.0] [1.0, 1.0] [true, true] [100.0, 0.0] } output { [10.0, 0.001] }
entry implied_volatilities [n] (rate: f64) (spots: [n]f64) (strikes: [n]f64) (years: [n]f64)
    (calls: [n]bool) (paid: [n]f64): [n]f64 =
  map2 (\o price -> implied rate o price 0.001 10 0.5 100) (table spots strikes years calls) paid

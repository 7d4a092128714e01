-- Prices of Asian options, whose worth depends on the mean of a stock's price over some dates, by random paths (the
-- method of Monte Carlo).
--
-- Shows arrays in a function of each path, which are never stored: the random steps, their running sums and the prices
-- are one loop; a generator of random numbers by arithmetic of unsigned numbers; records of sums in a `reduce`.
--
--     arrc run examples/paths.arr prices 100000 50 100 100 0.05 0.2 1
--
-- Steps, running sums and prices of a path share one pass:
-- ==
-- structure prices.a ilp { clusters 1 arrays 0 }

-- | A stock: its price now, the yearly interest without risk, and how much its price varies.
type stock = {spot: f64, rate: f64, volatility: f64}

-- | An Asian option: it pays the mean price over `dates` dates, less the strike price, after some years.
type option = {strike: f64, years: f64, dates: i64}

-- | Mixes the bits of a number, so that consecutive numbers give unrelated results (after C. Wellons).
def mixed (x: u32): u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

-- | The k-th of a sequence of random numbers, from 0 to 1.
def uniform (k: i64): f64 = (f64.u32 (mixed (mixed (u32.i64 k) + 0x9e3779b9)) + 0.5) / 4294967296

-- | The number that a normal number is below with the probability p: the rational functions of P. J. Acklam, good to
-- about 9 digits.
def quantile (p: f64): f64 =
  let tail q =
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q
       - 2.549732539343734) * q
      + 4.374664141464968) * q + 2.938163982698783)
    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q
        + 3.754408661907416) * q + 1)
  let middle q =
    let r = q * q
    in (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r
          + 1.383577518672690e2) * r
         - 3.066479806614716e1) * r + 2.506628277459239) * q
       / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r
            + 6.680131188771972e1) * r
           - 1.328068155288572e1) * r + 1)
  in if p < 0.02425 then tail (f64.sqrt (-2 * f64.log p))
     else if p > 0.97575 then -(tail (f64.sqrt (-2 * f64.log (1 - p))))
     else middle (p - 0.5)

-- | Normal numbers, the first of a sequence.
-- ==
-- entry: normals
-- input { 0i64 } output { empty([0]f64) }
-- input { -1i64 } error: negative size -1
entry normals (n: i64): [n]f64 = tabulate n (\k -> quantile (uniform k))

-- | The result of a path: the worth of options on the arithmetic and the geometric mean, and the square of the first.
type worth = {mean: f64, square: f64, geometric: f64}

def (<+>) (a: worth) (b: worth): worth =
  {mean = a.mean + b.mean, square = a.square + b.square, geometric = a.geometric + b.geometric}

-- | The worth at the end of a path, and of its mirror image, whose steps go the other way.
def sample (s: stock) (o: option) (path: i64): worth =
  let dt = o.years / f64.i64 o.dates
  let drift = (s.rate - 0.5 * s.volatility * s.volatility) * dt
  let spread = s.volatility * f64.sqrt dt
  let way (sign: f64): (f64, f64) =
    let steps =
      tabulate o.dates (\j -> drift + sign * spread * quantile (uniform (path * o.dates + j)))
    let logs = scan (+) 0 steps
    let arithmetic = s.spot * f64.sum (map f64.exp logs) / f64.i64 o.dates
    let geometric = s.spot * f64.exp (f64.sum logs / f64.i64 o.dates)
    in (f64.max 0 (arithmetic - o.strike), f64.max 0 (geometric - o.strike))
  let (up, up') = way 1
  let (down, down') = way (-1)
  let mean = (up + down) / 2
  in {mean, square = mean * mean, geometric = (up' + down') / 2}

-- | The price of the option on the arithmetic mean, its standard error, and the price of that on the geometric mean,
-- by so many pairs of paths.
-- ==
-- entry: prices
-- "a price that does not vary"
-- input { 10i64 4i64 100.0 90.0 0.0 0.0 1.0 } output { 10.0 0.0 10.0 }
-- "worth nothing at the end"
-- input { 100i64 12i64 100.0 1000.0 0.05 0.2 1.0 } output { 0.0 0.0 0.0 }
-- "no array, however many paths there are"
-- input { 50i64 12i64 100.0 10000.0 0.05 0.2 1.0 } output { 0.0 0.0 0.0 } allocates 0
-- "no path"
-- input { 0i64 12i64 100.0 100.0 0.05 0.2 1.0 } error: assertion failed: paths > 0
entry prices (paths: i64) (dates: i64) (spot: f64) (strike: f64) (rate: f64) (volatility: f64)
    (years: f64): (f64, f64, f64) =
  let count = f64.i64 (assert (paths > 0) paths)
  let nothing = {mean = 0, square = 0, geometric = 0}
  let total =
    reduce (<+>) nothing (map (sample {spot, rate, volatility} {strike, years, dates}) (iota paths))
  let discount = f64.exp (-rate * years)
  let mean = total.mean / count
  let variance = f64.max 0 (total.square / count - mean * mean)
  in (discount * mean, discount * f64.sqrt (variance / count), discount * total.geometric / count)

-- Statistics of numbers. Of no numbers, the mean is `nan`.

-- | The arithmetic mean.
def mean [n] (xs: [n]f64): f64 = f64.sum xs / f64.i64 n

-- | The sum of the squares of the distances from the mean. Two passes, which avoid the cancellation in sums of squares.
local def squares [n] (xs: [n]f64): f64 =
  let middle = mean xs
  in f64.sum (map (\x -> (x - middle) * (x - middle)) xs)

-- | The mean square of the distances from the mean.
def variance [n] (xs: [n]f64): f64 = squares xs / f64.i64 n

-- | The variance of the population of which the numbers are a sample: as `variance`, but divided by n - 1.
def sample_variance [n] (xs: [n]f64): f64 = squares xs / f64.i64 (n - 1)

-- | The standard deviation: the root of the variance.
def stddev [n] (xs: [n]f64): f64 = f64.sqrt (variance xs)

-- | The standard deviation of the population of which the numbers are a sample.
def sample_stddev [n] (xs: [n]f64): f64 = f64.sqrt (sample_variance xs)

-- | The mean product of the distances from the means.
def covariance [n] (xs: [n]f64) (ys: [n]f64): f64 =
  let (mx, my) = (mean xs, mean ys)
  in f64.sum (map2 (\x y -> (x - mx) * (y - my)) xs ys) / f64.i64 n

-- | Pearson's correlation: from -1 to 1.
def correlation [n] (xs: [n]f64) (ys: [n]f64): f64 = covariance xs ys / (stddev xs * stddev ys)

-- | The number below which a part of the numbers lies, from 0 to 1. It is interpolated between two of them. An error
-- at run time if there are none: there is no element 0.
def quantile [n] (part: f64) (xs: [n]f64): f64 =
  let at = part * f64.i64 (i64.max 0 (n - 1))
  let below = i64.f64 (f64.floor at)
  let above = i64.min (n - 1) (below + 1)
  let rest = at - f64.i64 below
  let near = (sort (<=) xs)[below:above + 1]
  in near[0] * (1 - rest) + near[above - below] * rest

-- | The number in the middle, or the mean of the two in the middle. An error at run time if there are none.
def median [n] (xs: [n]f64): f64 = quantile 0.5 xs

-- | The element at a position of the sorted array: as `(sort le xs)[rank]`. An error at run time if there is no such position.
def nth [n] 'a (le: a -> a -> bool) (rank: i64) (xs: [n]a): a = (sort le xs)[rank]

-- | The first k elements of the sorted array: as `take k (sort le xs)`.
def smallest [n] 'a (le: a -> a -> bool) (k: i64) (xs: [n]a): [k]a = take k (sort le xs)

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
-- at run time if there are none.
def quantile [n] (part: f64) (xs: [n]f64): f64 =
  let at = part * f64.i64 (n - 1)
  let below = i64.f64 (f64.floor at)
  let above = i64.min (n - 1) (below + 1)
  let rest = at - f64.i64 below
  let (low, high) =
    if n < 4096 then let sorted = sort (<=) xs in (sorted[below], sorted[above])
    else (nth (<=) below xs, nth (<=) above xs)
  in low * (1 - rest) + high * rest

-- | The number in the middle, or the mean of the two in the middle. An error at run time if there are none.
def median [n] (xs: [n]f64): f64 = quantile 0.5 xs

-- | The element at a position of the sorted array: as `(sort le xs)[rank]`, without a sort of many elements.
-- An error at run time if there is no such position. The order is that of `sort`.
def nth [n] 'a (le: a -> a -> bool) (rank: i64) (xs: [n]a): a =
  let bits = order_bits le xs
  in if bits == 0 || n < 4096 || rank < 0 || rank >= n then (sort le xs)[rank]
     else
       let (shift, prefix, rank) = digits_of bits (order_key le) rank xs
       in (filter (\x -> order_key le x >> u64.i64 shift == prefix) xs)[rank]

-- The digits of the element at `rank`, from the highest ones: its key without the `shift` bits that are left, and its rank
-- among the elements with these digits. They are found digit by digit, each from counts of the elements that have the digits
-- before it, until one element is left.
local def digits_of [n] 'a (bits: i64) (key: a -> u64) (rank: i64) (xs: [n]a): (i64, u64, i64) =
  let (_, shift, prefix, rank) =
    loop (left, shift, prefix, rank) = (n, bits, 0u64, rank) while shift > 0 && left > 1 do
      let next = i64.max 0 (shift - 12)
      let width = u64.i64 (shift - next)
      let counts =
        loop counts = replicate 4096 (0i64) for x in xs do
          let digits = key x >> u64.i64 next
          let d = i64.u64 (digits & ((1 << width) - 1))
          in counts with [d] = counts[d] + i64.bool (digits >> width == prefix)
      let (d, before) =
        loop (d, before) = (0, 0) while d < 4095 && before + counts[d] <= rank do (d + 1, before + counts[d])
      in (counts[d], next, (prefix << width) | u64.i64 d, rank - before)
  in (shift, prefix, rank)

-- | The first k elements of the sorted array: as `take k (sort le xs)`. Where k is small in relation to n, only k elements are sorted.
-- Equal elements keep their order.
def smallest [n] 'a (le: a -> a -> bool) (k: i64) (xs: [n]a): [k]a =
  if order_bits le xs == 0 || n < 4096 || k < 1 || k > n / 8 then take k (sort le xs)
  else
    let last = order_key le (nth le (k - 1) xs)
    let below = filter (\x -> order_key le x < last) xs
    let equal = filter (\x -> order_key le x == last) xs
    in sized k (sort le (below ++ take (k - length below) equal))

-- How far a mean can be trusted, by drawing from the numbers themselves (the bootstrap, after B. Efron).
--
-- Shows random numbers that are functions of a key and a position: each sample is summed up while it is drawn, so that no
-- sample is ever in memory, and all are drawn on as many threads as there are, with the same result.
--
--     arrc run examples/bootstrap.arr interval 1 1000 0.9 '[2.1, 3.4, 1.9, 5.6, 4.2, 2.8]'
--
-- The samples, their sums and the division by n are one loop over all samples and one within it:
-- ==
-- structure means none { clusters 1 arrays 0 } ilp { clusters 1 arrays 0 }

import "random"
import "statistics"

-- | The mean of a sample: n numbers, each drawn from the n given ones.
def resampled [n] (k: key) (xs: [n]f64): f64 =
  f64.sum (generate n (\i -> xs[below_at n k i])) / f64.i64 n

-- | The mean of each of some samples.
-- ==
-- entry: means
-- input { 1i64 3i64 [4.0, 4.0] } output { [4.0, 4.0, 4.0] }
-- input { 1i64 0i64 [4.0, 5.0] } output { empty([0]f64) }
-- input { 1i64 2i64 empty([0]f64) } output { [f64.nan, f64.nan] }
entry means [n] (seed: i64) (samples: i64) (xs: [n]f64): [samples]f64 =
  generate samples (\s -> resampled (split (key seed) s) xs)

-- | The mean of the numbers, and the bounds between which that part of the samples' means lies.
-- ==
-- entry: interval
-- input { 1i64 100i64 0.9 [4.0, 4.0, 4.0] } output { 4.0 4.0 4.0 }
-- input { 1i64 0i64 0.9 [4.0] } error: out of bounds
entry interval [n] (seed: i64) (samples: i64) (part: f64) (xs: [n]f64): (f64, f64, f64) =
  let drawn = means seed samples xs
  let outside = (1 - part) / 2
  in (mean xs, quantile outside drawn, quantile (1 - outside) drawn)

-- | Whether the mean of all numbers that are drawn from is mostly within the bounds that a few of them give: nine times of ten
-- for `part` 0.9, or nearly so.
-- ==
-- entry: coverage
-- input { 7i64 12i64 } output { true }
entry coverage (seed: i64) (times: i64): bool =
  let hit t =
    let (_, low, high) = interval (seed + t) 30 0.9 (normals (split (key t) 9) 15)
    in low <= 0 && 0 <= high
  let part = f64.i64 (count hit (iota times)) / f64.i64 times
  in part > 0.6

-- The library's `statistics`.

import "statistics"

-- ==
-- entry: spread_of
-- input { [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] } output { 5.0 4.0 2.0 }
-- input { [3.0] } output { 3.0 0.0 0.0 }
-- input { empty([0]f64) } output { f64.nan f64.nan f64.nan }
entry spread_of [n] (xs: [n]f64): (f64, f64, f64) = (mean xs, variance xs, stddev xs)

-- ==
-- entry: of_sample
-- input { [1.0, 2.0, 3.0] } output { 1.0 1.0 }
entry of_sample [n] (xs: [n]f64): (f64, f64) = (sample_variance xs, sample_stddev xs)

-- ==
-- entry: together
-- input { [1.0, 2.0, 3.0] [2.0, 4.0, 6.0] } output { 1.0 }
-- input { [1.0, 2.0, 3.0] [6.0, 4.0, 2.0] } output { -1.0 }
entry together [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.round (correlation xs ys)

-- ==
-- entry: parts
-- input { [4.0, 1.0, 3.0, 2.0] } output { 2.5 1.0 4.0 1.75 }
-- input { [4.0, 1.0, 3.0] } output { 3.0 1.0 4.0 2.0 }
-- input { empty([0]f64) } error: out of bounds for an array of length 0
entry parts [n] (xs: [n]f64): (f64, f64, f64, f64) =
  (median xs, quantile 0 xs, quantile 1 xs, quantile 0.25 xs)

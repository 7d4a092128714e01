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

-- An element is missing of no numbers, whichever part it is. A part that is not from 0 to 1 has no slice.
-- ==
-- entry: part
-- input { 0.5 empty([0]f64) } error: index 0 is out of bounds for an array of length 0
-- input { 0.0 empty([0]f64) } error: index 0 is out of bounds for an array of length 0
-- input { 1.0 empty([0]f64) } error: index 0 is out of bounds for an array of length 0
-- input { 0.25 empty([0]f64) } error: index 0 is out of bounds for an array of length 0
-- input { 3.0 [1.0, 2.0] } error: slice 3:2 is out of bounds for an array of length 2
-- input { -1.0 [1.0, 2.0] } error: slice -1:1 is out of bounds for an array of length 2
-- input { 0.75 [8.0] } output { 8.0 }
entry part [n] (part: f64) (xs: [n]f64): f64 = quantile part xs

-- ==
-- entry: parts
-- input { [4.0, 1.0, 3.0, 2.0] } output { 2.5 1.0 4.0 1.75 }
-- input { [4.0, 1.0, 3.0] } output { 3.0 1.0 4.0 2.0 }
-- input { empty([0]f64) } error: index 0 is out of bounds for an array of length 0
entry parts [n] (xs: [n]f64): (f64, f64, f64, f64) =
  (median xs, quantile 0 xs, quantile 1 xs, quantile 0.25 xs)

-- | Numbers with many ties, zeros of both signs and `nan`.
def mixed (i: i64): f64 =
  if i % 5 == 0 then f64.nan
  else if i % 5 == 1 then -0.0
  else if i % 7 == 0 then 0.0
  else f64.i64 (i * 7919 % 100003 - 50000) / 3

def same_bits [n] (xs: [n]f64) (ys: [n]f64): bool =
  and (map2 (\x y -> f64.to_bits x == f64.to_bits y) xs ys)

-- The results have the bits of the sorted array. From 4,096 elements on, they are selected. A copy is sorted as a whole.
-- ==
-- entry: selected
-- input { 5 0 } output { true true }
-- input { 5 4 } output { true true }
-- compiled input { 4100 300 } output { true true }
-- input { 5 5 } error: out of bounds
-- input { 5 -1 } error: out of bounds
entry selected (n: i64) (k: i64): (bool, bool) =
  let xs = map mixed (iota n)
  let up = copy (sort (<=) xs)
  let down = copy (sort (>=) xs)
  let nths =
    f64.to_bits (nth (<=) k xs) == f64.to_bits up[k]
    && f64.to_bits (nth (>=) k xs) == f64.to_bits down[k]
  in (nths,
      same_bits (smallest (<=) k xs) (take k up) && same_bits (smallest (>=) k xs) (take k down))

-- Narrow elements, and a comparison that is no operator.
-- ==
-- entry: selected_narrow
-- compiled input { 4100 400 } output { true true }
entry selected_narrow (n: i64) (k: i64): (bool, bool) =
  let xs = map (\i -> i8.i64 (i * 37 % 256)) (iota n)
  let sorted = copy (sort (<=) xs)
  in (nth (<=) k xs == sorted[k], and (map2 (==) (smallest (<=) k xs) (take k sorted)))

-- ==
-- entry: selected_pairs
-- input { 90 7 } output { true }
entry selected_pairs (n: i64) (k: i64): bool =
  let ys = map (\i -> (i * 7919 % 11, i)) (iota n)
  let le (p: (i64, i64)) (q: (i64, i64)): bool = p.0 <= q.0
  in (nth le k ys).1 == (copy (sort le ys))[k].1

-- From 4,096 numbers on, the median is found without a sort. The number of elements is even or odd.
-- ==
-- entry: medians
-- compiled input { 4100 } output { true }
-- compiled input { 4101 } output { true }
entry medians (n: i64): bool =
  let xs = map (\i -> f64.i64 (i * 7919 % 100003) / 3) (iota n)
  let sorted = copy (sort (<=) xs)
  let middle = if n % 2 == 0 then sorted[n / 2 - 1] * 0.5 + sorted[n / 2] * 0.5 else sorted[n / 2]
  in median xs == middle

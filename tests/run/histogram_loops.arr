-- Histograms as loops over positions: they are folds over the arrays that they read there.

-- ==
-- entry: sums
-- input { 3 [0, 2, 2, 0, 1, 2] [10, 20, 30, 40, 50, 60] } output { [50, 50, 110] }
-- input { 2 empty([0]i64) empty([0]i64) } output { [0, 0] }
-- input { 1 [0] [-7] } output { [-7] }
-- input { 3 [0, 3, 1] [1, 2, 3] } error: index 3 is out of bounds for an array of length 3
-- input { 3 [0, 1, -1, 3] [1, 2, 3, 4] } error: index -1 is out of bounds for an array of length 3
-- structure { clusters 1 }
entry sums [n] (k: i64) (keys: [n]i64) (values: [n]i64): [k]i64 =
  loop sums = replicate k 0 for i < n do sums with [keys[i]] = sums[keys[i]] + values[i]

-- The keys are computed in the pass of the histogram.
-- ==
-- entry: of_computed
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [3, 4] }
-- input { empty([0]i64) } output { [0, 0] }
-- structure { clusters 1 }
entry of_computed [n] (xs: [n]i64): [2]i64 =
  let keys = map (% 2) xs
  in loop counts = replicate 2 0 for i < n do counts with [keys[i]] = counts[keys[i]] + 1

-- With as many bins as steps, and positions beside the keys.
-- ==
-- entry: weighted
-- input { [3, 3, 0, 1] } output { [2, 3, 0, 1] }
-- input { [0] } output { [0] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry weighted [n] (keys: [n]i64): [n]i64 =
  loop sums = replicate n 0 for i < n do sums with [keys[i]] = sums[keys[i]] + i

-- Only some steps change a bin.
-- ==
-- entry: chosen
-- input { [0, 9, 1, 1, -4, 0, 1] } output { [2, 3] }
-- input { [2, -1] } output { [0, 0] }
entry chosen [n] (keys: [n]i64): [2]i64 =
  loop counts = replicate 2 0 for i < n do
    let k = keys[i] in if 0 <= k && k < 2 then counts with [k] = counts[k] + 1 else counts

-- The least of floats is the same in every order; their sum is not.
-- ==
-- entry: least
-- input { [1, 0, 1, 1] [3.5, 2.0, -1.5, 8.0] } output { [2.0, -1.5] }
entry least [n] (keys: [n]i64) (values: [n]f64): [2]f64 =
  loop least = replicate 2 f64.inf for i < n do
    least with [keys[i]] = f64.min least[keys[i]] values[i]

-- ==
-- entry: float_sums
-- input { [1, 0, 1, 1] [1e17, 2.0, 1.0, -1e17] } output { [2.0, 0.0] }
entry float_sums [n] (keys: [n]i64) (values: [n]f64): [2]f64 =
  loop sums = replicate 2 0.0 for i < n do sums with [keys[i]] = sums[keys[i]] + values[i]

-- A change of the place of the step, and one that reads another element: no histograms.
-- ==
-- entry: in_place
-- input { [1, 2, 3] [10, 20, 30] } output { [11, 22, 33] }
entry in_place [n] (xs: [n]i64) (ys: [n]i64): [n]i64 =
  loop zs = copy xs for i < n do zs with [i] = zs[i] + ys[i]

-- ==
-- entry: chained
-- input { [1, 2, 0] } output { [3, 1, 2] }
entry chained [n] (keys: [n]i64): [n]i64 =
  loop xs = replicate n 1 for i < n do xs with [keys[i]] = xs[i] + 1 - (if i == 0 then 1 else 0)

-- Rows of bins are no histogram; each step changes one element of a row.
-- ==
-- entry: of_rows
-- input { [[0, 1], [1, 1], [0, 0]] } output { [[1, 1], [0, 1]] }
entry of_rows [n] (pairs: [n][2]i64): [2][2]i64 =
  loop table = replicate 2 (replicate 2 0) for i < n do
    table with [pairs[i, 0], pairs[i, 1]] = table[pairs[i, 0], pairs[i, 1]] + 1

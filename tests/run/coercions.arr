-- Arrays that get another size by `:>`: sizes are compared before the passes run that make the array, so passes of both sizes
-- are one.

-- The even and the odd elements.
-- ==
-- entry: pairs
-- structure pairs ilp { clusters 1 arrays 0 }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [12i64, 34i64] }
-- input { [1i64] } error: slice 1:0:2 is out of bounds for an array of length 1
entry pairs [n] (xs: [n]i64) =
  let k = n / 2
  in map2 (\x y -> 10 * x + y) (xs[0:2 * k:2] :> [k]i64) (xs[1:2 * k:2] :> [k]i64)

-- A chain of passes, whose size is another array's.
-- ==
-- entry: weighted
-- structure weighted ilp { clusters 1 arrays 0 }
-- input { [1i64, 2i64] [3i64, 4i64] } output { [6i64, 16i64] 22i64 }
-- input { [1i64] [3i64, 4i64] } error: cannot be
-- input { [1i64, 2i64, 3i64] [3i64, 4i64] } error: cannot be
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) 0i64 }
entry weighted [n] [m] (xs: [n]i64) (ws: [m]i64): ([m]i64, i64) =
  let ys = map2 (\i x -> i + x) (iota n) (map (+ 1) xs)
  let r = map2 (\y w -> y * w) (ys :> [m]i64) ws
  in (r, i64.sum r)

-- What the passes make is also used with its own size.
-- ==
-- entry: both_sizes
-- input { [1i64, 2i64] [3i64, 4i64] } output { [6i64, 12i64] [2i64, 3i64] }
-- input { [1i64, 2i64, 3i64] [3i64, 4i64] } error: cannot be
entry both_sizes [n] [m] (xs: [n]i64) (ws: [m]i64): ([m]i64, [n]i64) =
  let ys = map (+ 1) xs
  in (map2 (*) (ys :> [m]i64) ws, ys)

-- What fails first is told.
-- ==
-- entry: divided
-- input { [1i64, 2i64] [3i64, 4i64] } output { [36i64, 24i64] }
-- input { [1i64, 0i64] [3i64, 4i64] } error: division by zero
-- input { [1i64] [3i64, 4i64] } error: cannot be
-- input { [0i64] [3i64, 4i64] } error: division by zero
entry divided [n] [m] (xs: [n]i64) (ws: [m]i64): [m]i64 =
  map2 (*) (map (12 /) xs :> [m]i64) ws

-- In steps, where each has a size of its own.
-- ==
-- entry: in_steps
-- input { [2i64, 0i64, 3i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { [7i64, 0i64, 22i64] }
-- input { [4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } error: out of bounds
entry in_steps [k] [n] (ks: [k]i64) (xs: [n]i64): [k]i64 =
  map (\k -> i64.sum (map2 (*) (xs[:2 * k:2] :> [k]i64) (map (+ 1) (iota k)))) ks

-- A size that is constant.
-- ==
-- entry: three
-- input { [1i64, 2i64, 3i64] } output { [2i64, 6i64, 12i64] }
-- input { [1i64] } error: cannot be
entry three [n] (xs: [n]i64): [3]i64 = map2 (*) (map (+ 1) xs :> [3]i64) [1, 2, 3]

-- Records, pairs and rows.
-- ==
-- entry: records pairs_of rows_of
-- structure records ilp { clusters 1 arrays 0 }
-- structure pairs_of ilp { clusters 1 arrays 0 }
-- structure rows_of ilp { clusters 1 arrays 0 }
-- input { [1i64, 2i64] [3i64, 4i64] } output { [3i64, 7i64] }
-- input { [1i64] [3i64, 4i64] } error: cannot be
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry records [n] [m] (xs: [n]i64) (ws: [m]i64): [m]i64 =
  map2 (\r w -> r.a * r.b + w) (map (\x -> {a = x + 1, b = x - 1}) xs :> [m]{a: i64, b: i64}) ws
entry pairs_of [n] [m] (xs: [n]i64) (ws: [m]i64): [m]i64 =
  map2 (\(a, b) w -> a * b + w) (zip (map (+ 1) xs) (map (\x -> x - 1) xs) :> [m](i64, i64)) ws
entry rows_of [n] [m] (xs: [n]i64) (ws: [m]i64): [m]i64 =
  map2 (\r w -> r[0] * r[1] + w) (map (\x -> [x + 1, x - 1]) xs :> [m][2]i64) ws

-- One field is used with its own size, and rows without elements have no number.
-- ==
-- entry: one_field
-- input { [1i64, 2i64] [3i64, 4i64] } output { [6i64, 12i64] [0i64, 1i64] }
-- input { [1i64, 2i64, 3i64] [3i64, 4i64] } error: cannot be
entry one_field [n] [m] (xs: [n]i64) (ws: [m]i64): ([m]i64, [n]i64) =
  let (a, b) = unzip (map (\x -> (x + 1, x - 1)) xs)
  in (map2 (*) (a :> [m]i64) ws, b)

-- ==
-- entry: no_columns
-- input { [1i64, 2i64] 2i64 } output { empty([2][0]i64) }
-- input { [1i64, 2i64] 3i64 } error: cannot be
entry no_columns [n] (xs: [n]i64) (k: i64): [k][0]i64 = map (\_ -> []) xs :> [k][0]i64

-- Recursive calls that do not depend on each other: they run at the same time, and give and say the same.

-- The sums of halves.
def total [n] (xs: [n]f64): f64 =
  if n < 20 then f64.sum xs
  else total (take (n / 2) xs) + total (drop (n / 2) xs)

-- ==
-- entry: totals
-- input { 0i64 } output { 0.0f64 }
-- input { 100000i64 } output { 4999950000.0f64 }
entry totals (n: i64): f64 = total (generate n f64.i64)

-- Calls that append what they give, to results of several types.
def cut [n] (depth: i64) (xs: [n]i64): ?[k].?[m].([k]i64, [m]f32) =
  if n < 3 then (xs, replicate n (f32.i64 depth))
  else
    let (a, b) = cut (depth + 1) (filter (\x -> x % 3 == 0) xs |> map (/ 3))
    let (c, d) = cut (depth + 1) (filter (\x -> x % 3 == 1) xs |> map (/ 3))
    let (e, f) = cut (depth + 1) (filter (\x -> x % 3 == 2) xs |> map (/ 3))
    in (a ++ c ++ e, b ++ d ++ f)

-- ==
-- entry: cuts
-- input { 0i64 } output { 0i64 0i64 0.0f32 }
-- input { 3000i64 } output { 3000i64 813i64 21000.0f32 }
entry cuts (n: i64): (i64, i64, f32) =
  let (a, b) = cut 0 (iota n)
  in (length a, sum a, f32.sum b)

-- The first failure in the order of the calls is the one that is told.
def searched [n] (xs: [n]i64): i64 =
  if n < 4 then sum (map (\x -> 1000 / x) xs)
  else searched (take (n / 2) xs) + searched (drop (n / 2) xs)

-- ==
-- entry: divided
-- input { 5000i64 0i64 } error: division by zero
-- input { 5000i64 4999i64 } error: division by zero
-- input { 4i64 9i64 } output { 2083i64 }
entry divided (n: i64) (zero: i64): i64 =
  searched (map (\i -> if i == zero then 0 else i + 1) (iota n))

-- An array that all calls are given, and small ones that they return.
def counts [n] [m] (weights: [m]i64) (xs: [n]i64): [4]i64 =
  if n < 10
  then scatter (replicate 4 0) (map (% 4) (iota 4))
         (replicate 4 (sum (gather weights (map (% m) xs))))
  else
    let l = counts weights (take (n / 2) xs)
    let r = counts weights (drop (n / 2) xs)
    in map2 (+) l r

-- ==
-- entry: weighted
-- input { 1000i64 } output { [9500i64, 9500i64, 9500i64, 9500i64] }
entry weighted (n: i64): [4]i64 = counts (map (% 20) (iota 100)) (iota n)

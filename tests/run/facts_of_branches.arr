-- What holds in a branch, as that the number by which it divides is not 0, does not hold behind it.

-- ==
-- entry: row_or_none
-- input { empty([0]i64) } error: index 0 is out of bounds for an array of length 0
-- input { [7, 8] } output { [0, 2] }
entry row_or_none [m] (xs: [m]i64): [m]i64 =
  (let rows = replicate m (tabulate m (\_ -> m))
   in if null rows then tabulate m (\_ -> 5) else rows[-1 % m]) with [0] = 0

-- ==
-- entry: read_behind
-- input { empty([0]i64) 3 } error: index 0 is out of bounds for an array of length 0
-- input { [7, 8] 3 } output { 8 }
entry read_behind [m] (xs: [m]i64) (k: i64): i64 = (if m == 0 then 0 else k % m) + xs[0]

-- ==
-- entry: in_the_other_branch
-- input { empty([0]i64) 3 } error: index 0 is out of bounds for an array of length 0
-- input { [7, 8] 3 } output { 1 }
entry in_the_other_branch [m] (xs: [m]i64) (k: i64): i64 = if m > 0 then k % m else xs[0]

-- ==
-- entry: in_steps
-- input { [0, 2] empty([0]i64) } error: index 0 is out of bounds for an array of length 0
-- input { [0, 2] [5, 6, 7] } output { [5, 7] }
entry in_steps [n] [m] (ks: [n]i64) (xs: [m]i64): [n]i64 =
  map (\k -> (if k == 0 || m == 0 then 0 else k % m) + xs[0]) ks

-- ==
-- entry: behind_a_filter
-- input { [0, 2] empty([0]i64) } error: index 0 is out of bounds for an array of length 0
-- input { [0, 2] [5, 6, 7] } output { [2] [5, 5] }
entry behind_a_filter [n] [m] (ks: [n]i64) (xs: [m]i64): ([]i64, [n]i64) =
  (map (\k -> k % m) (filter (\k -> k > 0 && m > 0) ks), map (\_ -> xs[0]) ks)

-- ==
-- entry: behind_a_loop
-- input { empty([0]i64) 0 } error: index 0 is out of bounds for an array of length 0
-- input { [5, 6, 7] 4 } output { 4 }
entry behind_a_loop [m] (xs: [m]i64) (k: i64): i64 =
  (loop sum = 0 for i < k do sum + i % m) + xs[0] - 4

-- ==
-- entry: nested
-- input { empty([0]i64) 3 } error: index 0 is out of bounds for an array of length 0
-- input { [7, 8] 3 } output { 8 }
entry nested [m] (xs: [m]i64) (k: i64): i64 =
  let d = if k > 0 then (if m > 0 then k % m else 0) else 1 in d + (xs with [0] = xs[0])[0]

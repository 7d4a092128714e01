-- Loops in steps that end earlier in some lanes, and read elements that are not next to each other.

-- ==
-- entry: places
-- input { [1, 3, 3, 7] [0, 1, 2, 3, 4, 7, 8, -5, 3, 3, 9, 7, 1, 0, 2, 5, 6] }
-- output { [0, 0, 1, 1, 3, 3, 4, 0, 1, 1, 4, 3, 0, 0, 1, 3, 3] }
-- input { empty([0]i64) [0, 1, 2, 3, 4, 7, 8, -5, 3, 3, 9, 7, 1, 0, 2, 5, 6] }
-- output { [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
-- input { [5] empty([0]i64) } output { empty([0]i64) }
-- random input { [37]i64 [101]i64 } auto output
entry places [n] [k] (sorted: [k]i64) (xs: [n]i64): [n]i64 =
  let place x =
    let (low, _) = loop (low, high) = (0, k) while low < high do
      let mid = (low + high) / 2
      in if sorted[mid] < x then (mid + 1, high) else (low, mid)
    in low
  in map place xs

-- The steps of a histogram search, and so do those of each row of a cross.
-- ==
-- entry: counts
-- input { [1.0, 2.0] [0.0, 1.0, 1.5, f64.nan, 2.0, 3.0] } output { [3, 2, 1] }
-- input { empty([0]f64) [0.0, 1.0] } output { [2] }
-- random input { [20]f64 [1]f64 } auto output
-- random input { [20]f64 [15]f64 } auto output
-- random input { [20]f64 [16]f64 } auto output
-- random input { [20]f64 [33]f64 } auto output
-- random input { [20]f64 [2100]f64 } auto output
entry counts [n] [k] (sorted: [k]f64) (xs: [n]f64): [k + 1]i64 =
  let place x =
    let (low, _) = loop (low, high) = (0, k) while low < high do
      let mid = (low + high) / 2
      in if sorted[mid] < x then (mid + 1, high) else (low, mid)
    in low
  in hist (+) 0 (k + 1) (map place xs) (replicate n 1)

-- ==
-- entry: pairs
-- input { [1, 4] [1, 2, 3] [1, 2] } output { [1, 4, 1] }
-- input { [1, 4] empty([0]i32) [1, 2] } output { [0, 0, 0] }
-- input { [1, 4] [1, 2] empty([0]i32) } output { [0, 0, 0] }
-- random input { [20]i32 [9]i32 [1]i32 } auto output
-- random input { [20]i32 [9]i32 [15]i32 } auto output
-- random input { [20]i32 [9]i32 [16]i32 } auto output
-- random input { [20]i32 [70]i32 [36]i32 } auto output
-- random input { [20]i32 [3]i32 [1100]i32 } auto output
entry pairs [n] [m] [k] (sorted: [k]i32) (as: [n]i32) (bs: [m]i32): [k + 1]i64 =
  let place (a, b) =
    let (low, _) = loop (low, high) = (0, k) while low < high do
      let mid = (low + high) / 2
      in if sorted[mid] < a * b then (mid + 1, high) else (low, mid)
    in low
  in hist (+) 0 (k + 1) (map place (cross as bs)) (replicate (n * m) 1)

-- The value that an update adds depends on the step of the outer loop and on the step of the inner loop.
-- ==
-- entry: weights
-- input { [1, 2, 3] [1, 2, 5, 11, 17, 40] } output { [9, 12, 0, 57, 0, 60, 0, 0, 126] }
-- random input { [7]i32 [41]i32 } auto output
entry weights [n] [m] (as: [n]i32) (bs: [m]i32): [9]i32 =
  let steps b =
    (loop (k, b) = (0i64, b) while b > 1 do (k + 1, if b % 2 == 0 then b / 2 else 3 * b + 1)).0
  let one (a, b) = (steps (b % 64) % 9, a + b)
  let (keys, values) = unzip (map one (cross as bs))
  in hist (+) 0 9 keys values

-- Each step follows a chain of links. One link is out of bounds: it is read in a whole vector, in the steps that remain, or by no step.
-- ==
-- entry: roots
-- input { [0, 0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, 3, 2] }
-- output { [0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 15, 15, 15, 0, 0] }
-- input { [0, 0, 1, 2, 3, 4, 5, 20, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, 3, 2] }
-- error: index 20 is out of bounds for an array of length 20
-- input { [0, 0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, -2, 2] }
-- error: index -2 is out of bounds for an array of length 20
-- input { empty([0]i64) } output { empty([0]i64) }
entry roots [n] (up: [n]i64): [n]i64 =
  map (\i -> (loop (i, j) = (i, up[i]) while i != j do (j, up[j])).0) (iota n)

-- The first failure in the order of the steps is reported, and the bins of later steps do not matter.
-- ==
-- entry: root_counts
-- input { [0, 0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, 3, 2] } output { [9, 8, 3] }
-- input { [0, 0, 1, 2, 3, 4, 5, 7, 7, 30, 9, 10, 11, 11, 12, 15, 15, 16, -4, 2] }
-- error: index 30 is out of bounds for an array of length 20
entry root_counts [n] (up: [n]i64): [3]i64 =
  let root i = (loop (i, j) = (i, up[i]) while i != j do (j, up[j])).0
  in hist (+) 0 3 (map (\i -> root i / 7) (iota n)) (replicate n 1)

-- The condition reads elements, too.
-- ==
-- entry: climbs
-- input { [3, 2, 4, 1, 9, 4, 8, 7, 6, 11, 30, 10, 13, 14, 15, 16, 0, 2, 19, 5] }
-- output { [1, 4, 3, 0, 2, 0, 1, 0, 0, 1, 0, 0, 4, 3, 2, 1, 0, 0, 1, 0] }
-- random input { [35]i32 } auto output
entry climbs [n] (xs: [n]i32): [n]i64 =
  let up = map (\x -> i64.i32 x %% n) xs
  in map (\i -> (loop (i, c) = (i, 0) while c < 50 && up[i] > i do (up[i], c + 1)).1) (iota n)

-- Each step follows one of two links at each place. One link is out of bounds.
-- ==
-- entry: ways
-- input { [0, 0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, 3, 2] 3 }
-- output { [0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0] }
-- input { [0, 0, 1, 2, 3, 4, 5, 20, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, 3, 2] 3 }
-- error: index 20 is out of bounds for an array of length 20
-- input { [0, 0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 11, 12, 15, 15, 16, -2, 2] 3 }
-- error: index -2 is out of bounds for an array of length 20
-- input { empty([0]i64) 3 } output { empty([0]i64) }
entry ways [n] (up: [n]i64) (k: i64): [n]i64 =
  map (\i ->
    (loop (i, j) = (i, up[i]) while i != j do if j % 4 == k then (j, up[j - 1]) else (j, up[j])).0)
    (iota n)

-- Searches in 32 bits, some of which are kept.
-- ==
-- entry: kept_counts
-- input { [1i32, 3i32, 3i32, 7i32] [0i32, 1i32, 2i32, -3i32, 9i32, 4i32, -7i32, 3i32, 3i32, 8i32, 7i32, 6i32] } output { [2, 3, 0, 3, 2] }
-- input { [1i32] empty([0]i32) } output { [0, 0] }
-- random input { [20]i32 [15]i32 } auto output
-- random input { [20]i32 [16]i32 } auto output
-- random input { [20]i32 [2100]i32 } auto output
entry kept_counts [n] [k] (sorted: [k]i32) (xs: [n]i32): [k + 1]i64 =
  let place x =
    let (low, _) = loop (low, high) = (0i32, i32.i64 k) while low < high do
      let mid = low + ((high - low) >> 1)
      in if sorted[i64.i32 mid] < x then (mid + 1, high) else (low, mid)
    in i64.i32 low
  let places = map place (filter (>= 0) xs)
  in hist (+) 0 (k + 1) places (map (\_ -> 1) places)

-- Loops of few bits, in front of a histogram.
-- ==
-- entry: lengths
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] } output { [3, 2, 1, 2, 1, 2, 1, 2, 3] }
-- random input { [33]u16 } auto output
entry lengths [n] (xs: [n]u16): [9]i32 =
  let steps (x: u16) =
    (loop (k, x) = (0u16, x & 63) while x > 1 do
       (k + 1, if x & 1 == 0 then x >> 1 else 3 * x + 1)).0
  in hist (+) 0 9 (map (\x -> i64.u16 (steps x) % 9) xs) (replicate n 1i32)

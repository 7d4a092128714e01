-- Updates behind strips of steps: the rest of the steps runs before them, in vectors or without a branch.

-- The keys are computed by a division; some lie outside, and a divisor may be 0.
-- ==
-- entry: remainders
-- input { 3 [1i32, 4, 5, 6, 9] } output { [2i32, 2, 1] }
-- input { 3 empty([0]i32) } output { [0i32, 0, 0] }
-- input { 0 empty([0]i32) } output { empty([0]i32) }
-- input { 0 [1i32] } error: division by zero
-- random input { 7 [5000]i32 }
-- random input { 100 [1023]i32 }
-- random input { 100 [1]i32 }
entry remainders [n] (k: i64) (xs: [n]i32): [k]i32 =
  hist (+) 0 k (map (\x -> i64.i32 x % k) xs) (replicate n 1)

-- Values that take long, beside a sum of the same steps.
-- ==
-- entry: exponentials
-- input { 2 [0, 1, 2, 3] [0.0, 0.0, 0.0, 1.0] } output { [2, 1] 6 }
-- random input { 9 [3000]i64 [3000]f64 }
entry exponentials [n] (k: i64) (keys: [n]i64) (xs: [n]f64): ([2]i64, i64) =
  let large = map (\x -> i64.bool (f64.exp x < 2.0)) xs
  in (hist (+) 0 2 (map (/ k) keys) large, i64.sum keys)

-- Elements are put where divisions say; the last one stays.
-- ==
-- entry: placed
-- input { 3 [1, 4, 5, 6, 9] } output { [1, 5, 6, 9] }
-- input { 0 [1] } error: division by zero
-- random input { 7 [5000]i64 }
entry placed [n] (k: i64) (xs: [n]i64): [4]i64 = scatter [0, 0, 0, 0] (map (/ k) xs) xs

-- A scan with a choice in each step, and bins of its kept elements.
-- ==
-- entry: lengths
-- input { [1, 500, 2, 3, 900, 4] } output { [0, 2, 1, 0] }
-- input { empty([0]i64) } output { [0, 0, 0, 0] }
-- input { [1] } output { [0, 1, 0, 0] }
-- random input { [5000]i64 }
-- random input { [1025]i64 }
-- structure ilp { arrays 0 }
entry lengths [n] (text: [n]i64): [4]i64 =
  let letters = map (< 400) text
  let begins = map_index (\i letter -> i == 0 || !letter || !letters[i - 1]) letters
  let lengths = filter (> 0) (segmented_reduce (+) 0 begins (map i64.bool letters))
  in hist (+) 0 4 lengths (map (const 1) lengths)

-- A fold in order behind a filter of such a scan. A step of the fold fails where it divides by zero.
-- ==
-- entry: digits_behind
-- input { [1, 2, 2, 1, 3] } output { -1 }
-- input { [1, 2, 7, 1, 3] } error: division by zero
entry digits_behind [n] (xs: [n]i64): i64 =
  let runs = segmented_scan (+) 0 (map (\x -> x % 2 == 0) xs) xs
  in fold (\acc x -> (acc * 10 + 1) % (x - 9)) 0 (filter (> 2) runs)

-- A fold in order whose step divides itself: the divisions need no accumulator, so they run before the updates.
-- ==
-- entry: divided
-- input { 3 [1, 4, 5, 6, 9] } output { [2, 2, 1] }
-- input { 3 empty([0]i64) } output { [0, 0, 0] }
-- input { 0 empty([0]i64) } output { empty([0]i64) }
-- input { 0 [1] } error: division by zero
-- random input { 7 [5000]i64 } auto output
-- random input { 100 [1023]i64 } auto output
-- random input { 100 [7]i64 } auto output
-- random input { 100 [1]i64 } auto output
entry divided [n] (k: i64) (xs: [n]i64): [k]i64 =
  fold (\bins x -> bins with [x % k] = bins[x % k] + 1) (replicate k 0) xs

-- In a step and over the steps, the failure that comes first is told: here the division by 0 in step b, or the index in step c.
-- ==
-- entry: first_failure
-- input { 4 3000 5000 5000 } auto output
-- input { 4 3000 1500 1510 } error: division by zero
-- input { 4 3000 1511 1510 } error: index 4 is out of bounds
-- input { 4 3000 1510 1510 } error: division by zero
-- input { 4 3000 2999 2000 } error: index 4 is out of bounds
-- input { 4 20 3 1 } error: index 4 is out of bounds
-- input { 4 20 0 1 } error: division by zero
-- input { 0 20 5 5 } error: division by zero
entry first_failure (k: i64) (n: i64) (b: i64) (c: i64): [4]i64 =
  fold (\bins i ->
    let bin = i64.max (60 / (if i == b then 0 else 1 + i % 7) % k) (if i == c then 4 else 0)
    in bins with [bin] = bins[bin] + i) (replicate 4 0) (iota n)

-- An element that may be outside is read before the division, so the division does not come before it.
-- ==
-- entry: read_first
-- input { 3 [1, 2, 3, 2, 1, 0, 0] } output { [3, 2, 2, 0] }
-- input { 0 [1] } error: division by zero
-- input { 0 [5] } error: index 5 is out of bounds
-- input { 3 [1, 2, 5] } error: index 5 is out of bounds
entry read_first [n] (k: i64) (xs: [n]i64): [4]i64 =
  fold (\bins x -> let old = bins[x] in bins with [x % k] = old + 1) (replicate 4 0) xs

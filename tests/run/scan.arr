-- Scans, inclusive and exclusive: with producers and consumers, over filters and products, in workers,
-- branches and recursion, and with tuples.

-- ==
-- entry: sums
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] [0, 1, 3, 6] }
-- input { [5] } output { [5] [0] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- random input { [100]i64 } auto output
-- structure { clusters 1 arrays 0 reads 1 writes 2 loops 1 }
entry sums [n] (xs: [n]i64): ([n]i64, [n]i64) = (scan (+) 0 xs, exscan (+) 0 xs)

-- ==
-- entry: maxima
-- input { [1.0, -2.0, 5.0, 3.0] } output { [1.0, 1.0, 5.0, 5.0] [-inf, 1.0, 1.0, 5.0] }
-- input { [nan, 1.0] } output { [-inf, 1.0] [-inf, -inf] }
entry maxima [n] (xs: [n]f64): ([n]f64, [n]f64) =
  (scan f64.max (-f64.inf) xs, exscan f64.max (-f64.inf) xs)

-- A map before, a map and a fold after: one pass, and no array but the result.
-- ==
-- entry: pipeline
-- input { [1, 2, 3] } output { [3, 8, 19] 27 3 }
-- input { empty([0]i64) } output { empty([0]i64) 0 0 }
-- structure { clusters 1 arrays 0 reads 1 writes 1 loops 1 }
-- structure none { clusters 8 }
entry pipeline [n] (xs: [n]i64): ([n]i64, i64, i64) =
  let squares = map (\x -> x * x + x) xs
  let sums = scan (+) 0 squares
  let less = map2 (-) sums (iota n)
  in (map (+ 1) less, reduce (+) 0 less + n - n, count (> 1) sums)

-- Over what a filter keeps, and filtered in turn.
-- ==
-- entry: filtered
-- input { [3, -1, 4, -1, 5, 9] } output { [3, 7, 12, 21] [7, 21] [0, 3, 7, 12] }
-- input { [-1] } output { empty([0]i64) empty([0]i64) empty([0]i64) }
-- random input { [50]i64 } auto output
-- structure { clusters 1 arrays 0 }
entry filtered [n] (xs: [n]i64): ?[k][m].([k]i64, [m]i64, [k]i64) =
  let kept = filter (> 0) xs
  let sums = scan (+) 0 kept
  in (sums, filter (\x -> x % 7 == 0) sums, exscan (+) 0 kept)

-- The worker costs so much, and may fail, that it stays behind the filter's branch.
-- ==
-- entry: guarded
-- input { [2, 0, 5, 0, 7] } output { [100, 120, 134] [0, 100, 120] }
entry guarded [n] (xs: [n]i64): ?[k].([k]i64, [k]i64) =
  let kept = map (200 /) (filter (> 0) xs)
  let op a b = if a == 0 then b else if b == 0 then a else a + (b - b % 2) / 2 + b % 2 * 0
  in (scan op 0 kept, exscan op 0 kept)

-- ==
-- entry: crossed
-- input { [1, 2] [10, 20] } output { [11, 32, 44, 66] }
-- input { empty([0]i64) [1] } output { empty([0]i64) }
entry crossed [n] [m] (xs: [n]i64) (ys: [m]i64): [n * m]i64 =
  scan (+) 0 (map (\(x, y) -> x + y) (cross xs ys))

-- Tuples: the sums and the products at once; and only one of them used.
-- ==
-- entry: tuples
-- input { [1, 2, 3] } output { [1, 3, 6] [1, 2, 6] [1, 1, 2] }
entry tuples [n] (xs: [n]i64): ([n]i64, [n]i64, [n]i64) =
  let op (a: (i64, i64)) (b: (i64, i64)) = (a.0 + b.0, a.1 * b.1)
  let (sums, products) = unzip (scan op (0, 1) (zip xs xs))
  let (_, before) = unzip (exscan op (0, 1) (zip xs xs))
  in (sums, products, before)

-- A segmented sum: the flags begin segments.
-- ==
-- entry: segmented
-- input { [1, 2, 3, 4, 5] [true, false, true, false, false] } output { [1, 3, 3, 7, 12] }
-- structure { clusters 1 arrays 0 }
entry segmented [n] (xs: [n]i64) (flags: [n]bool): [n]i64 =
  let op (a: (i64, bool)) (b: (i64, bool)) = (if b.1 then b.0 else a.0 + b.0, a.1 || b.1)
  in map (.0) (scan op (0, false) (zip xs flags))

-- In a worker, in a branch, in a recursive function.
-- ==
-- entry: nested
-- input { [1, 2, 3] } output { [1, 4, 10] }
entry nested [n] (xs: [n]i64): [n]i64 =
  map (\x -> reduce (+) 0 (scan (+) 0 (map (+ 1) (iota x)))) xs

-- ==
-- entry: chosen
-- input { [1, 2, 3] true } output { [1, 3, 6] }
-- input { [1, 2, 3] false } output { [1, 2, 6] }
entry chosen [n] (xs: [n]i64) (sum: bool): [n]i64 = if sum then scan (+) 0 xs else scan (*) 1 xs

def again [n] (k: i64) (xs: [n]i64): [n]i64 = if k == 0 then xs else again (k - 1) (scan (+) 0 xs)

-- ==
-- entry: repeated
-- input { 3i64 [1, 0, 0, 0] } output { [1, 3, 6, 10] }
entry repeated [n] (k: i64) (xs: [n]i64): [n]i64 = again k xs

-- The initial value and the operator depend on other folds; a strategy that does not fuse makes two passes.
-- ==
-- entry: dependent
-- input { [1, 2, 3] } output { [7, 9, 12] }
-- structure { clusters 2 }
entry dependent [n] (xs: [n]i64): [n]i64 = scan (+) (reduce (+) 0 xs) xs

-- ==
-- entry: failing
-- input { [4, 2] } output { [4, 2] }
-- input { [4, 0] } error: division by zero
entry failing [n] (xs: [n]i64): [n]i64 = scan (\a b -> if a == 0 then b else a / b + a % b) 0 xs

-- ==
-- entry: small
-- input { [200u8, 100u8] [true, false, true] } output { [200u8, 44u8] [true, false, false] }
entry small [n] [m] (xs: [n]u8) (flags: [m]bool): ([n]u8, [m]bool) =
  (scan (+) 0 xs, scan (&&) true flags)

-- By segments.
-- ==
-- entry: by_segments
-- input { [1, 2, 3, 4, 5, 6] [false, false, true, false, true, true] } output { [1, 3, 3, 7, 5, 6] [3, 7, 5, 6] }
-- input { [1, 2, 3] [true, true, true] } output { [1, 2, 3] [1, 2, 3] }
-- input { [4] [false] } output { [4] [4] }
-- input { empty([0]i64) empty([0]bool) } output { empty([0]i64) empty([0]i64) }
-- random input { [100]i64 [100]bool }
-- structure ilp { clusters 1 arrays 0 reads 3 writes 2 }
entry by_segments [n] (xs: [n]i64) (flags: [n]bool): ?[k].([n]i64, [k]i64) =
  (segmented_scan (+) 0 flags xs, segmented_reduce (+) 0 flags xs)

-- What comes before and behind shares the pass.
-- ==
-- entry: longest_rise
-- input { [1, 2, 5, 3, 4, 1] } output { 3i64 }
-- input { empty([0]i64) } output { 0i64 }
-- random input { [100]i64 }
-- structure ilp { clusters 1 arrays 0 }
entry longest_rise [n] (xs: [n]i64): i64 =
  let falls = tabulate n (\i -> i > 0 && xs[i] < xs[i - 1])
  in reduce i64.max 0 (segmented_reduce (+) 0 falls (map (const 1) xs))

-- ==
-- entry: before_in_segments
-- input { [1, 2, 3, 4, 5] [false, false, true, false, true] } output { [0, 1, 0, 3, 0] 4i64 }
-- input { empty([0]i64) empty([0]bool) } output { empty([0]i64) 0i64 }
-- random input { [1000]i64 [1000]bool }
-- structure ilp { clusters 1 arrays 0 reads 2 writes 1 }
entry before_in_segments [n] (xs: [n]i64) (flags: [n]bool): ([n]i64, i64) =
  let before = segmented_exscan (+) 0 flags xs
  in (before, reduce (+) 0 before)

-- A step that changes an array of its own.
-- ==
-- entry: of_changed
-- input { [5i64, 6, 7, 8] [0i64, 1, 2, 1] } output { [6i64, 7, 13, 14] }
-- input { [5i64, 6, 7, 8] empty([0]i64) } output { empty([0]i64) }
-- input { [5i64, 6, 7, 8] [0i64, 4, 2, 1] } error: index 4 is out of bounds for an array of length 3
-- input { [5i64, 6] [0i64, 1] } error: slice :3 is out of bounds for an array of length 2
entry of_changed [n] [m] (xs: [n]i64) (ks: [m]i64): [m]i64 =
  scan (+) 0 (map (\k -> (xs[:3] with [k] = k)[1]) ks)

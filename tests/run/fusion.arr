-- Programs whose combinators meet in one pass in many ways: the results must not tell.

-- Two filters with a common consumer of neither.
-- ==
-- entry: two_filters
-- input { [1i64, -2i64, 3i64, -4i64, 5i64] } output { [1i64, 3i64, 5i64] [-2i64, -4i64] 9i64 -6i64 3i64 }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) 0i64 0i64 0i64 }
entry two_filters [n] (xs: [n]i64): ?[k][l].([k]i64, [l]i64, i64, i64, i64) =
  let ps = filter (> 0) xs
  let ns = filter (< 0) xs
  let sp = reduce (+) 0 ps
  let sn = reduce (+) 0 ns
  in (ps, ns, sp, sn, sp + sn)

-- A filter whose predicate needs a fold of the same array: two passes.
-- ==
-- entry: above_average
-- input { [1i64, 2i64, 9i64] } output { [9i64] 1i64 }
-- input { [4i64] } output { empty([0]i64) 0i64 }
entry above_average [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let sum = reduce (+) 0 xs
  let big = filter (\x -> x * n > sum) xs
  in (big, length big)

-- A map of what a filter left, met with an iota of its length: the length is known at the end.
-- ==
-- entry: numbered_filter
-- input { [5i64, -1i64, 6i64] } output { [0i64, 5i64] [6i64, 4i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry numbered_filter [n] (xs: [n]i64): ?[k].([k]i64, [k]i64) =
  let ys = filter (> 0) xs
  let zs = map2 (\i y -> i * y + (if i == 0 then 0 else -1)) (iota (length ys)) ys
  in (zs, map2 (\i y -> y + 1 - 3 * i) (iota (length ys)) ys)

-- The same array by gather and as a stream.
-- ==
-- entry: stream_and_random
-- input { [3i64, 1i64, 2i64] } output { [5i64, 3i64, 5i64] }
entry stream_and_random [n] (xs: [n]i64): [n]i64 =
  let ys = map (+ 1) xs
  let zs = gather ys (map (\i -> n - 1 - i) (iota n))
  in map3 (\x y z -> z + y - x + (x - x) + (if x > 2 then 1 else 0)) xs ys zs

-- Chains in which each step is used twice.
-- ==
-- entry: diamond
-- input { [1i64, 2i64, 3i64] } output { [12i64, 20i64, 28i64] 60i64 }
entry diamond [n] (xs: [n]i64): ([n]i64, i64) =
  let a = map (* 2) xs
  let b = map (+ 1) a
  let c = map2 (+) a b
  let d = map3 (\a b c -> a + b + c + 1) a b c
  let e = map2 (\c d -> d + 1 + 0 * c) c d
  let f = map (\x -> x + 0) e
  in (f, reduce (+) 0 f)

-- Folds of different arrays of one size, and of what is left of them.
-- ==
-- entry: dot_and_norms
-- input { [1.0, 2.0, 2.0] [2.0, 0.0, 1.0] } output { 4.0 9.0 5.0 2.0 }
-- input { empty([0]f64) empty([0]f64) } output { 0.0 0.0 0.0 0.0 }
entry dot_and_norms [n] (xs: [n]f64) (ys: [n]f64): (f64, f64, f64, f64) =
  let sum xs = reduce (+) 0 xs
  let common = filter (\(x, y) -> x * y > 0) (zip xs ys)
  in (sum (map2 (*) xs ys),
      sum (map2 (*) xs xs),
      sum (map2 (*) ys ys),
      sum (map (\(x, y) -> f64.min x y) common))

-- Nothing of it is needed but a length.
-- ==
-- entry: lengths
-- input { [1i64, 2i64, 3i64] } output { 3i64 2i64 5i64 }
entry lengths [n] (xs: [n]i64): (i64, i64, i64) =
  let big = filter (> 1) xs
  in (length (map (/ 1) xs), length (map (* 2) big), length (xs ++ big))

-- Large enough for vectors and their remainders, at every size around theirs.
-- ==
-- entry: remainders
-- input { 0i64 } output { 0i64 0i64 }
-- input { 1i64 } output { 0i64 0i64 }
-- input { 2i64 } output { 1i64 1i64 }
-- input { 7i64 } output { 91i64 3i64 }
-- input { 8i64 } output { 140i64 4i64 }
-- input { 9i64 } output { 204i64 4i64 }
-- input { 1023i64 } output { 356343295i64 511i64 }
-- input { 100003i64 } output { 333358333950005i64 50001i64 }
entry remainders (n: i64): (i64, i64) =
  let xs = iota n
  let ys = map (\x -> x * x) xs
  let zs = filter (\y -> y % 2 == 1) ys
  in (reduce (+) 0 ys, length zs)

-- The order of floats is total for the whole library: `nan` is above all numbers, and equal to itself.

import "groups"
import "statistics"

-- ==
-- entry: extremes
-- input { [nan, 1.0, 2.0] } output { 1i64 0i64 1i64 0i64 }
-- input { [1.0, nan, 2.0] } output { 0i64 1i64 0i64 1i64 }
-- input { [2.0, 1.0, nan] } output { 1i64 2i64 1i64 2i64 }
-- input { [nan, nan] } output { 0i64 0i64 0i64 0i64 }
-- input { [nan, inf] } output { 1i64 0i64 1i64 0i64 }
-- input { [inf, nan, nan] } output { 0i64 1i64 0i64 1i64 }
-- input { [0.0, -0.0, nan] } output { 0i64 2i64 0i64 2i64 }
-- random input { [100]f64 } auto output
entry extremes [n] (xs: [n]f64): (i64, i64, i64, i64) =
  (argmin (<=) xs, argmax (<=) xs, argmin (<) xs, argmax (<) xs)

-- ==
-- entry: falling
-- input { [nan, 1.0, 2.0] } output { 0i64 1i64 0i64 }
-- input { [1.0, nan, 2.0, nan] } output { 1i64 0i64 1i64 }
-- input { [nan, nan] } output { 0i64 0i64 0i64 }
entry falling [n] (xs: [n]f32): (i64, i64, i64) =
  (argmin (>=) xs, argmax (\x y -> x >= y) xs, argmin (>) xs)

-- The least of the sorted array is the least, and the greatest is the greatest.
-- ==
-- entry: agree
-- input { [3.0, nan, -1.0, 2.0, nan, -5.0] } output { true }
-- input { [nan] } output { true }
-- random input { [30]f64 } output { true }
entry agree [n] (xs: [n]f64): bool =
  let same x y = f64.order x == f64.order y
  let s = sort (<=) xs
  in same xs[argmin (<=) xs] s[0] && same xs[argmax (<=) xs] s[n - 1]
     && same (head (top 1 (<=) xs)) s[0] && same (head (top 1 (>=) xs)) s[n - 1]

-- ==
-- entry: rows
-- input { [[nan, 1.0, 2.0], [1.0, 0.0, nan], [nan, nan, nan], [4.0, 5.0, 3.0]] }
-- output { [1i64, 1i64, 0i64, 2i64] [0i64, 2i64, 0i64, 1i64] }
entry rows [n] [m] (xss: [n][m]f64): ([n]i64, [n]i64) =
  (map (argmin (<=)) xss, map (argmax (<=)) xss)

-- ==
-- entry: kept
-- input { [nan, -1.0, 7.0, nan, 9.0] } output { 0i64 1i64 }
-- input { [nan, nan] } error: index 0 is out of bounds for an array of length 0
entry kept [n] (xs: [n]f64): (i64, i64) =
  let ys = filter (\x -> !(f64.isnan x) && x < 8 || x > 8) xs
  let zs = filter (\x -> f64.isnan x || x > 0) (map (* 2) xs)
  in (argmin (<=) ys, argmin (>=) (drop 1 zs))

-- Where NumPy's searchsorted finds them, from the left and from the right.
-- ==
-- entry: places
-- input { [1.0, 2.0, 2.0, 3.0, nan, nan] [0.0, 2.0, 2.5, 3.0, 4.0, nan] }
-- output { [0i64, 1i64, 3i64, 3i64, 4i64, 4i64] [0i64, 3i64, 3i64, 4i64, 4i64, 6i64] }
-- input { [nan] [1.0, nan] } output { [0i64, 0i64] [0i64, 1i64] }
entry places [n] [m] (sorted: [n]f64) (xs: [m]f64): ([m]i64, [m]i64) =
  (map (binary_search (<=) sorted) xs, map (binary_search (<) sorted) xs)

-- ==
-- entry: falling_places
-- input { [nan, nan, 3.0, 2.0, 2.0, 1.0] [0.0, 2.0, 2.5, 3.0, 4.0, nan] }
-- output { [6i64, 3i64, 3i64, 2i64, 2i64, 0i64] [6i64, 5i64, 3i64, 3i64, 2i64, 2i64] }
entry falling_places [n] [m] (sorted: [n]f64) (xs: [m]f64): ([m]i64, [m]i64) =
  (map (binary_search (>=) sorted) xs, map (binary_search (>) sorted) xs)

-- ==
-- entry: found
-- input { [3.0, nan, -1.0, 2.0, nan, -5.0] } output { [3i64, 4i64, 1i64, 2i64, 4i64, 0i64] }
entry found [n] (xs: [n]f64): [n]i64 = map (binary_search (<=) (sort (<=) xs)) xs

-- ==
-- entry: sorts
-- input { [3.0, nan, -1.0, 2.0, nan, -5.0] }
-- output { [-5.0, -1.0, 2.0, 3.0, nan, nan] [nan, nan, 3.0, 2.0, -1.0, -5.0] [-5.0, -1.0, 2.0, 3.0, nan, nan]
--   [nan, nan, 3.0, 2.0, -1.0, -5.0] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
entry sorts [n] (xs: [n]f64): ([n]f64, [n]f64, [n]f64, [n]f64) =
  (sort (<=) xs, sort (>=) xs, sort (<) xs, sort (>) xs)

-- In the order of a function that is no operator, elements that do not come before themselves are last.
-- ==
-- entry: by_functions
-- input { [3.0, nan, -1.0, 2.0, nan, -5.0] } output { [-1.0, 2.0, 3.0, -5.0, nan, nan] 2i64 1i64 }
-- input { [nan, nan] } output { [nan, nan] 0i64 0i64 }
-- input { [nan, 1.0] } output { [1.0, nan] 1i64 0i64 }
entry by_functions [n] (xs: [n]f64): ([n]f64, i64, i64) =
  let le x y = f64.abs x <= f64.abs y
  in (sort le xs, argmin le xs, argmax le xs)

-- ==
-- entry: pairs
-- input { [1.0, nan, 1.0, 2.0] [5.0, 1.0, nan, 0.0] } output { [1.0, 2.0, nan, 1.0] [5.0, 0.0, 1.0, nan] 0i64 1i64 }
entry pairs [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64, i64, i64) =
  let le (a, b) (c, d) = a < c || (a == c && b <= d)
  let (us, vs) = unzip (sort le (zip xs ys))
  in (us, vs, argmin le (zip xs ys), argmax le (zip xs ys))

-- ==
-- entry: fields
-- input { [2.0, nan, 1.0, nan] } output { [2i64, 0i64, 1i64, 3i64] 2i64 1i64 }
entry fields [n] (xs: [n]f64): ([n]i64, i64, i64) =
  let ps = map_index (\i x -> {x, i}) xs
  in (map (.i) (sort (\p q -> p.x <= q.x) ps),
      argmin (\p q -> p.x <= q.x) ps,
      argmax (\p q -> p.x <= q.x) ps)

-- ==
-- entry: tops
-- input { [nan, 3.0, 1.0, nan, 2.0] } output { [1.0, 2.0, 3.0] [nan, nan, 3.0] }
-- input { [nan, nan, 1.0] } output { [1.0, nan, nan] [nan, nan, 1.0] }
entry tops [n] (xs: [n]f64): ([3]f64, [3]f64) = (top 3 (<=) xs, top 3 (>=) xs)

-- ==
-- entry: groups
-- input { [2.0, nan, 1.0, nan, 2.0] } output { [1.0, 2.0, nan] [1i64, 2i64, 2i64] }
entry groups [n] (xs: [n]f64): ?[g].([g]f64, [g]i64) = counts_by id (<=) xs

-- The maximum and minimum of a number and `nan` are the number, in any order.
-- ==
-- entry: numbers
-- input { [nan, 3.0, 1.0, nan, 2.0] } output { 3.0 1.0 3.0 1.0 }
-- input { [3.0, 1.0, nan] } output { 3.0 1.0 3.0 1.0 }
-- input { [nan, nan] } output { -inf inf -inf inf }
entry numbers [n] (xs: [n]f64): (f64, f64, f64, f64) =
  (f64.maximum xs, f64.minimum xs, fold f64.max f64.lowest xs, reduce f64.min f64.highest xs)

-- ==
-- entry: relation
-- input { nan nan } output { false false }
-- input { 1.0 nan } output { true false }
-- input { nan 1.0 } output { false true }
-- input { -0.0 0.0 } output { false false }
-- input { 1.0 2.0 } output { true false }
entry relation (x: f64) (y: f64): (bool, bool) = (precedes (<=) x y, precedes (>=) x y)

-- ==
-- entry: integers
-- input { [3i64, 1i64, 9i64, 1i64] } output { 1i64 2i64 3i64 }
entry integers [n] (xs: [n]i64): (i64, i64, i64) =
  (argmin (<=) xs, argmax (<=) xs, binary_search (<=) (sort (<=) xs) 9)

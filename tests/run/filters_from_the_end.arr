-- The result of a filter is read from its end: the filter goes over its source from the end, in one pass.

def p (x: i64): bool = x % 3 == 0

-- ==
-- entry: reversed
-- input { [3, 1, 6, 9] } output { [9, 6, 3] }
-- input { [3] } output { [3] }
-- input { [1] } output { empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) }
-- random input { [7]i64 }
-- random input { [8]i64 }
-- random input { [9]i64 }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry reversed [n] (xs: [n]i64): ?[k].[k]i64 = reverse (filter p xs)

-- ==
-- entry: folded
-- input { [3, 1, 6, 9] } output { 1129 }
-- input { [1] } output { 0 }
-- input { empty([0]i64) } output { 0 }
-- random input { [33]i64 }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry folded [n] (xs: [n]i64): i64 =
  foldr (\x s -> 13 * s + x) 0 (map (\x -> 2 * x + 1) (filter p xs)) / 3

-- What the filter's source is made from goes backwards as well, and filters of filters.
-- ==
-- entry: chained
-- input { [3, 1, 6, 9, 12] } output { [37, 19] [18, 9] 3 }
-- input { [2] } output { empty([0]i64) empty([0]i64) 0 }
-- random input { [100]i64 }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 2 arrays 0 }
entry chained [n] (xs: [n]i64): ?[k].([k]i64, [k]i64, i64) =
  let ys = filter (\x -> x % 2 == 0) (map (\x -> 3 * x) (filter p xs))
  let zs = reverse ys
  in (map (+ 1) zs,
      map2 (\z y -> (z + y) / 4) zs (reverse ys),
      length ys + i64.bool (length ys > 0))

-- Components of one filter, positions in its source, and positions in the reversed result.
-- ==
-- entry: positions
-- input { [3, 1, 6, 9] [0.5, 1.5, 2.5, 3.5] } output { 5 [0, 1, 2] [3.5, 2.5, 0.5] }
-- input { empty([0]i64) empty([0]f64) } output { 0 empty([0]i64) empty([0]f64) }
-- random input { [10000]i64 [10000]f64 }
-- structure ilp { clusters 1 reads 2 writes 2 arrays 0 }
entry positions [n] (xs: [n]i64) (ys: [n]f64): ?[k].(i64, [k](i64, f64)) =
  let kept = reverse (filter (\(_, x, _) -> p x) (zip3 (iota n) xs ys))
  in (fold_index (\s at (i, _, _) -> s + at * i + at) 0 kept,
      map_index (\at (_, _, y) -> (at, y)) kept)

-- The first elements of the reversed result.
-- ==
-- entry: taken
-- input { [3, 1, 6, 9] 2i64 } output { 15 9 }
-- input { [3, 1, 6, 9] 4i64 } error: index 3 is out of bounds for an array of length 3
-- input { [1] 0i64 } error: index 0 is out of bounds for an array of length 0
-- random input { [10000]i64 5i64 }
entry taken [n] (xs: [n]i64) (k: i64): (i64, i64) =
  let ys = reverse (filter p xs)
  in (i64.sum (take k ys), head ys)

-- The result is needed in its order as well: it is stored once.
-- ==
-- entry: both
-- input { [3, 1, 6, 9] } output { [9, 6, 3] [3, 6, 9] }
-- random input { [10000]i64 }
-- structure ilp { clusters 2 reads 2 writes 2 arrays 0 }
entry both [n] (xs: [n]i64): ?[k].([k]i64, [k]i64) =
  let ys = filter p xs
  in (reverse ys, ys)

-- ==
-- entry: in_order
-- input { [3, 1, 6, 9] } output { [-6, 0, 6] 18 }
-- random input { [10000]i64 }
entry in_order [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let ys = filter p xs
  in (map2 (-) ys (reverse ys), i64.sum ys)

-- A scan depends on the order, and so does a position in the filter's result.
-- ==
-- entry: dependent
-- input { [3, 1, 6, 9] } output { [18, 9, 3] [18, 6, 0] }
-- random input { [10000]i64 }
entry dependent [n] (xs: [n]i64): ?[k].([k]i64, [k]i64) =
  let ys = filter p xs
  in (reverse (scan (+) 0 ys), reverse (map_index (\i y -> i * y) ys))

-- The source has another use in its order.
-- ==
-- entry: used_source
-- input { [3, 1, 6, 9] } output { [18, 12, 6] 38 }
-- random input { [10000]i64 }
entry used_source [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let zs = map (\x -> 2 * x) xs
  in (reverse (filter p zs), fold (\s z -> s + z) 0 zs)

-- The reversed result is a part of an append, and positions are beside it.
-- ==
-- entry: appended
-- input { [3, 1, 6, 9] [5, 7] } output { 30 18 }
-- input { empty([0]i64) [5] } output { 5 0 }
-- random input { [10000]i64 [3]i64 }
-- structure ilp { clusters 2 reads 2 writes 0 arrays 0 }
entry appended [n] [m] (xs: [n]i64) (zs: [m]i64): (i64, i64) =
  let ys = reverse (filter p xs)
  in (i64.sum (ys ++ zs), fold_index (\s at y -> 2 * s + at * y) 0 ys)

-- The first element that fails is the first one by position.
-- ==
-- entry: failing
-- input { [3, 1, 6, 9] [1, 1, 1, 1] } output { [9, 6, 3] }
-- input { [3, 1, 6, 9] [1, 7, 1, 8] } error: index 7 is out of bounds for an array of length 4
entry failing [n] (xs: [n]i64) (is: [n]i64): ?[k].[k]i64 =
  reverse (filter p (map2 (\x i -> if xs[i] > 0 then x else x + 1) xs is))

-- Rows, and filters in loops and branches.
-- ==
-- entry: inner
-- input { [[3, 1, 6], [1, 1, 2], [9, 9, 3]] true } output { [60, 0, 156] }
-- input { [[3, 1, 6], [1, 1, 2], [9, 9, 3]] false } output { [0, 0, 0] }
-- random input { [20][70]i64 true }
entry inner [n] [m] (xss: [n][m]i64) (c: bool): [n]i64 =
  map (\xs -> if c then foldr (\x s -> 2 * s + 4 * x) 0 (filter p xs) / 1 else 0) xss

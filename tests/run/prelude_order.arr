-- Order and search: the first, the least, sorted arrays, and groups.

-- ==
-- entry: first_large
-- input { [1, 12, 3, 14] } output { 1i64 }
-- input { [12] } output { 0i64 }
-- input { [1, 2] } output { -1i64 }
-- input { empty([0]i32) } output { -1i64 }
-- structure { clusters 1 arrays 0 reads 1 writes 0 loops 1 }
entry first_large [n] (xs: [n]i32): i64 =
  match find_first (> 10) xs
  case #some i -> i
  case #none -> -1

-- ==
-- entry: extremes
-- input { [3.0, 1.0, 2.0, 1.0, 3.0] } output { 1i64 0i64 }
-- input { [7.0] } output { 0i64 0i64 }
-- input { [2.0, nan, 1.0] } output { 2i64 1i64 }
-- input { empty([0]f64) } error: index 0 is out of bounds for an array of length 0
-- structure { clusters 1 arrays 0 reads 1 writes 0 loops 1 }
entry extremes [n] (xs: [n]f64): (i64, i64) = (argmin (<=) xs, argmax (<=) xs)

-- ==
-- entry: nearest
-- input { [1.0, -5.0, 0.5] [1.0, 0.0, 0.5] } output { 2i64 }
entry nearest [n] (xs: [n]f64) (ys: [n]f64): i64 =
  argmin (\p q -> p.0 * p.0 + p.1 * p.1 <= q.0 * q.0 + q.1 * q.1) (zip xs ys)

-- ==
-- entry: once
-- input { [1, 1, 2, 3, 3, 3, 1] } output { [1, 2, 3, 1] }
-- input { [1] } output { [1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry once [n] (xs: [n]i32): ?[k].[k]i32 = unique (==) xs

-- ==
-- entry: distinct
-- input { [3, 1, 3, 2, 1] [false, true, false, false, true] } output { [1, 2, 3] [true, false, false] }
entry distinct [n] (xs: [n]i32) (fs: [n]bool): ?[k].([k]i32, [k]bool) =
  unzip (unique (==) (sort_by_key (.0) (<=) (zip xs fs)))

-- ==
-- entry: places
-- input { [1, 3, 3, 5] [0, 1, 2, 3, 4, 5, 6] } output { [0i64, 0i64, 1i64, 1i64, 3i64, 3i64, 4i64] }
-- input { empty([0]i32) [1] } output { [0i64] }
-- input { [2] [1, 2, 3] } output { [0i64, 0i64, 1i64] }
entry places [n] [m] (sorted: [n]i32) (xs: [m]i32): [m]i64 = map (binary_search (<=) sorted) xs

-- ==
-- entry: upwards
-- input { [5i64, 3i64, 9i64, 1i64, -2i64, 3i64, 7i64] } output { [-2i64, 1i64, 3i64, 3i64, 5i64, 7i64, 9i64] }
-- input { [2i64, 1i64] } output { [1i64, 2i64] }
-- input { [4i64, 3i64, 2i64, 1i64] } output { [1i64, 2i64, 3i64, 4i64] }
-- input { [5i64, 4i64, 3i64, 2i64, 1i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- input { [1i64] } output { [1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- random input { [1]i64 } auto output
-- random input { [64]i64 } auto output
-- random input { [129]i64 } auto output
entry upwards [n] (xs: [n]i64): [n]i64 = sort (<=) xs

-- ==
-- entry: is_sorted
-- random input { [1000]i64 } output { true true true }
-- random input { [1023]i64 } output { true true true }
-- input { empty([0]i64) } output { true true true }
entry is_sorted [n] (xs: [n]i64): (bool, bool, bool) =
  let ys = sort (<=) xs
  let down = sort (>=) xs
  let in_order = all (\i -> i == 0 || ys[i - 1] <= ys[i]) (iota n)
  in (in_order, i64.sum xs == i64.sum ys, and (map2 (==) (reverse ys) down))

-- Equal keys keep the order in which they were.
-- ==
-- entry: stable
-- input { [2, 1, 2, 1, 2] } output { [1, 1, 2, 2, 2] [1i64, 3i64, 0i64, 2i64, 4i64] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) }
entry stable [n] (xs: [n]i32): ([n]i32, [n]i64) = unzip (sort_by_key (.0) (<=) (zip xs (iota n)))

-- By two keys; of records; in a branch.
-- ==
-- entry: by_both
-- input { [2.0, 1.0, 2.0] [5, 6, 4] } output { [1.0, 2.0, 2.0] [6, 4, 5] }
-- input { [2.0, 1.0] [5, 6] } output { [1.0, 2.0] [6, 5] }
-- input { [1.0] [5] } output { [1.0] [5] }
entry by_both [n] (xs: [n]f64) (ys: [n]i32): ([n]f64, [n]i32) =
  let le p q = p.x < q.x || (p.x == q.x && p.y <= q.y)
  let rs = map2 (\x y -> {x, y}) xs ys
  let sorted = if n < 2 then rs else sort le rs
  in (map (.x) sorted, map (.y) sorted)

-- In a worker: the middle of three windows.
-- ==
-- entry: medians
-- input { [9, 1, 5, 7, 3] } output { [5, 5, 5] }
entry medians [n] (xs: [n]i32): [n - 2]i32 =
  generate (n - 2) (\i -> (sort (<=) (take 3 (drop i xs)))[1])

-- ==
-- entry: totals
-- input { [0i64, 2i64, 0i64, 5i64, -1i64] [1.0, 2.0, 3.0, 4.0, 5.0] } output { [4.0, 0.0, 2.0] }
-- input { empty([0]i64) empty([0]f64) } output { [0.0, 0.0, 0.0] }
entry totals [n] (keys: [n]i64) (xs: [n]f64): [3]f64 =
  group_reduce 3 (.0) (.1) (+) 0 (zip keys xs)

-- ==
-- entry: collected
-- input { 3i64 [2i64, 0i64, 2i64, 0i64] } output { [0i64, 2i64, 2i64, 4i64] [1i64, 3i64, 0i64, 2i64] }
-- input { 2i64 empty([0]i64) } output { [0i64, 0i64, 0i64] empty([0]i64) }
-- input { 0i64 empty([0]i64) } output { [0i64] empty([0]i64) }
-- input { 2i64 [0i64, 2i64] } error: index 2 is out of bounds for an array of length 2
-- input { 2i64 [-1i64] } error: index -1 is out of bounds for an array of length 2
entry collected [n] (k: i64) (keys: [n]i64): ([k + 1]i64, [n]i64) =
  group_collect k (.0) (.1) (zip keys (iota n))

-- `flatmap`: what a function makes of each element, one after the other.

-- ==
-- entry: ranges
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { [1i64] } output { [0i64] }
-- input { [0i64, 0i64] } output { empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [2i64, -1i64] } error: negative size -1
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry ranges [n] (xs: [n]i64): ?[m].[m]i64 = flatmap iota xs

-- ==
-- entry: up_to_three
-- input { [5, 6, 7, 8] } output { [5, 6, 7, 7, 8, 9] }
-- input { [4, 8] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry up_to_three [n] (xs: [n]i32): ?[m].[m]i32 =
  flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 (x & 3)))) xs

-- The elements of the parts are summed as they are made.
-- ==
-- entry: summed
-- input { [5, 6, 7, 8] } output { 42 }
-- input { empty([0]i32) } output { 0 }
-- structure { clusters 1 arrays 0 writes 0 loops 2 allocations 0 }
entry summed [n] (xs: [n]i32): i32 =
  i32.sum (flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 (x & 3)))) xs)

-- ==
-- entry: filtered
-- input { [2i64, 4i64, 1i64] } output { [2i64, 2i64, 6i64] 2i64 }
-- input { [0i64] } output { empty([0]i64) 0i64 }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry filtered [n] (xs: [n]i64): ?[m].([m]i64, i64) =
  let ys = filter (> 0) (map (* 2) (flatmap iota xs))
  in (filter (\y -> y % 4 == 2) ys, i64.sum (map (\y -> if y > 2 then 1 else 0) ys))

-- ==
-- entry: running
-- input { [2i64, 3i64] } output { [0i64, 1i64, 1i64, 2i64, 4i64] 5i64 }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry running [n] (xs: [n]i64): ?[m].([m]i64, i64) =
  let ys = flatmap iota xs
  in (scan (+) 0 ys, length ys)

-- Beside what runs over the elements themselves.
-- ==
-- entry: beside
-- input { [2i64, 3i64] } output { [1i64, 2i64, 1i64, 2i64, 3i64] [4i64, 6i64] 5i64 }
-- structure { clusters 1 arrays 0 writes 2 loops 2 allocations 2 }
entry beside [n] (xs: [n]i64): ?[m].([m]i64, [n]i64, i64) =
  (flatmap (\x -> 1...x) xs, map (* 2) xs, i64.sum xs)

-- From a map, without its array.
-- ==
-- entry: after_map
-- input { [1i64, 0i64] } output { [0i64, 1i64, 0i64] }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry after_map [n] (xs: [n]i64): ?[m].[m]i64 = flatmap iota (map (+ 1) xs)

-- ==
-- entry: after_filter
-- input { [3i64, -1i64, 0i64, 2i64] } output { [0i64, 1i64, 2i64, 0i64, 1i64] }
-- input { [-1i64] } output { empty([0]i64) }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry after_filter [n] (xs: [n]i64): ?[m].[m]i64 = flatmap iota (filter (> 0) xs)

-- ==
-- entry: twice
-- input { [2i64, 3i64] } output { [0i64, 0i64, 0i64, 1i64] }
-- input { [0i64, 1i64] } output { empty([0]i64) }
-- structure { clusters 1 arrays 0 writes 1 loops 3 allocations 1 }
entry twice [n] (xs: [n]i64): ?[m].[m]i64 = flatmap iota (flatmap iota xs)

-- ==
-- entry: nested
-- input { [2i64, 3i64] } output { [0i64, 0i64, 0i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry nested [n] (xs: [n]i64): ?[m].[m]i64 = flatmap (\x -> flatmap (\y -> iota y) (iota x)) xs

-- ==
-- entry: with_cross
-- input { [1i64, 2i64] [10i64, 20i64] } output { 91i64 [10i64, 20i64, 10i64, 20i64, 11i64, 21i64] }
-- input { [0i64] [1i64] } output { 0i64 empty([0]i64) }
entry with_cross [n] [m] (xs: [n]i64) (ys: [m]i64): ?[k].(i64, [k]i64) =
  let zs = map (\(a, b) -> a + b) (cross (flatmap iota xs) ys)
  in (i64.sum zs - i64.sum (flatmap iota xs), zs)

-- A few large parts: the result grows.
-- ==
-- entry: large
-- input { [100000i64, 0i64, 100000i64, 1i64, 50000i64] } output { 250001i64 11249875000i64 99999i64 0i64 }
entry large [n] (xs: [n]i64): (i64, i64, i64, i64) =
  let ys = flatmap iota xs
  in (length ys, i64.sum ys, ys[99999], ys[200000])

-- ==
-- entry: literals
-- input { [1, 2] } output { [1, 10, 100, 2, 20, 200] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry literals [n] (xs: [n]i32): ?[m].[m]i32 = flatmap (\x -> [x, x * 10, x * 100]) xs

-- ==
-- entry: one_or_none
-- input { [1, -2, 3] } output { [1, 3] }
-- input { [-1] } output { empty([0]i32) }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry one_or_none [n] (xs: [n]i32): ?[m].[m]i32 = flatmap (\x -> if x > 0 then [x] else []) xs

-- Branches with parts of their own.
-- ==
-- entry: branches
-- input { [3i64, -2i64, 0i64, 9i64] }
-- output { [0i64, 3i64, 6i64, -2i64, 4i64, 18i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry branches [n] (xs: [n]i64): ?[m].[m]i64 =
  flatmap (\x ->
    if x < 0 then let y = x * x in [x, y]
    else if x > 8 then let z = x + x in replicate (x / 8) z
    else map (* 3) (iota (x & 3)) |> map (\y -> y * x / i64.max 1 x)) xs

-- ==
-- entry: branches_of_pairs
-- input { [3i64, -2i64] [1.5, 2.5] } output { [3i64, 3i64, -2i64] [1.5, 3.0, 2.5] }
entry branches_of_pairs [n] (xs: [n]i64) (ys: [n]f64): ?[m].([m]i64, [m]f64) =
  unzip (flatmap (\(x, y) -> if x > 0 then [(x, y), (x, y * 2)] else [(x, y)]) (zip xs ys))

-- A branch with an array that exists.
-- ==
-- entry: branches_of_arrays
-- input { [7, 8] [3i64, -2i64] } output { [0, 1, 2, 7, 8] }
entry branches_of_arrays [n] [k] (table: [k]i32) (xs: [n]i64): ?[m].[m]i32 =
  flatmap (\x -> if x > 0 then map i32.i64 (iota x) else table) xs

-- A filter of few: nothing is stored in between.
-- ==
-- entry: few_kept
-- input { [1, 2, 6] } output { [2, 3, 2, 4, 6, 12] 30 }
-- input { empty([0]i32) } output { empty([0]i32) 0 }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry few_kept [n] (xs: [n]i32): ?[m].([m]i32, i32) =
  let ys = flatmap (\x -> filter (\y -> y > 1 && y % 12 != 6 || y == x) [x, x * 2, x * 3]) xs
  in (filter (> 1) ys, i32.sum ys)

-- As many as fit into a vector, and more.
-- ==
-- entry: up_to_seven
-- input { [3i64, 15i64, 8i64, 1i64] }
-- output { [3i64, 2i64, 1i64, 15i64, 14i64, 13i64, 12i64, 11i64, 10i64, 9i64, 1i64] 11i64 -9i64 }
-- input { [8i64, 0i64] } output { empty([0]i64) 0i64 0i64 }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry up_to_seven [n] (xs: [n]i64): ?[m].([m]i64, i64, i64) =
  let ys = flatmap (\x -> map (x -) (iota (x & 7))) xs
  in (ys, length ys, fold (\s y -> y - s) 0 ys)

-- Of rows, and of floats; a part of a part.
-- ==
-- entry: few_of_few
-- input { [3i64, 1i64, 2i64] } output { [0.0, 0.0, 0.5, 0.0] 3i64 }
entry few_of_few [n] (xs: [n]i64): ?[m].([m]f64, i64) =
  let ys = flatmap (\x -> iota (x % 4)) xs
  let zs = flatmap (\y -> map (\i -> f64.i64 i / 2) (iota (i64.min 2 y))) ys
  in (zs, i64.sum (map (\y -> if y > 1 then 3 else 0) ys))

-- ==
-- entry: none_at_all
-- input { [3i64, 1i64] } output { empty([0]i32) 0i64 }
entry none_at_all [n] (xs: [n]i64): ?[m].([m]i32, i64) =
  let ys = flatmap (\_ -> let none: [0]i32 = [] in none) xs
  in (ys, length ys)

-- What could fail runs for the elements of the part only.
-- ==
-- entry: few_that_fail
-- input { [2i64, 0i64] [5, 6, 7] } output { [5, 2, 6, 3] }
-- input { [3i64] [5, 6] } error: index 2 is out of bounds for an array of length 2
entry few_that_fail [n] [k] (xs: [n]i64) (ys: [k]i32): ?[m].[m]i32 =
  flatmap (\x -> map (\i -> ys[i]) (iota (x & 3))) xs |> flatmap (\y -> [y, y / 2])

-- ==
-- entry: joined
-- input { [2i64, 0i64] } output { [0i64, 1i64, 2i64, 2i64, 0i64] }
entry joined [n] (xs: [n]i64): ?[m].[m]i64 = flatmap (\x -> iota x ++ replicate (x / 2) x ++ [x]) xs

-- ==
-- entry: filters
-- input { [6i64, 1i64, 4i64] } output { [1i64, 2i64, 3i64, 6i64, 1i64, 1i64, 2i64, 4i64] }
entry filters [n] (xs: [n]i64): ?[m].[m]i64 = flatmap (\x -> filter (\d -> x % d == 0) (1...x)) xs

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [1, 2, 3, 4] }
-- input { empty([2][0]i32) } output { empty([0]i32) }
-- input { empty([0][2]i32) } output { empty([0]i32) }
entry rows [n] [m] (xss: [n][m]i32): ?[k].[k]i32 = flatmap (\xs -> xs) xss

-- ==
-- entry: rows_kept
-- input { [[1, -2], [-3, -4], [5, 6]] } output { [1, 5, 6] }
entry rows_kept [n] [m] (xss: [n][m]i32): ?[k].[k]i32 = flatmap (filter (> 0)) xss

-- The same for each: an array from outside.
-- ==
-- entry: same
-- input { [7, 8] [1i64, 2i64] } output { [7, 8, 7, 8] }
-- input { empty([0]i32) [1i64] } output { empty([0]i32) }
entry same [n] [m] (table: [n]i32) (xs: [m]i64): ?[k].[k]i32 = flatmap (\_ -> table) xs

-- ==
-- entry: pairs
-- input { [2i64, 1i64] } output { [2i64, 2i64, 1i64] [0i64, 1i64, 0i64] }
-- structure { clusters 1 arrays 0 writes 2 loops 2 allocations 2 }
entry pairs [n] (xs: [n]i64): ?[m].([m]i64, [m]i64) =
  unzip (flatmap (\x -> map (\i -> (x, i)) (iota x)) xs)

-- ==
-- entry: of_pairs
-- input { [2i64, 1i64] [1.5, 2.5] } output { [1.5, 1.5, 2.5] [true, false, true] }
entry of_pairs [n] (xs: [n]i64) (ys: [n]f64): ?[m].([m]f64, [m]bool) =
  unzip (flatmap (\(x, y) -> map (\i -> (y, i == 0)) (iota x)) (zip xs ys))

-- ==
-- entry: same_twice
-- input { [2i64] } output { [0i64, 1i64] [0i64, 1i64] }
entry same_twice [n] (xs: [n]i64): ?[m].([m]i64, [m]i64) =
  unzip (flatmap (\x -> let ys = iota x in zip ys ys) xs)

-- Parts of rows.
-- ==
-- entry: of_rows
-- input { 2i64 [2i64, 0i64, 1i64] } output { [[2i64, 2i64], [2i64, 3i64], [1i64, 1i64]] }
-- input { 0i64 [2i64] } output { empty([2][0]i64) }
-- input { 3i64 empty([0]i64) } output { empty([0][3]i64) }
entry of_rows [n] (m: i64) (xs: [n]i64): ?[k].[k][m]i64 =
  flatmap (\x -> generate x (\i -> generate m (\j -> x + i * j))) xs

-- ==
-- entry: rows_of_rows
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[1, 2], [3, 4], [5, 6], [7, 8]] }
entry rows_of_rows [n] [m] [l] (xsss: [n][m][l]i32): ?[k].[k][l]i32 = flatmap (\xss -> xss) xsss

-- ==
-- entry: rows_from_outside
-- input { [1, 2] [2i64, 1i64] } output { [[1, 2], [1, 2], [1, 2]] }
entry rows_from_outside [n] [l] (row: [l]i32) (xs: [n]i64): ?[k].[k][l]i32 =
  flatmap (\x -> replicate x row) xs

-- ==
-- entry: rows_summed
-- input { [[1, 2], [3, 4]] } output { [3, 3, 7, 7] }
entry rows_summed [n] [m] (xss: [n][m]i32): ?[k].[k]i32 =
  map i32.sum (flatmap (\xs -> replicate 2 xs) xss)

-- ==
-- entry: in_workers
-- input { [2i64, 3i64, 0i64] } output { [1i64, 4i64, 0i64] }
entry in_workers [n] (xs: [n]i64): [n]i64 =
  map (\x -> i64.sum (flatmap iota (iota (x + 1)))) xs

-- ==
-- entry: lengths_in_workers
-- input { [2i64, 3i64, 0i64] } output { [1i64, 3i64, 0i64] }
entry lengths_in_workers [n] (xs: [n]i64): [n]i64 = map (\x -> length (flatmap iota (iota x))) xs

-- ==
-- entry: in_branches
-- input { true [2i64] } output { [0i64, 1i64] }
-- input { false [2i64] } output { [2i64] }
entry in_branches [n] (c: bool) (xs: [n]i64): ?[m].[m]i64 = if c then flatmap iota xs else xs

-- Every subset, by recursion.
-- ==
-- entry: subsets
-- input { 3i64 } output { [0, 1, 2, 3, 4, 5, 6, 7] }
-- input { 0i64 } output { [0] }
def codes (n: i64): ?[m].[m]i32 =
  if n <= 0 then [0] else flatmap (\x -> [x * 2, x * 2 + 1]) (codes (n - 1))

entry subsets (n: i64): ?[m].[m]i32 = codes n

-- Parts from a recursive call.
-- ==
-- entry: tree
-- input { 2i64 } output { [2i64, 1i64, 0i64, 0i64, 1i64, 0i64, 0i64] }
-- input { 0i64 } output { [0i64] }
def preorder (n: i64): ?[m].[m]i64 =
  if n <= 0 then [n] else [n] ++ flatmap (\_ -> preorder (n - 1)) (iota 2)

entry tree (n: i64): ?[m].[m]i64 = preorder n

-- ==
-- entry: in_loops
-- input { 3i64 } output { [3i64, 2i64, 2i64] }
entry in_loops (n: i64): ?[m].[m]i64 =
  loop xs = [n] for i < n do flatmap (\x -> if x > i + 1 then [x, x - 1] else [x]) xs

-- Errors are those of the first element that fails.
-- ==
-- entry: out_of_bounds
-- input { [1, 2, 3] [3i64, 1i64] } output { [1, 2, 3, 1] }
-- input { [1, 2, 3] [1i64, 4i64] } error: index 3 is out of bounds for an array of length 3
-- input { empty([0]i32) [0i64] } output { empty([0]i32) }
entry out_of_bounds [n] [k] (xs: [n]i32) (ks: [k]i64): ?[m].[m]i32 =
  flatmap (\k -> map (\i -> xs[i]) (iota k)) ks

-- ==
-- entry: asserts
-- input { [1i64, 2i64] } output { 3i64 }
-- input { [1i64, 5i64] } error: assertion
entry asserts [n] (xs: [n]i64): i64 =
  length (flatmap (\x -> assert (x < 5) (iota x)) xs)

-- Once for each element: a part is used twice.
-- ==
-- entry: part_used_again
-- input { [2i64, 3i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64] }
entry part_used_again [n] (xs: [n]i64): ?[m].[m]i64 =
  flatmap (\x -> let ys = iota x in map (\y -> y + i64.sum ys) ys) xs

-- ==
-- entry: zipped_with_parts
-- input { [2i64, 1i64] [5, 6, 7] } output { [5, 7, 7] }
-- input { [2i64, 1i64] [5] } error: 3
entry zipped_with_parts [n] [k] (xs: [n]i64) (ys: [k]i32): [k]i32 =
  map2 (\z y -> i32.i64 z + y) (flatmap iota xs :> [k]i64) ys

-- A part is an append. The position of an element tells which side it comes from.
-- ==
-- entry: appended
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 4i64, 2i64, 0i64, 0i64, 0i64, 2i64, 4i64, 6i64, 3i64] 22i64 }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
-- input { [1i64, -2i64] } error: negative size -2
-- structure { clusters 1 arrays 0 allocations 1 }
entry appended [n] (xs: [n]i64): ?[m].([m]i64, i64) =
  let ys =
    flatmap (\x -> map (* (x - 1)) (iota (x + x % 2)) ++ replicate (1 - x % 2) (x * 2) ++ [x]) xs
  in (ys, i64.sum ys)

-- ==
-- entry: appended_pairs
-- input { [2i64, 0i64] } output { [0i64, 1i64, 7i64, 7i64] [1.5, 1.5, 2.0, 0.0] }
-- structure { clusters 1 arrays 0 allocations 2 }
entry appended_pairs [n] (xs: [n]i64): ?[m].([m]i64, [m]f64) =
  unzip (flatmap (\x -> zip (iota x) (replicate x 1.5) ++ [(7, f64.i64 x)]) xs)

-- A branch yields an append, a filter reads an append, and a side of an append is an `if`.
-- ==
-- entry: appended_choices
-- input { [0i64, 3i64] } output { [9i64, 2i64, 9i64, 3i64, 4i64] }
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] } auto output
-- structure { clusters 1 arrays 0 allocations 1 }
entry appended_choices [n] (xs: [n]i64): ?[m].[m]i64 =
  let ys = flatmap (\x -> (if x > 2 then [2] else [x] ++ [x + 1]) ++ [9] ++ map (+ x) (iota 2)) xs
  in flatmap (\y -> filter (> 1) ([y] ++ iota (y % 2))) ys

-- An array that stands on both sides of an append is stored. An array from outside of the step is read where it is.
-- ==
-- entry: appended_twice
-- input { [2i64, 1i64] [7i64, 8i64] }
-- output { [0i64, 1i64, 0i64, 1i64, 0i64, 0i64] [7i64, 8i64, 0i64, 1i64, 7i64, 8i64, 0i64] [0i64, 1i64, 0i64, 2i64, 1i64, 0i64, 0i64, 0i64] }
entry appended_twice [n] [k] (xs: [n]i64) (t: [k]i64): ?[m][l][o].([m]i64, [l]i64, [o]i64) =
  (flatmap (\x -> let ys = iota x in ys ++ ys) xs,
   flatmap (\x -> t ++ iota x) xs,
   flatmap (\x -> let ys = iota x in ys ++ map (* 2) ys ++ [i64.sum ys]) xs)

-- The part of a step ends in a flatmap, which becomes an inner loop. The inner steps use variables of the outer step, and a map of the
-- inner result runs in the inner loop.
-- ==
-- entry: inside
-- input { [3i64, 0i64] } output { [6i64, 4i64, 3i64, 6i64, 5i64, 3i64, 6i64, 5i64, 4i64] 42i64 }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
-- input { [5i64, 0i64, 1i64, 2i64, 7i64] } auto output
-- structure { clusters 1 arrays 0 allocations 1 }
entry inside [n] (xs: [n]i64): ?[m].([m]i64, i64) =
  let ys =
    flatmap (\x -> map (+ x) (flatmap (\y -> flatmap (\z -> [x, y, z]) (iota y)) (iota x))) xs
  in (ys, i64.sum ys)

-- ==
-- entry: inside_filtered
-- input { [5i64, 1i64] } output { [0i64, 2i64, 0i64, 2i64] }
-- input { [7i64, 5i64, 1i64, 6i64] } auto output
-- structure { clusters 1 arrays 0 allocations 1 }
entry inside_filtered [n] (xs: [n]i64): ?[m].[m]i64 =
  flatmap
    (\x ->
      filter (\v -> v % 2 == 0 || v > x) (flatmap (\y -> if y > 2 then iota y else []) (iota x))) xs

-- The outer step computes the sizes of the inner parts.
-- ==
-- entry: inside_sizes
-- input { [3i64, 0i64, 2i64] } auto output
-- input { [1i64, 5i64, 2i64] } auto output
entry inside_sizes [n] (xs: [n]i64): ?[m][o][p][q].([m]i64, [o]i64, [p]i64, [q]i64) =
  (flatmap (\x -> flatmap (\y -> map (+ y) (scan (+) 0 (iota (x + 1)))) (iota x)) xs,
   flatmap (\x -> let k = x * 2 in flatmap (\y -> generate k (\i -> i * y + k)) (iota k)) xs,
   flatmap (\x -> flatmap (\row -> row) (generate x (\i -> generate x (\j -> i * j + x)))) xs,
   flatmap
     (\x ->
       flatmap (\row -> map (+ i64.sum row) row)
         (generate x (\i -> generate (x + 1) (\j -> i * j + x)))) xs)

-- The inner part is stored: it is a scan, or a step sums all of it, or it is a row, or a filter makes it.
-- ==
-- entry: inside_stored
-- input { [3i64, 0i64, 4i64] [[1i64, 2i64], [4i64, 5i64]] }
-- output { [0i64, 0i64, 1i64, 0i64, 0i64, 1i64, 0i64, 1i64, 3i64] [1i64, 1i64, 2i64, 4i64, 4i64, 5i64, 4i64, 5i64, 6i64] [1i64, 1i64, 2i64, 1i64, 4i64, 4i64, 5i64, 4i64] [2i64, 5i64, 6i64, 6i64, 7i64] }
entry inside_stored [n] [k] [l] (xs: [n]i64) (xss: [k][l]i64):
    ?[m][o][p][q].([m]i64, [o]i64, [p]i64, [q]i64) =
  (flatmap (\x -> flatmap (\y -> scan (+) 0 (iota y)) (iota x)) xs,
   flatmap (\x -> let ws = flatmap (\y -> iota y) (iota x) in map (+ i64.sum ws) ws) xs,
   flatmap (\xs -> flatmap (\x -> [x, xs[0]]) xs) xss,
   flatmap
     (\x ->
       let fs = filter (> 1) (iota x)
       in flatmap (\f -> generate (length fs) (\i -> f + i + i64.sum fs - 2)) fs) xs)

-- A step of an inner flatmap fails.
-- ==
-- entry: inside_failing
-- input { [2i64, 3i64] 10i64 } output { [10i64, 10i64, 5i64, 5i64] }
-- input { [2i64, 3i64] 0i64 } error: division by zero
-- input { [2i64, -3i64] 10i64 } error: negative size -3
entry inside_failing [n] (xs: [n]i64) (d: i64): ?[m].[m]i64 =
  flatmap (\x -> flatmap (\y -> generate y (\i -> if d > 0 then 10 / y else i / d)) (iota x)) xs

-- The array of a step has no elements. Its scratch buffer has memory nevertheless, because whole vectors are stored there.
-- ==
-- entry: scratch_of_nothing
-- input { [3i64, 0i64, 5i64, 8i64] 0i64 } output { empty([0]i64) }
-- input { [3i64, 0i64] 2i64 } output { [0i64, 1i64, 1i64, 2i64, 2i64, 3i64, 0i64, 1i64, 1i64, 2i64, 2i64, 3i64] }
entry scratch_of_nothing [n] (xs: [n]i64) (k: i64): ?[m].[m]i64 =
  flatmap (\x -> scan (+) 0 (flatmap (\_ -> iota (k & 3)) [x, x - 1, 2])) xs

-- ==
-- entry: scratch_of_no_elements
-- input { [3i64, 0i64, 5i64] } output { empty([0]i64) }
entry scratch_of_no_elements [n] (xs: [n]i64): ?[m].[m]i64 =
  flatmap (\x -> scan (+) 0 (flatmap (\_ -> iota 0) [x, x - 1, 2])) xs

-- Both ends of a part are arrays from outside of the step, one of them mapped.
-- ==
-- entry: appended_tables
-- input { [2i64, 0i64] [7i64, 8i64] } output { [7i64, 8i64, 0i64, 1i64, 14i64, 16i64, 7i64, 8i64, 14i64, 16i64] 91i64 }
-- input { [1i64] empty([0]i64) } output { [0i64] 0i64 }
-- structure { clusters 1 arrays 0 allocations 1 }
entry appended_tables [n] [k] (xs: [n]i64) (t: [k]i64): ?[m].([m]i64, i64) =
  let ys = flatmap (\x -> t ++ iota x ++ map (* 2) t) xs
  in (ys, i64.sum ys)

-- A recursive function makes the parts, and writes them behind each other. The third result keeps the pass, because a sum consumes the
-- elements.
-- ==
-- entry: called
-- input { [3i64, 7i64, 0i64, 12i64] } output { [3i64, 1i64, 7i64, 5i64, 3i64, 1i64, 2i64, 4i64, 2i64, 1i64, 2i64] [4i64, 3i64, 1i64, 8i64, 7i64, 5i64, 3i64, 1i64, 2i64, 4i64, 2i64, 1i64, 1i64, 3i64, 2i64] 31i64 [7i64, 5i64, 3i64, 1i64, 2i64, 4i64, 2i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) 0i64 empty([0]i64) }
entry called [n] (xs: [n]i64): ?[k][m][l].([k]i64, [m]i64, i64, [l]i64) =
  (flatmap parts (map (% 10) xs),
   flatmap (\x -> [x % 10 + 1] ++ parts (x % 10)) xs,
   i64.sum (flatmap (\x -> parts (x % 10)) xs),
   flatmap parts (filter (> 5) (map (% 10) xs)))

def parts (k: i64): ?[m].[m]i64 = if k <= 0 then [] else [k] ++ parts (k - 2) ++ parts (k - 3)

-- The function returns two arrays; a step fails; the input has rows; a step reverses the result of the function.
-- ==
-- entry: called_pairs
-- input { [2i64, 3i64] [[1i64, 2i64], [3i64, 4i64]] } auto output
-- input { [2i64, -3i64] [[1i64], [0i64]] } error: division by zero
-- input { [5i64, 1i64, 4i64, 0i64, 2i64, 9i64] [[3i64, 2i64, 1i64], [9i64, 9i64, 9i64], [0i64, 0i64, 0i64]] } auto output
entry called_pairs [n] [r] [c] (xs: [n]i64) (xss: [r][c]i64):
    ?[k][m][l].([k]i64, [k]f64, [m]i64, [l]i64) =
  let (ys, zs) = unzip (flatmap (\x -> halves (6 / (x + 3))) xs)
  in (ys,
      zs,
      flatmap (\row -> parts (i64.sum row % 8)) xss,
      flatmap (\x -> reverse (parts (x % 6))) xs)

def halves (k: i64): ?[m].[m](i64, f64) =
  if k <= 0 then [] else [(k, f64.i64 k / 2)] ++ halves (k - 1)

-- The input is a range, or a map of one, or its size is negative.
-- ==
-- entry: called_of_ranges
-- input { 5i64 } output { [1i64, 2i64, 3i64, 1i64, 4i64, 2i64, 1i64] [1i64, 3i64, 1i64, 5i64, 3i64, 1i64, 2i64, 7i64, 5i64, 3i64, 1i64, 2i64, 4i64, 2i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
-- input { -2i64 } error: negative size -2
entry called_of_ranges (n: i64): ?[k][m].([k]i64, [m]i64) =
  (flatmap parts (iota n), flatmap parts (map (\x -> 2 * x - 1) (generate n (\i -> i))))

-- ==
-- entry: called_of_a_range
-- input { 4i64 } auto output
-- input { -1i64 } error: negative size -1
entry called_of_a_range (n: i64): ?[k].[k]i64 = flatmap parts (generate n (\i -> 9 - i * i))

-- A slice is checked before a pass reads its elements, also where that pass has combinators in front of the slice, and where
-- another task begins at the same time. The positions are far outside of all memory.

-- Two folds in one pass, the second one of a slice.
-- ==
-- entry: in_one_pass
-- input { [1f64, 2, 4, 8] 2i64 1i64 } output { 2.5f64 0.375f64 }
-- input { [1f64, 2, 4, 8] 2i64 1000000000000i64 } error: slice 1000000000000:1000000000002 is out of bounds for an array of length 4
-- input { [1f64, 2, 4, 8] 2i64 -1000000000000i64 } error: slice -1000000000000:-999999999998 is out of bounds for an array of length 4
-- input { [1f64, 2, 4, 8] 5i64 0i64 } error: slice :5 is out of bounds for an array of length 4
-- structure { loops 1 }
entry in_one_pass [n] (xs: [n]f64) (h: i64) (k: i64): (f64, f64) =
  (fold (\a x -> a * 0.5 + x) 0 xs[:h], fold (\a x -> a * 0.25 + 1 / x) 0 xs[k:k + h])

-- Two folds in two passes, which run at the same time.
-- ==
-- entry: in_two_tasks
-- input { [1f64, 2, 4, 8] 2i64 3i64 } output { 2.5f64 0.125f64 }
-- input { [1f64, 2, 4, 8] 2i64 -1000000000000i64 } error: slice -1000000000000: is out of bounds for an array of length 4
-- input { [1f64, 2, 4, 8] 2i64 1000000000000i64 } error: slice 1000000000000: is out of bounds for an array of length 4
entry in_two_tasks [n] (xs: [n]f64) (h: i64) (k: i64): (f64, f64) =
  (fold (\a x -> a * 0.5 + x) 0 xs[:h], fold (\a x -> a * 0.25 + 1 / x) 0 xs[k:])

-- An element of a slice, which a pass in front of the slice could use.
-- ==
-- entry: element
-- input { [1f64, 2, 4, 8] 1i64 } output { 15f64 [4f64, 5, 7, 11] }
-- input { [1f64, 2, 4, 8] 1000000000000i64 } error: slice 1000000000000:1000000000002 is out of bounds for an array of length 4
entry element [n] (xs: [n]f64) (k: i64): (f64, [n]f64) =
  let s = fold (+) 0 xs
  let w = xs[k:k + 2]
  in (s, map (+ (w[0] + w[1] / 4)) xs)

-- Rows of a slice, read against their order.
-- ==
-- entry: of_rows
-- input { [[1f64, 2], [3, 4], [5, 6]] 1i64 } output { 21f64 [5f64, 6] }
-- input { [[1f64, 2], [3, 4], [5, 6]] 1000000000000i64 } error: slice 1000000000000:1000000000002 is out of bounds for an array of length 3
entry of_rows [n] [m] (xss: [n][m]f64) (k: i64): (f64, []f64) =
  (f64.sum (flatten xss), map f64.sum (transpose xss[k:k + 2]) |> map (/ 2) |> map (+ 1))

-- Halves of an array in a recursion, which run at the same time.
-- ==
-- entry: halves
-- input { [1f64, 2, 4, 8, 16, 32, 64] 0i64 } output { 127f64 }
-- input { [1f64, 2, 4, 8, 16, 32, 64] 1000000000000i64 } error: slice 1000000000003: is out of bounds for an array of length 7
def total [n] (xs: [n]f64) (gap: i64): f64 =
  if n <= 1 then f64.sum xs
  else let h = n / 2 in total xs[:h] 0 + total xs[h + gap:] gap

entry halves [n] (xs: [n]f64) (gap: i64): f64 = total xs gap

-- A slice of an array that a condition chooses: its sum runs in both branches, and so does its check.
-- ==
-- entry: in_branches
-- input { [1i64, 2, 3] 5i64 2i64 5i64 } output { 6i64 }
-- input { [1i64, 2, 3] 0i64 1i64 3i64 } output { 5i64 }
-- input { [1i64, 2, 3] 5i64 -1000000000000i64 5i64 } error: slice -1000000000000:5 is out of bounds for an array of length 6
-- input { [1i64, 2, 3] 0i64 1i64 1000000000000i64 } error: slice 1:1000000000000 is out of bounds for an array of length 3
entry in_branches [n] (xs: [n]i64) (k: i64) (l: i64) (h: i64): i64 =
  i64.sum ((if k > 2 then xs ++ xs else xs)[l:h])

-- Steps in vectors run to their end also where a check fails.
-- ==
-- entry: in_rows
-- input { 40i64 9i64 1i64 } output { 180f64 }
-- input { 40i64 9i64 1000000000000i64 } error: slice 1000000000000:1000000000003 is out of bounds for an array of length 9
-- input { 40i64 9i64 -1000000000000i64 } error: slice -1000000000000:-999999999997 is out of bounds for an array of length 9
def of_row [n] [m] (xss: [n][m]f64) (k: i64): [n]f64 =
  map (\row -> let w = row[k:k + 3] in w[0] * w[1] + w[2]) xss

entry in_rows (n: i64) (m: i64) (k: i64): f64 =
  f64.sum (of_row (tabulate_2d n m (\y x -> f64.i64 (y % 2 + x % 3))) k)

-- ==
-- entry: in_steps
-- input { [1f64, 2, 4, 8, 16, 32, 64, 128, 256, 512] [0i64, 1, 2, 3, 4, 5, 6, 7, 1] } output { 1349.25f64 }
-- input { [1f64, 2, 4, 8, 16, 32, 64, 128, 256, 512] [0i64, 1, 2, 3, 4, 5, 6, 1000000000000, 1] } error: slice 1000000000000:1000000000003 is out of bounds for an array of length 10
-- input { [1f64, 2, 4, 8, 16, 32, 64, 128, 256, 512] [0i64, 1, 2, 3, 4, -1000000000000, 6, 1, 1] } error: slice -1000000000000:-999999999997 is out of bounds for an array of length 10
entry in_steps [n] [m] (xs: [n]f64) (ks: [m]i64): f64 =
  f64.sum (map (\k -> fold (\a x -> a * 0.5 + x) 0 xs[k:k + 3]) ks)

-- ==
-- entry: with_one_slice
-- input { [1f64, 2, 4, 8, 16, 32, 64, 128, 256, 512] 0i64 3i64 } output { 1093f64 }
-- input { [1f64, 2, 4, 8, 16, 32, 64, 128, 256, 512] 1000000000000i64 3i64 } error: slice 1000000000000:1000000000003 is out of bounds for an array of length 10
-- input { [1f64, 2, 4, 8, 16, 32, 64, 128, 256, 512] -1000000000000i64 3i64 } error: slice -1000000000000:-999999999997 is out of bounds for an array of length 10
entry with_one_slice [n] (xs: [n]f64) (k: i64) (h: i64): f64 =
  f64.sum (map (\x -> x + f64.sum xs[k:k + 3][:h]) xs)

-- A part of the results of two maps, computed without the rest: the check in the first map is not left out.
-- ==
-- entry: in_part
-- input { [1i64, 2, 4, 8] [0i64, 1, 2] 1i64 } output { 65i64 }
-- input { [1i64, 2, 4, 8] [0i64, 1, 1000000000000] 1i64 } error: slice 1000000000000:1000000000002 is out of bounds for an array of length 4
entry in_part [n] [m] (xs: [n]i64) (ks: [m]i64) (p: i64): i64 =
  i64.maximum (map (\x -> x * 2 + 1) (map (\k -> let w = xs[k:k + 2] in w[0] * w[1]) ks))[p:]

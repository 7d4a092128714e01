-- Loops that carry arrays: of one size, and of sizes that vary.

-- ==
-- entry: doubling
-- input { [1i64, 2i64] 3i64 } output { [8i64, 16i64] }
-- input { [1i64, 2i64] 0i64 } output { [1i64, 2i64] }
-- input { empty([0]i64) 3i64 } output { empty([0]i64) }
entry doubling [n] (xs: [n]i64) (k: i64): [n]i64 = loop ys = xs for _i < k do map (* 2) ys

-- ==
-- entry: swap
-- input { [1i64, 2i64] [3i64, 4i64] 3i64 } output { [3i64, 4i64] [1i64, 2i64] }
-- input { [1i64, 2i64] [3i64, 4i64] 2i64 } output { [1i64, 2i64] [3i64, 4i64] }
entry swap [n] (xs: [n]i64) (ys: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (a, b) = (xs, ys) for _i < k do (b, a)

-- ==
-- entry: both_one
-- input { [1i64] [2i64] 2i64 } output { [2i64] [2i64] }
entry both_one [n] (xs: [n]i64) (ys: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (a, b) = (xs, ys) for _i < k do (b, b)

-- ==
-- entry: replaced_by_outer
-- input { [1i64] [2i64] 2i64 } output { [2i64] }
-- input { [1i64] [2i64] 0i64 } output { [1i64] }
entry replaced_by_outer [n] (xs: [n]i64) (ys: [n]i64) (k: i64): [n]i64 =
  loop a = xs for _i < k do if k > 9 then a else ys

-- ==
-- entry: shrinking
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 2i64 } output { [3i64, 4i64, 5i64] }
-- input { [1i64, 2i64, 3i64] 0i64 } output { [1i64, 2i64, 3i64] }
-- input { empty([0]i64) 2i64 } output { empty([0]i64) }
entry shrinking [n] (xs: [n]i64) (k: i64): ?[m].[m]i64 =
  loop ys = xs for i < k do filter (> i + 1) ys

-- ==
-- entry: growing
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { 0i64 } output { empty([0]i64) }
entry growing (n: i64): ?[m].[m]i64 = loop xs = [] for i < n do xs ++ [i]

-- ==
-- entry: doubled_size
-- input { [1i64, 2i64] 2i64 } output { 8i64 [1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64] }
entry doubled_size [n] (xs: [n]i64) (k: i64): ?[m].(i64, [m]i64) =
  let ys = loop ys = xs for _i < k do ys ++ ys
  in (length ys, ys)

-- ==
-- entry: sizes_used
-- input { [3i64, 1i64, 2i64] } output { 6i64 }
entry sizes_used [n] (xs: [n]i64): i64 =
  let (_, s) =
    loop (ys, s) = (xs, 0) while length ys > 0 do
      (filter (> 1) ys |> filter (> 2) |> filter (> 3), s + length ys * 2)
  in s

-- ==
-- entry: until_empty
-- input { [3i64, 1i64, 2i64] } output { 3i64 }
-- input { empty([0]i64) } output { 0i64 }
entry until_empty [n] (xs: [n]i64): i64 =
  let (_, steps) = loop (ys, steps) = (xs, 0) while length ys > 0 do
    (filter (> 0) (map (\y -> y - 1) ys), steps + 1)
  in steps

-- ==
-- entry: pairs
-- input { [1i64, 2i64] [true, false] 2i64 } output { [3i64, 4i64] [true, false] }
entry pairs [n] (xs: [n]i64) (bs: [n]bool) (k: i64): ([n]i64, [n]bool) =
  unzip (loop ps = zip xs bs for _i < k do map (\(x, b) -> (x + 1, b)) ps)

-- ==
-- entry: filtered_pairs
-- input { [1i64, 2i64, 3i64] [1.0, 2.0, 3.0] 2i64 } output { [3i64] [3.0] }
entry filtered_pairs [n] (xs: [n]i64) (ys: [n]f64) (k: i64): ?[m].([m]i64, [m]f64) =
  unzip (loop ps = zip xs ys for i < k do filter (\(x, _) -> x > i + 1) ps)

-- ==
-- entry: relax
-- input { [0.0, 0.0, 8.0] 2i64 } output { [0.0, 2.0, 8.0] }
entry relax [n] (xs: [n]f64) (k: i64): [n]f64 =
  loop a = xs for _i < k do
    generate n
      (\i -> if i == 0 || i == n - 1 then a[i] else (a[i - 1] + a[i + 1]) / 2.0 - a[i] / 2.0)

-- ==
-- entry: two_uses
-- input { [1i64, 2i64] 2i64 } output { [1i64, 2i64] [4i64, 8i64] 3i64 }
entry two_uses [n] (xs: [n]i64) (k: i64): ([n]i64, [n]i64, i64) =
  let ys = map (+ 0) xs
  let zs = loop a = ys for _i < k do map (* 2) a
  in (ys, zs, reduce (+) 0 ys)

-- ==
-- entry: not_taken
-- input { true [1i64] } output { [1i64] }
-- input { false [1i64] } output { [3i64] }
entry not_taken [n] (c: bool) (xs: [n]i64): [n]i64 =
  let ys = map (+ 0) xs
  in if c then ys else loop a = ys for _i < 2 do map (+ 1) a

-- ==
-- entry: with_scalar
-- input { [5i64, 6i64] } output { 2i64 [7i64, 8i64] }
entry with_scalar [n] (xs: [n]i64): (i64, [n]i64) =
  loop (i, a) = (0, xs) while i < 2 do (i + 1, map (+ 1) a)

-- ==
-- entry: inner_result
-- input { [1i64, 2i64] 3i64 } output { [15i64, 30i64] }
entry inner_result [n] (xs: [n]i64) (k: i64): [n]i64 =
  loop a = xs for i < k do loop b = a for _j < i do map2 (+) (map2 (+) b b) xs

-- ==
-- entry: dead_array
-- input { [1i64, 2i64] 3i64 } output { 3i64 }
entry dead_array [n] (xs: [n]i64) (k: i64): i64 =
  let (i, _) = loop (i, a) = (0, xs) for _j < k do (i + 1, map (* 2) a)
  in i

-- ==
-- entry: invariant_array
-- input { [1i64, 2i64] 3i64 } output { 9i64 [1i64, 2i64] }
entry invariant_array [n] (xs: [n]i64) (k: i64): (i64, [n]i64) =
  loop (s, a) = (0, xs) for _j < k do (s + reduce (+) 0 a, a)

def grow [n] (xs: [n]i64) (k: i64): ?[m].[m]i64 = loop ys = xs for i < k do ys ++ [i]

-- ==
-- entry: in_function
-- input { [7i64] 2i64 } output { [7i64, 0i64, 1i64] 3i64 }
entry in_function [n] (xs: [n]i64) (k: i64): ?[m].([m]i64, i64) =
  let ys = grow xs k
  in (ys, length ys)

-- ==
-- entry: in_worker
-- input { [1i64, 2i64, 3i64] } output { [0i64, 1i64, 3i64] }
entry in_worker [n] (xs: [n]i64): [n]i64 =
  map (\x -> reduce (+) 0 (loop a = [] for i < x do a ++ [i])) xs

-- ==
-- entry: in_worker_same_size
-- input { [1i64, 2i64] } output { [11i64, 22i64] }
entry in_worker_same_size [n] (xs: [n]i64): [n]i64 =
  map (\x -> (loop a = [x, x] for _i < 10 do map (+ x) a)[0]) xs

-- ==
-- entry: stops_at_error
-- input { [1i64, 2i64] 1i64 } output { [2i64, 1i64] }
-- input { [1i64, 2i64] 2i64 } error: index 3 is out of bounds
entry stops_at_error [n] (xs: [n]i64) (k: i64): [n]i64 =
  loop a = xs for i < k do generate n (\j -> a[1 - j + 2 * i])

def even_steps [n] (xs: [n]i64) (k: i64): [n]i64 =
  if k == 0 then xs else loop a = xs for _i < 1 do even_steps (map (+ 1) a) (k - 1)

-- ==
-- entry: recursive
-- input { [1i64, 2i64] 3i64 } output { [4i64, 5i64] }
entry recursive [n] (xs: [n]i64) (k: i64): [n]i64 = even_steps xs k

-- Parts of arrays: the first and the last elements, turned round and moved, in workers and branches too.

-- ==
-- entry: halves
-- input { 2i64 [5, 6, 7] } output { [5, 6] [7] }
-- input { 0i64 [5, 6] } output { empty([0]i32) [5, 6] }
-- input { 2i64 [5, 6] } output { [5, 6] empty([0]i32) }
-- input { 0i64 empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { 3i64 [5, 6] } error: index 2 is out of bounds for an array of length 2
-- input { -1i64 [5, 6] } error: negative size -1
entry halves [n] (k: i64) (xs: [n]i32): ([k]i32, [n - k]i32) = (take k xs, drop k xs)

-- ==
-- entry: dropped
-- input { 3i64 [5, 6] } error: negative size -1
-- input { -1i64 [5, 6] } error: index -1 is out of bounds for an array of length 2
-- input { 1i64 [5, 6] } output { [6] }
entry dropped [n] (k: i64) (xs: [n]i32): [n - k]i32 = drop k xs

-- The part and what is made of it: one pass, and no array between.
-- ==
-- entry: sum_of_first
-- input { 2i64 [5i64, 6i64, 7i64] } output { 11i64 }
-- input { 0i64 empty([0]i64) } output { 0i64 }
-- structure { clusters 1 arrays 0 writes 0 loops 1 }
entry sum_of_first [n] (k: i64) (xs: [n]i64): i64 = i64.sum (take k xs)

-- ==
-- entry: joined_again
-- input { 1i64 [5, 6, 7] } output { [5, 6, 7] [6, 7, 5] }
-- input { 0i64 empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry joined_again [n] (k: i64) (xs: [n]i32): ([k + n - k]i32, [n]i32) =
  (concat (take k xs) (drop k xs), concat (drop k xs) (take k xs))

-- ==
-- entry: ends_off
-- input { [5, 6, 7] } output { [6, 7] [5, 6] }
-- input { [5] } output { empty([0]i32) empty([0]i32) }
-- input { empty([0]i32) } error: negative size -1
entry ends_off [n] (xs: [n]i32): ([n - 1]i32, [n - 1]i32) = (tail xs, init xs)

-- Neighbours, by two parts of one size: one pass.
-- ==
-- entry: differences
-- input { [1, 4, 9, 16] } output { [3, 5, 7] }
-- input { [1] } output { empty([0]i32) }
-- structure { clusters 1 arrays 0 writes 1 loops 1 }
entry differences [n] (xs: [n]i32): [n - 1]i32 = map2 (-) (tail xs) (init xs)

-- ==
-- entry: turned
-- input { [5, 6, 7] } output { [7, 6, 5] [7i64, 6i64, 5i64] }
-- input { [5] } output { [5] [5i64] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) }
entry turned [n] (xs: [n]i32): ([n]i32, [n]i64) = (reverse xs, map1 i64.i32 (reverse xs))

-- ==
-- entry: moved
-- input { 1i64 [5, 6, 7] } output { [6, 7, 5] }
-- input { -1i64 [5, 6, 7] } output { [7, 5, 6] }
-- input { 3i64 [5, 6, 7] } output { [5, 6, 7] }
-- input { 5i64 [5, 6, 7] } output { [7, 5, 6] }
-- input { -7i64 [5, 6, 7] } output { [7, 5, 6] }
-- input { 9223372036854775807i64 [5, 6] } output { [6, 5] }
-- input { 4i64 empty([0]i32) } output { empty([0]i32) }
entry moved [n] (r: i64) (xs: [n]i32): [n]i32 = rotate r xs

-- By constants, in arrays that are shorter and longer. By one place, there is no division.
-- ==
-- entry: moved_by_constants
-- input { [5, 6, 7, 8] } output { [6, 7, 8, 5] [8, 5, 6, 7] [5, 6, 7, 8] [7, 8, 5, 6] [7, 8, 5, 6] [8, 5, 6, 7] }
-- input { [5, 6, 7] } output { [6, 7, 5] [7, 5, 6] [5, 6, 7] [7, 5, 6] [6, 7, 5] [5, 6, 7] }
-- input { [5, 6] } output { [6, 5] [6, 5] [5, 6] [5, 6] [5, 6] [6, 5] }
-- input { [5] } output { [5] [5] [5] [5] [5] [5] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
-- random input { [67]i32 } auto output
entry moved_by_constants [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32) =
  (rotate 1 xs, rotate (-1) xs, rotate 0 xs, rotate 2 xs, rotate (-2) xs, rotate 3 xs)

-- Of pairs and records.
-- ==
-- entry: of_pairs
-- input { [1, 2, 3] [0.5, 1.5, 2.5] } output { [3, 2] [2.5, 1.5] [2, 3, 1] }
entry of_pairs [n] (xs: [n]i32) (ys: [n]f64): ([2]i32, [2]f64, [n]i32) =
  let (as, bs) = unzip (take 2 (reverse (zip xs ys)))
  let rs = map2 (\x y -> {x, y}) xs ys
  in (as, bs, map (.x) (rotate 1 rs))

-- In workers, branches and recursion.
-- ==
-- entry: prefixes
-- input { [1i64, 2i64, 3i64] } output { [0i64, 1i64, 3i64] [6i64, 5i64, 3i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry prefixes [n] (xs: [n]i64): ([n]i64, [n]i64) =
  (map (\i -> i64.sum (take i xs)) (iota n), map (\i -> i64.sum (drop i xs)) (iota n))

-- ==
-- entry: chosen
-- input { true [1, 2, 3] } output { [2, 3] }
-- input { false [1, 2, 3] } output { [3, 2, 1] }
entry chosen [n] (c: bool) (xs: [n]i32): ?[k].[k]i32 = if c then tail xs else reverse xs

def sum_by_halves [n] (xs: [n]i64): i64 =
  if n == 0 then 0
  else if n == 1 then head xs
  else sum_by_halves (take (n / 2) xs) + sum_by_halves (drop (n / 2) xs)

-- ==
-- entry: by_halves
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { 15i64 }
-- input { empty([0]i64) } output { 0i64 }
entry by_halves [n] (xs: [n]i64): i64 = sum_by_halves xs

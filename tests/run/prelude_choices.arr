-- Arrays divided, merged and combined: partitions, pairs as far as the shorter array, folds with positions.

-- One pass, and an array only for each part.
-- ==
-- entry: divided
-- input { [3i64, -1i64, 0i64, 5i64] } output { [3i64, 5i64] [-1i64, 0i64] }
-- input { [1i64] } output { [1i64] empty([0]i64) }
-- input { [-1i64] } output { empty([0]i64) [-1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- random input { [100]i64 } auto output
-- structure { clusters 1 arrays 0 reads 1 writes 2 loops 1 }
entry divided [n] (xs: [n]i64): ?[k][m].([k]i64, [m]i64) = partition (> 0) xs

-- What comes after is in the same pass.
-- ==
-- entry: divided_sums
-- input { [3i64, -1i64, 0i64, 5i64] } output { 8i64 -1i64 2i64 }
-- input { empty([0]i64) } output { 0i64 0i64 0i64 }
-- structure { clusters 1 arrays 0 reads 1 writes 0 loops 1 }
entry divided_sums [n] (xs: [n]i64): (i64, i64, i64) =
  let (large, small) = partition (> 0) xs
  in (i64.sum large, i64.sum small, length small)

-- ==
-- entry: divided_pairs
-- input { [1, 2, 3] [true, false, true] } output { [1, 3] [2] [false] }
-- input { empty([0]i32) empty([0]bool) } output { empty([0]i32) empty([0]i32) empty([0]bool) }
entry divided_pairs [n] (xs: [n]i32) (fs: [n]bool): ?[k][m].([k]i32, [m]i32, [m]bool) =
  let (on, off) = partition (.1) (zip xs fs)
  in (map (.0) on, map (.0) off, map (.1) off)

-- ==
-- entry: in_three
-- input { [5i64, -3i64, 0i64, 7i64, -1i64] } output { [5i64, 7i64] [-3i64, -1i64] [0i64] }
-- input { [12i64] } output { [12i64] empty([0]i64) empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) }
-- structure { clusters 1 arrays 0 reads 1 writes 3 loops 1 }
entry in_three [n] (xs: [n]i64): ?[k][m][o].([k]i64, [m]i64, [o]i64) =
  partition2 (> 0) (\x -> x < 0 || x == 12) xs

-- ==
-- entry: shorter
-- input { [1, 2, 3] [10, 20] } output { [11, 22] }
-- input { [1] [10, 20] } output { [11] }
-- input { empty([0]i32) [10] } output { empty([0]i32) }
-- input { [1] empty([0]i32) } output { empty([0]i32) }
-- structure { clusters 1 arrays 0 writes 1 }
entry shorter [n] [m] (xs: [n]i32) (ys: [m]i32): ?[k].[k]i32 = zip_with_min (+) xs ys

-- ==
-- entry: with_positions
-- input { [5i64, 6i64, 7i64] } output { 20i64 }
-- input { empty([0]i64) } output { 0i64 }
-- structure { clusters 1 arrays 0 reads 1 writes 0 loops 1 }
entry with_positions [n] (xs: [n]i64): i64 = fold_index (\sum i x -> sum + i * x) 0 xs

-- ==
-- entry: from_both_ends
-- input { [1, 2, 3] } output { -6 2 }
-- input { [4] } output { -4 4 }
-- input { empty([0]i32) } output { 0 0 }
entry from_both_ends [n] (xs: [n]i32): (i32, i32) = (foldl (-) 0 xs, foldr (-) 0 xs)

-- ==
-- entry: digits
-- input { [1, 2, 3] } output { 321i64 3i64 }
-- input { empty([0]i32) } output { 0i64 0i64 }
entry digits [n] (xs: [n]i32): (i64, i64) =
  foldr (\x (value, places) -> (value * 10 + i64.i32 x, places + 1)) (0, 0) xs

-- ==
-- entry: merged
-- input { [true, false, false, true] [1, 2] [10, 20] } output { [1, 10, 20, 2] }
-- input { [false] empty([0]i32) [10, 20] } output { [10] }
-- input { empty([0]bool) [1] [10] } output { empty([0]i32) }
-- input { [true, true] [1] [10] } error: index 1 is out of bounds for an array of length 1
-- input { [false] [1] empty([0]i32) } error: index 0 is out of bounds for an array of length 0
-- structure { clusters 1 arrays 0 writes 1 loops 1 }
entry merged [n] [k] [m] (flags: [n]bool) (xs: [k]i32) (ys: [m]i32): [n]i32 = combine flags xs ys

-- What was divided, put together again.
-- ==
-- entry: round_trip
-- input { [3i64, -1i64, 0i64, 5i64] } output { [3i64, -1i64, 0i64, 5i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry round_trip [n] (xs: [n]i64): [n]i64 =
  let (large, small) = partition (> 0) xs
  in combine (map (> 0) xs) large small

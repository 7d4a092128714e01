-- The sides of `combine` are computed where they are taken.

def f (x: i64): i64 = 3 * x + 1
def p (x: i64): bool = x % 3 == 0

-- What a flag and its negation keep is where it was.
-- ==
-- entry: parted
-- input { [3, 1, 6, 8] } output { [10, 2, 19, 16] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 loops 1 }
entry parted [n] (zs: [n]i64): [n]i64 =
  let flags = map p zs
  in combine flags (map f (filter p zs)) (map (* 2) (filter (\z -> !(p z)) zs))

-- ==
-- entry: partitioned
-- input { [3, 1, 6, 8] } output { 47 2i64 }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry partitioned [n] (zs: [n]i64): (i64, i64) =
  let (xs, ys) = partition p zs
  in (i64.sum (combine (map p zs) (map f xs) (map (* 2) ys)), length ys)

-- ==
-- entry: by_flags
-- input { [true, false, true] [3.0, 1.0, 6.0] [4, 5, 6] } output { [3.0, -1.0, 6.0] [5, 5, 7] }
-- random input { [1000]bool [1000]f64 [1000]i64 }
-- structure ilp { clusters 1 reads 3 writes 2 arrays 0 }
entry by_flags [n] (flags: [n]bool) (xs: [n]f64) (ks: [n]i64): ([n]f64, [n]i64) =
  let kept = filter (.0) (zip3 flags xs ks)
  let others = filter (\(flag, _, _) -> !flag) (zip3 flags xs ks)
  in unzip
       (combine flags (map (\(_, x, k) -> (x, k + 1)) kept) (map (\(_, x, k) -> (-x, k)) others))

-- Floats have no opposite comparisons, but a negation.
-- ==
-- entry: of_floats
-- input { [3.0, nan, -1.0] } output { [3.0, 0.0, 0.0] }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry of_floats [n] (xs: [n]f64): [n]f64 =
  let (positive, others) = partition (> 0.0) xs
  in combine (map (> 0.0) xs) positive (map (\_ -> 0.0) others)

-- Maps of arrays in memory.
-- ==
-- entry: mapped
-- input { [true, false, true] [3, 6] [1] } output { [10, 2, 19] }
-- input { [true, false, true] [3] [1] } error: index 1 is out of bounds for an array of length 1
-- input { [true, false, false] [3] [1] } error: index 1 is out of bounds for an array of length 1
-- input { [true] [3, 6] [1, 7, 8] } output { [10] }
-- structure ilp { clusters 1 reads 3 writes 1 arrays 0 loops 1 }
entry mapped [n] [k] [m] (flags: [n]bool) (xs: [k]i64) (ys: [m]i64): [n]i64 =
  combine flags (map f xs) (map (* 2) ys)

-- ==
-- entry: side_fails
-- input { [true, true] [3, 0] [1] } error: division by zero
-- input { [true, true] [3, 9] [1] } output { [3, 1] }
entry side_fails [n] [k] [m] (flags: [n]bool) (xs: [k]i64) (ys: [m]i64): [n]i64 =
  combine flags (map (9 /) xs) ys

-- Other flags keep their positions: the sides are stored.
-- ==
-- entry: others
-- input { [true, false, true] [3, 1, 6] } output { [3, 1, 6] }
-- input { [true, true, true] [3, 1, 6] } error: index 2 is out of bounds for an array of length 2
-- input { [false, true, true] [3, 1, 6] } output { [1, 3, 6] }
entry others [n] (flags: [n]bool) (zs: [n]i64): [n]i64 =
  combine flags (filter p zs) (filter (\z -> !(p z)) zs)

-- A side is a result as well.
-- ==
-- entry: side_stored
-- input { [3, 1, 6, 8] } output { [10, 2, 19, 16] [10, 19] }
-- structure ilp { clusters 1 reads 1 writes 2 arrays 0 }
entry side_stored [n] (zs: [n]i64): ?[k].([n]i64, [k]i64) =
  let (xs, ys) = partition p zs
  let fs = map f xs
  in (combine (map p zs) fs (map (* 2) ys), fs)

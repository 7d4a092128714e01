-- Sizes that are named where they become known.

-- ==
-- entry: named
-- input { [1, -2, 3] } output { 2i64 [0i64, 1i64] }
-- input { empty([0]i32) } output { 0i64 empty([0]i64) }
entry named [n] (xs: [n]i32): ?[m].(i64, [m]i64) =
  let [k] ys: [k]i32 = filter (> 0) xs
  in (k, map2 (\_ i -> i) ys (iota k))

-- ==
-- entry: in_parentheses
-- input { [1, -2, 3] } output { 2i64 }
entry in_parentheses [n] (xs: [n]i32): i64 =
  let [k] (_: [k]i32) = filter (> 0) xs
  in k

-- ==
-- entry: of_a_pair
-- input { [1, -2, 3] } output { 2i64 4 }
entry of_a_pair [n] (xs: [n]i32): (i64, i32) =
  let [k] (ys: [k]i32, zs: [k]i32) = unzip (filter (\(x, _) -> x > 0) (zip xs xs))
  in (k, i32.sum (map2 i32.max ys zs))

-- ==
-- entry: two
-- input { [1, -2, 3] } output { 2i64 1i64 [1, 3, -2] }
entry two [n] (xs: [n]i32): ?[m].(i64, i64, [m]i32) =
  let [k] [l] (ys: [k]i32, zs: [l]i32) = (filter (> 0) xs, filter (< 0) xs)
  let both: [k + l]i32 = ys ++ zs
  in (k, l, both)

-- ==
-- entry: of_what_is_known
-- input { [1, 2, 3] } output { 3i64 [3i64, 3i64, 3i64] }
entry of_what_is_known [n] (xs: [n]i32): (i64, [n]i64) =
  let [m] ys: [m]i32 = map (+ 1) xs
  in (m, replicate m m :> [n]i64)

-- ==
-- entry: plus_one
-- input { [1, 2, 3] } output { 2i64 [2, 3] }
-- input { empty([0]i32) } error: slice 1: is out of bounds for an array of length 0
entry plus_one [n] (xs: [n]i32): (i64, [n - 1]i32) =
  let [m] (ys: [m + 1]i32) = xs
  let rest: [m]i32 = ys[1:]
  in (m, rest)

-- ==
-- entry: in_a_worker
-- input { [3i64, 0i64] } output { [3i64, 0i64] }
entry in_a_worker [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let [k] (ys: [k]i64) = filter (>= 0) (iota x)
    in k + 0 * i64.sum ys) xs

-- ==
-- entry: in_a_branch
-- input { true [1, -1] } output { 1i64 }
-- input { false [1, -1] } output { 2i64 }
entry in_a_branch [n] (some: bool) (xs: [n]i32): i64 =
  if some then let [k] (_: [k]i32) = filter (> 0) xs in k else n

-- ==
-- entry: of_a_call
-- input { [1, -2, 3] } output { 2i64 }
def positives [n] (xs: [n]i32): ?[k].[k]i32 = filter (> 0) xs
entry of_a_call [n] (xs: [n]i32): i64 =
  let [p] (ps: [p]i32) = positives xs
  in p + 0 * i64.i32 (i32.sum ps)

-- Sizes that are given by name.
def square (m: i64): [m * m]i64 = iota (m * m)

-- ==
-- entry: by_name
-- input { 3i64 } output { 9i64 [0i64, 1i64, 2i64, 3i64] }
entry by_name (n: i64): (i64, [2 * 2]i64) = (length (square n), square 2)

def apply (f: (n: i64) -> [n]i64) (n: i64): [n]i64 = f n

-- ==
-- entry: function_by_name
-- input { 3i64 } output { [0i64, 1i64, 2i64] [3i64, 3i64, 3i64] }
entry function_by_name (n: i64): ([n]i64, [n]i64) = (apply iota n, apply (\m -> replicate m m) n)

-- Sizes by arithmetic.
def doubled [n] (xs: [n]i64): [2 * n]i64 = xs ++ xs

-- ==
-- entry: twice
-- input { [1i64, 2i64] } output { [1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64] }
entry twice [n] (xs: [n]i64): [4 * n]i64 = doubled (doubled xs)

-- Local functions with size parameters of their own.
-- ==
-- entry: local_sizes
-- input { [1, 2] [3, 4, 5] } output { [2, 3] [4, 5, 6] }
entry local_sizes [n] [m] (xs: [n]i32) (ys: [m]i32): ([n]i32, [m]i32) =
  let bump [l] (zs: [l]i32): [l]i32 = map2 (+) zs (replicate l 1)
  in (bump xs, bump ys)

-- `[]` leaves a size to be found.
-- ==
-- entry: left_open
-- input { [1, 2] } output { [2, 3] }
entry left_open [n] (xs: [n]i32): [n]i32 =
  let ys: []i32 = map (+ 1) xs
  in ys

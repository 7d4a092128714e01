-- Sizes that a branch makes. They are known in this branch only, so the whole has a size of its own.

-- ==
-- entry: bound
-- input { true 5i64 } output { 1i64 2i64 [[0i64, 1i64]] }
-- input { false 5i64 } output { 0i64 0i64 empty([0][0]i64) }
entry bound (c: bool) (n: i64) =
  let [r] [k] (v: [r][k]i64) = if c then [let m = n / 2 in iota m] else []
  in (r, k, v)

-- ==
-- entry: used
-- input { true 5i64 } output { [0i64, 2i64] }
-- input { false 5i64 } output { empty([0]i64) }
entry used (c: bool) (n: i64) =
  let [r] [k] (v: [r][k]i64) = if c then [let m = n / 2 in iota m] else []
  in map2 (+) (iota k) (reduce (map2 (+)) (replicate k 0) v)

-- ==
-- entry: filtered
-- input { true [1i64, -2i64, 3i64] } output { 1i64 2i64 [[1i64, 3i64]] }
-- input { false [1i64, -2i64, 3i64] } output { 0i64 0i64 empty([0][0]i64) }
entry filtered (c: bool) (xs: []i64) =
  let [r] [k] (v: [r][k]i64) = if c then [filter (> 0) xs] else []
  in (r, k, v)

-- The empty branch first.
-- ==
-- entry: empty_first
-- input { false 5i64 } output { [2i64] }
-- input { true 5i64 } output { empty([0]i64) }
entry empty_first (c: bool) (n: i64) = map length (if c then [] else [let m = n / 2 in iota m])

-- ==
-- entry: matched
-- input { 0i64 5i64 } output { 0i64 }
-- input { 1i64 5i64 } output { 2i64 }
-- input { 2i64 5i64 } output { 6i64 }
entry matched (k: i64) (n: i64) =
  let v =
    match k
    case 0 -> []
    case 1 -> [let m = n / 2 in iota m]
    case _ -> let m = n - 2 in replicate 2 (iota m)
  in length (flatten v)

-- ==
-- entry: nested
-- input { true true 6i64 } output { 3i64 }
-- input { true false 6i64 } output { 0i64 }
-- input { false true 6i64 } output { 1i64 }
entry nested (c: bool) (d: bool) (n: i64) =
  let v = if c then (if d then [let m = n / 2 in iota m] else []) else replicate 1 (iota 1)
  in length (flatten v)

-- Two arrays of one size in each branch have one size.
-- ==
-- entry: pairs
-- input { true [1i64, 4i64] [2i64, 3i64] } output { [7i64] }
-- input { false [1i64, 4i64] [2i64, 3i64] } output { empty([0]i64) }
entry pairs (c: bool) (xs: []i64) (ys: []i64) =
  let (a, b) = if c then unzip (filter (\(x, y) -> x > y) (zip xs ys)) else ([], [])
  in map2 (+) a b

-- ==
-- entry: stepped
-- input { [true, false] 5i64 } output { [2i64, 0i64] }
entry stepped (cs: []bool) (n: i64) =
  map (\c -> length (flatten (if c then [let m = n / 2 in iota m] else []))) cs

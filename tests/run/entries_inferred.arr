-- Entries whose types are not written, or are those of functions.

def double (x: f64) = x * 2

-- ==
-- entry: point_free
-- input { [1.0, 2.5] } output { [2.0, 5.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry point_free = map double

-- ==
-- entry: composed
-- input { [1i64, -2i64, 3i64] } output { [2i64, 4i64] }
entry composed = filter (> 0i64) >-> map (+ 1)

-- ==
-- entry: counting
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { -1i64 } error: negative size -1
entry counting = iota

-- ==
-- entry: declared
-- input { [1i64, 2i64] } output { [1i64, 3i64] }
entry declared [n]: [n]i64 -> [n]i64 = map2 (+) (iota n)

-- ==
-- entry: waiting
-- input { [1i64, 2i64] [3i64, 4i64] } output { [4i64, 6i64] }
entry waiting [n] (xs: [n]i64) = map2 (+) xs

-- ==
-- entry: named
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] }
entry named (n: i64): (m: i64) -> [n][m]i64 = \m -> replicate n (iota m)

-- ==
-- entry: computed
-- input { 5i64 } output { [3i64, 4i64] }
entry computed: i64 -> ?[k].[k]i64 = \n -> filter (> 2) (iota n)

-- ==
-- entry: inferred
-- input { [1.0, 2.0] [3.0, 4.0] } output { 11.0 }
entry inferred xs ys = map2 (*) xs ys |> f64.sum

-- ==
-- entry: patterns
-- input { 1.0 2.0 3i64 4i64 } output { 4.0 7i64 }
entry patterns (p, q) {x, y} = (p + q * 1.5, x + y + 0i64)

-- ==
-- entry: by_default
-- input { 1 2 } output { 3 }
entry by_default = \x y -> x + y

-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1] } error: index (
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1] } output { 1 }
-- error: A0301
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1] 2 } output { 1 }
-- input { [1] } output { }
-- entry: none
-- input { 1 } output { 1 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
entry none: i64 = 1

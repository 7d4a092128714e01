-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1, 2, 3] output { 6 }
-- input [1] output { 1 }
-- input { [1] } output { 1
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

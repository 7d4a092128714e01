-- $ arrc test FILE
-- ==
-- input { [1] } output { 1 }

-- ==
-- entry: totla
-- input { [1] } output { 1 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

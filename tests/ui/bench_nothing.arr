-- $ arrc bench FILE total
-- ==
-- entry: total
-- nobench input { [1] } output { 1 }
-- input { [1, 0] } error: division
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 (map (6 /) xs)

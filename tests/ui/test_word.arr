-- $ arrc test FILE
-- ==
-- entry: total
-- inptu { [1, 2, 3] } output { 6 }
-- { [1] }
-- structure { cluster 1 }
-- structure { clusters one }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

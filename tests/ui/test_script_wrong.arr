-- $ arrc test FILE
-- ==
-- entry: total
-- script input { total ) } output { 6 }
-- script input { [1, 2 } output { 6 }
-- script input total [1]
-- script input { let xs [1] in xs }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

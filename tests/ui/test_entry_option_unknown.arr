-- $ arrc test FILE --entry totl
-- ==
-- entry: total
-- input { [1] } output { 1 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

-- $ arrc test FILE --list
-- ==
-- entry: total both
-- input { [1] } output { 1 }
-- "empty" input { [] }
-- structure { clusters 1 }
-- structure both ilp { loops 0 } none { loops 0 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
entry both [n] (xs: [n]i64): i64 = n

-- $ arrc test FILE --entry both --entry f
-- ==
-- entry: total both
-- input { [1] } output { 1 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
entry both [n] (xs: [n]i64): i64 = n

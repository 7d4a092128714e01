-- $ arrc test FILE
-- ==
-- entry: total
-- input { [1] } output { 1 }
def total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

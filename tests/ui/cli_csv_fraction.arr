-- $ arrc run FILE total @points.csv:x
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

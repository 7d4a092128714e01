-- $ arrc run FILE total @points.csv:count(name)
entry total [n] (xs: [n]i64): i64 = i64.sum xs

-- $ arrc run FILE total @points.csv:y
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs

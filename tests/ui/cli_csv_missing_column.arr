-- $ arrc run FILE total @points.csv:height
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs

-- $ arrc run FILE total @points.txt
entry total [n] (xs: [n]f64): f64 = f64.sum xs

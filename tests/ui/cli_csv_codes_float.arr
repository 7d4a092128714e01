-- $ arrc run FILE total @points.csv:codes(name)
entry total [n] (xs: [n]f64): f64 = f64.sum xs

-- $ arrc run --dictionary=out.csv FILE total @points.csv:x
entry total [n] (xs: [n]f64): f64 = f64.sum xs

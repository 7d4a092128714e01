-- $ arrc run FILE total @ragged.csv:x
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs

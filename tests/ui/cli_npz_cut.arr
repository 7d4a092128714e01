-- $ arrc run FILE total @cut.npz:xs
entry total [n] (xs: [n]f64): f64 = f64.sum xs

-- $ arrc run FILE total @pair.npz:short
entry total [n] (xs: [n]f64): f64 = f64.sum xs

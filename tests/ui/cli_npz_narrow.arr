-- $ arrc run FILE total @pair.npz:is
entry total [n] (xs: [n]f64): f64 = f64.sum xs

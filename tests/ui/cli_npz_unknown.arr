-- $ arrc run FILE total @pair.npz:ys
entry total [n] (xs: [n]f64): f64 = f64.sum xs

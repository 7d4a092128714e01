-- $ arrc run FILE total @not_npz.npz:xs
entry total [n] (xs: [n]f64): f64 = f64.sum xs

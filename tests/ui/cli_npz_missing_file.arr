-- $ arrc run FILE total @no-such-file.npz:xs
entry total [n] (xs: [n]f64): f64 = f64.sum xs
